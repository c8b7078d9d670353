// Keeps what VTK would print while this object lives, so that it can become part of an Error. Internal to the room.
// VTK has one output window for the whole program, so only one capture exists at a time: a second thread waits.
#pragma once

#include <vtkLogger.h>
#include <vtkOutputWindow.h>
#include <vtkSmartPointer.h>

#include <mutex>
#include <string>

namespace proxima::mesh {

class VtkOutput {
 public:
  VtkOutput();
  ~VtkOutput();
  VtkOutput(const VtkOutput&) = delete;
  VtkOutput& operator=(const VtkOutput&) = delete;

  // The first complaint (error or warning), without VTK's source lines and addresses; "" when there was none.
  std::string complaint() const;

 private:
  std::unique_lock<std::mutex> lock_;
  vtkSmartPointer<vtkOutputWindow> window_;
  vtkLogger::Verbosity verbosity_;
};

}  // namespace proxima::mesh
