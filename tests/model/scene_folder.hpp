// What tests of scene files share: a folder of their own for each, and the message of an Error.
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <string>

#include "compiler/support/error.hpp"

namespace proxima::model::test {

class SceneFolder : public testing::Test {
 protected:
  void SetUp() override {
    folder = std::filesystem::temp_directory_path() / ("proxima_model_" + std::to_string(::getpid()));
    std::filesystem::create_directories(folder);
  }
  void TearDown() override { std::filesystem::remove_all(folder); }

  // The message of the Error that a call ends with, "" when it ends well.
  template <class Call>
  static std::string fault_of(Call call) {
    try {
      call();
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  }

  std::filesystem::path folder;
};

}  // namespace proxima::model::test
