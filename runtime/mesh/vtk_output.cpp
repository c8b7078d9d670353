#include "runtime/mesh/vtk_output.hpp"

#include <vtkObjectFactory.h>

#include <algorithm>
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
  constexpr std::string_view kBlanks = " \n\r\t";
  constexpr std::string_view kAddressEnd = "): ";
  if (text.substr(0, text.find('\n')).find(": In ") != text.npos) text.remove_prefix(text.find('\n'));
  if (const auto address = text.find("(0x"); address != text.npos) {
    if (const auto end = text.find(kAddressEnd, address); end != text.npos) {
      text.remove_prefix(end + kAddressEnd.size());
    }
  }
  const auto first = text.find_first_not_of(kBlanks);
  if (first == text.npos) return {};
  std::string line(text.substr(first, text.find_last_not_of(kBlanks) - first + 1));
  std::replace(line.begin(), line.end(), '\n', ' ');
  return line;
}

}  // namespace

VtkOutput::VtkOutput()
    : lock_(window_mutex), window_(vtkOutputWindow::GetInstance()), verbosity_(vtkLogger::GetCurrentVerbosityCutoff()) {
  vtkOutputWindow::SetInstance(vtkNew<Recorder>());
  vtkLogger::SetStderrVerbosity(vtkLogger::VERBOSITY_OFF);
}

VtkOutput::~VtkOutput() {
  vtkLogger::SetStderrVerbosity(verbosity_);
  vtkOutputWindow::SetInstance(window_);
}

std::string VtkOutput::complaint() const {
  return essence(static_cast<const Recorder*>(vtkOutputWindow::GetInstance())->first);
}

}  // namespace proxima::mesh
