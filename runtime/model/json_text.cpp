#include "runtime/model/json_text.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>
#include <vector>

#include "compiler/support/error.hpp"

namespace proxima::model {
namespace {

using Json = nlohmann::ordered_json;

// What no scene needs and what would take the program's stack, or time in proportion to a square.
constexpr std::size_t deepest = 32, most_keys = 1000;

// Follows the parser into objects and lists to tell where it is, and refuses keys that are given twice.
class Follower {
 public:
  explicit Follower(const std::string& file) : file_(file) {}

  bool operator()(int /*depth*/, Json::parse_event_t event, Json& parsed) {
    using Event = Json::parse_event_t;
    if (event == Event::object_start || event == Event::array_start) {
      if (levels_.size() == deepest)
        fail("{}: {}: lists and objects are nested more than {} deep", file_, path(), deepest);
      levels_.push_back({event == Event::array_start, {}, "", 0});
    } else if (event == Event::object_end || event == Event::array_end) {
      levels_.pop_back();
    } else if (event == Event::key) {
      const auto name = parsed.get<std::string>();
      levels_.back().current = name;
      if (!levels_.back().names.insert(name).second) fail("{}: key '{}' is given twice", file_, path());
      if (levels_.back().names.size() > most_keys)
        fail("{}: key '{}' is one of more than {} in an object", file_, path(), most_keys);
    }
    // An entry of the list around has ended.
    const bool ended = event == Event::object_end || event == Event::array_end || event == Event::value;
    if (ended && !levels_.empty() && levels_.back().is_list) ++levels_.back().index;
    return true;
  }

  // Of what is being read.
  std::string path() const {
    std::string result;
    for (const auto& level : levels_) {
      if (level.is_list)
        result += fmt::format("[{}]", level.index);
      else
        result += (result.empty() ? "" : ".") + level.current;
    }
    return result;
  }

 private:
  struct Level {
    bool is_list;
    std::set<std::string> names;
    std::string current;
    std::size_t index;
  };

  const std::string& file_;
  std::vector<Level> levels_;
};

// The library's sentence without its preamble: "[json.exception.parse_error.101] parse error at line 1, column 2:
// syntax error while parsing value - unexpected ..." becomes "unexpected ...".
std::string reason(const std::string& what) {
  const auto dash = what.find(" - ");
  if (dash != std::string::npos) return what.substr(dash + 3);
  const auto bracket = what.find("] ");
  return bracket == std::string::npos ? what : what.substr(bracket + 2);
}

}  // namespace

Json parse_json(const std::string& content, const std::string& file) {
  Follower follower(file);
  try {
    constexpr bool allow_exceptions = true, ignore_comments = true;
    return Json::parse(content, std::ref(follower), allow_exceptions, ignore_comments);
  } catch (const Json::parse_error& error) {
    // `byte` counts the characters read, the offending one included.
    const auto at = static_cast<std::ptrdiff_t>(std::min(content.size(), std::max<std::size_t>(error.byte, 1) - 1));
    const auto line = 1 + std::count(content.begin(), content.begin() + at, '\n');
    const auto line_start = content.rfind('\n', at == 0 ? std::string::npos : static_cast<std::size_t>(at) - 1);
    const auto column =
        at == 0 || line_start == std::string::npos ? at + 1 : at - static_cast<std::ptrdiff_t>(line_start);
    fail("{}:{}:{}: {}", file, line, column, reason(error.what()));
  } catch (const Json::exception& error) {  // of a number that is too large for any
    fail("{}: {}: {}", file, follower.path(), reason(error.what()));
  }
}

}  // namespace proxima::model
