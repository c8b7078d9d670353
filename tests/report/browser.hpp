// A headless Chromium that opens a page as a reader would, with WebGL in software and no way out to any network.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace proxima::test {

struct OpenedPage {
  std::string document;                       // as the scripts left it
  std::vector<std::string> console;           // what was printed or thrown
  std::map<std::string, std::string> data;    // data- attributes of the root element: "frames" -> "60"
  int number(const std::string& name) const;  // -1 where there is none
  bool shows(const std::string& text) const { return document.find(text) != std::string::npos; }
};

// "" where a Chromium is installed, else why a test that needs it is skipped.
std::string why_no_browser();

// Opens `page`, with `script` run at its end. `flags` go to Chromium.
OpenedPage open_page(const std::filesystem::path& page, const std::string& script = "", const std::string& flags = "");

}  // namespace proxima::test
