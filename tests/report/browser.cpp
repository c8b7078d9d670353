#include "tests/report/browser.hpp"

#include <unistd.h>

#include <cstdlib>
#include <regex>
#include <sstream>
#include <stdexcept>

#include "compiler/support/file.hpp"

namespace proxima::test {
namespace {

namespace fs = std::filesystem;

constexpr const char* always =
    "--headless=new --no-sandbox --use-gl=angle --use-angle=swiftshader --enable-unsafe-swiftshader "
    "--disable-background-networking --disable-component-update --no-first-run --host-resolver-rules='MAP * ~NOTFOUND' "
    "--window-size=1000,800 --enable-logging=stderr --virtual-time-budget=5000 --dump-dom";

// Lines that Chromium writes about the page, not about itself: "[...:INFO:CONSOLE:12] "text", source: ... (12)".
std::vector<std::string> console_lines(const std::string& log) {
  std::vector<std::string> found;
  std::istringstream lines(log);
  for (std::string line; std::getline(lines, line);)
    if (line.find("CONSOLE") != std::string::npos) found.push_back(line);
  return found;
}

std::map<std::string, std::string> root_data(const std::string& document) {
  const std::string root = document.substr(0, document.find('>', document.find("<html")));
  const std::regex attribute(R"re(data-([a-z]+)="([^"]*)")re");
  std::map<std::string, std::string> data;
  for (std::sregex_iterator at(root.begin(), root.end(), attribute), end; at != end; ++at) data[(*at)[1]] = (*at)[2];
  return data;
}

}  // namespace

int OpenedPage::number(const std::string& name) const {
  const auto found = data.find(name);
  return found == data.end() ? -1 : std::stoi(found->second);
}

std::string why_no_browser() {
  if (std::system("command -v chromium > /dev/null") == 0) return "";
  return "no chromium is installed (package chromium), so the page is not opened";
}

OpenedPage open_page(const fs::path& page, const std::string& script, const std::string& flags) {
  const fs::path folder = fs::temp_directory_path() / ("proxima_browser_" + std::to_string(::getpid()));
  fs::remove_all(folder);
  fs::create_directories(folder);
  std::string html = read_file(page);
  if (!script.empty()) html.insert(html.rfind("</body>"), "<script>" + script + "</script>\n");
  write_file(folder / "page.html", html);
  const std::string command = "HOME=" + folder.string() + " timeout 100 chromium " + always + " " + flags +
                              " --user-data-dir=" + (folder / "profile").string() + " file://" +
                              (folder / "page.html").string() + " > " + (folder / "dom").string() + " 2> " +
                              (folder / "log").string();
  const int status = std::system(command.c_str());
  OpenedPage opened;
  opened.document = read_file(folder / "dom");
  const std::string log = read_file(folder / "log");
  fs::remove_all(folder);
  if (status != 0) throw std::runtime_error("chromium failed: " + log);
  opened.console = console_lines(log);
  opened.data = root_data(opened.document);
  return opened;
}

}  // namespace proxima::test
