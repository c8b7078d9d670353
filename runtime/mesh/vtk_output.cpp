#include "runtime/mesh/vtk_output.hpp"

#include <vtkObjectFactory.h>

#include <string_view>

namespace proxima::mesh {
namespace {

std::mutex window_mutex;

class Recorder : public vtkOutputWindow {
 public:
  static Recorder* New();
  Recorder(const Recorder&) = delete;
  Recorder& operator=(const Recorder&) = delete;

  // Every kind of text comes through here.
  void DisplayText(const char* text) override {
    if (first.empty()) first = text;
  }
  std::string first;

 protected:
  Recorder() = default;
};
vtkStandardNewMacro(Recorder);

// "ERROR: In ./IO/x.cxx, line 12\nvtkReader (0x55...): What went wrong\n\n" -> "What went wrong"
std::string essence(std::string_view text) {
  constexpr std::string_view kBlank = " \n\r\t";
  if (const auto address = text.find("(0x"); address != text.npos) {
    if (const auto end = text.find("): ", address); end != text.npos) text.remove_prefix(end + 3);
  }
  const auto first = text.find_first_not_of(kBlank);
  if (first == text.npos) return {};
  text = text.substr(first, text.find_last_not_of(kBlank) - first + 1);
  std::string line(text);
  for (auto& letter : line) {
    if (letter == '\n') letter = ' ';
  }
  return line;
}

}  // namespace

VtkOutput::VtkOutput() : lock_(window_mutex), previous_(vtkOutputWindow::GetInstance()) {
  vtkNew<Recorder> recorder;
  vtkOutputWindow::SetInstance(recorder);
}

VtkOutput::~VtkOutput() { vtkOutputWindow::SetInstance(previous_); }

std::string VtkOutput::complaint() const {
  return essence(static_cast<const Recorder*>(vtkOutputWindow::GetInstance())->first);
}

}  // namespace proxima::mesh
