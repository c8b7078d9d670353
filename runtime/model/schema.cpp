#include "runtime/model/schema.hpp"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <vector>

#include "compiler/support/error.hpp"
#include "compiler/support/nearest.hpp"

namespace proxima::model {
namespace {

using Json = nlohmann::ordered_json;

struct TypeRow {
  Type type;
  int list;  // its length, any_length, or not_list
  std::string_view name;
  bool (*is)(const Json&);  // of the value, or of each entry of the list
};
template <auto Predicate>
bool is(const Json& value) {
  return (value.*Predicate)();
}
bool is_integer_list(const Json& value) {
  return value.is_array() && std::all_of(value.begin(), value.end(), is<&Json::is_number_integer>);
}
constexpr int not_list = -1, any_length = 0;
constexpr TypeRow type_rows[] = {
    {number, not_list, "number", is<&Json::is_number>},
    {integer, not_list, "integer", is<&Json::is_number_integer>},
    {text, not_list, "text", is<&Json::is_string>},
    {vector3, 3, "[x, y, z]", is<&Json::is_number>},
    {integers3, 3, "[i, j, k]", is<&Json::is_number_integer>},
    {integers, any_length, "list of integers", is<&Json::is_number_integer>},
    {texts, any_length, "list of texts", is<&Json::is_string>},
    {object, not_list, "object", is<&Json::is_object>},
    {objects, any_length, "list of objects", is<&Json::is_object>},
    {integers2, 2, "[i, j]", is<&Json::is_number_integer>},
    {integer_lists, any_length, "list of lists of integers", is_integer_list},
    {boolean, not_list, "true or false", is<&Json::is_boolean>},
};

bool has_type(const Json& value, const TypeRow& row) {
  if (row.list == not_list) return row.is(value);
  return value.is_array() && (row.list == any_length || value.size() == static_cast<std::size_t>(row.list)) &&
         std::all_of(value.begin(), value.end(), [&](const Json& entry) { return row.is(entry); });
}

// The value as the user wrote it, cut short.
std::string excerpt(const Json& value) {
  constexpr std::size_t longest = 60;
  auto found = value.dump();
  if (found.size() > longest) found = found.substr(0, longest) + "...";
  return found;
}

std::string joined(std::string_view choices) {
  std::string result;
  for (const char letter : choices) result += letter == '|' ? std::string(" or ") : std::string(1, letter);
  return result;
}

bool is_choice(std::string_view choices, const std::string& value) {
  return fmt::format("|{}|", choices).find(fmt::format("|{}|", value)) != std::string::npos;
}

bool inside(const Allowed& allowed, double value) {
  return std::isfinite(value) && (allowed.lower_open ? value > allowed.lower : value >= allowed.lower) &&
         (allowed.upper_open ? value < allowed.upper : value <= allowed.upper);
}

std::string interval(const Allowed& allowed) {
  const bool below = std::isfinite(allowed.lower), above = std::isfinite(allowed.upper);
  const std::string lower = fmt::format("{} {}", allowed.lower_open ? ">" : ">=", allowed.lower);
  const std::string upper = fmt::format("{} {}", allowed.upper_open ? "<" : "<=", allowed.upper);
  if (below && above) return fmt::format(" {} and {}", lower, upper);
  return below ? " " + lower : above ? " " + upper : "";
}

bool allowed_value(const Key& key, const Json& value) {
  if (value.is_array()) {
    return std::all_of(value.begin(), value.end(), [&](const Json& entry) { return allowed_value(key, entry); });
  }
  if (value.is_string()) {
    return key.allowed.choices.empty() || is_choice(key.allowed.choices, value.get<std::string>());
  }
  if (!value.is_number()) return true;
  // Counts, numbers of nodes and tags are 32-bit integers everywhere in Proxima.
  if (value.is_number_integer() && !(key.types & (number | vector3)) && std::abs(value.get<double>()) > INT32_MAX) {
    return false;
  }
  return inside(key.allowed, value.get<double>());
}

// Keys of the objects found under `parent` ("" for the scene itself).
std::vector<const Key*> children(std::string_view parent) {
  std::vector<const Key*> result;
  const std::string prefix = parent.empty() ? "" : std::string(parent) + ".";
  for (const Key& key : scene_keys()) {
    if (!key.path.starts_with(prefix) || (parent.empty() && key.path.starts_with('@'))) continue;
    if (key.path.find('.', prefix.size()) == std::string_view::npos) result.push_back(&key);
  }
  return result;
}

std::string_view last_name(const Key& key) { return key.path.substr(key.path.rfind('.') + 1); }

// Where the keys of a value of this key are listed, for lists those of an entry.
std::string child_path(const Key& key) {
  const std::string path(key.like.empty() ? key.path : key.like);
  return key.types & objects ? path + "[]" : path;
}

class Checker {
 public:
  explicit Checker(const std::string& file) : file_(file) {}

  void check_object(Json& value, std::string_view spec, const std::string& where) const {
    const auto keys = children(spec);
    check_names(value, keys, where);
    std::string alternatives, given;
    int chosen = 0;
    bool needed = true;
    for (const Key* key : keys) {
      const std::string name(last_name(*key));
      const bool present = value.contains(name);
      if (key->presence == Presence::required && !present && name != "*") {
        fail("{}: '{}' is missing; it is needed: {}", file_, join(where, name), value_text(*key));
      }
      if (key->presence == Presence::defaulted && !present) value[name] = Json::parse(key->fallback);
      if (key->presence == Presence::instead && present) needed = false;
      if (key->presence != Presence::one_of) continue;
      alternatives += (alternatives.empty() ? "'" : ", '") + name + "'";
      if (present) given += (chosen++ ? " and '" : "'") + name + "'";
    }
    if (!alternatives.empty() && chosen != 1 && (chosen > 1 || needed)) {
      fail("{}: {}exactly one of {} is needed, found {}", file_, where.empty() ? "" : where + ": ", alternatives,
           chosen ? given : "none");
    }
    for (auto& [name, entry] : value.items()) check_value(*find(keys, name), entry, join(where, name));
  }

 private:
  static std::string join(const std::string& where, const std::string& name) {
    return where.empty() ? name : where + "." + name;
  }

  static const Key* find(const std::vector<const Key*>& keys, const std::string& name) {
    const auto found = std::find_if(keys.begin(), keys.end(),
                                    [&](const Key* key) { return last_name(*key) == name || last_name(*key) == "*"; });
    return found == keys.end() ? nullptr : *found;
  }

  void check_names(const Json& value, const std::vector<const Key*>& keys, const std::string& where) const {
    for (const auto& [name, entry] : value.items()) {
      if (find(keys, name)) continue;
      std::vector<std::string> known;
      known.reserve(keys.size());
      for (const Key* key : keys) known.emplace_back(last_name(*key));
      const auto nearest = nearest_name(name, known);
      if (!nearest.empty()) fail("{}: unknown key '{}'; did you mean '{}'?", file_, join(where, name), nearest);
      fail("{}: unknown key '{}'; known here: {}", file_, join(where, name), fmt::join(known, ", "));
    }
  }

  void check_value(const Key& key, Json& value, const std::string& where) const {
    const bool fits = std::any_of(std::begin(type_rows), std::end(type_rows),
                                  [&](const TypeRow& row) { return (key.types & row.type) && has_type(value, row); });
    if (!fits || !allowed_value(key, value)) {
      fail("{}: {}: found {}, needed is {}{}{}", file_, where, excerpt(value), value_text(key),
           key.unit.empty() ? "" : " in ", key.unit);
    }
    if (value.is_object()) check_object(value, child_path(key), where);
    if (!(key.types & objects)) return;
    for (std::size_t i = 0; i < value.size(); ++i)
      check_object(value[i], child_path(key), fmt::format("{}[{}]", where, i));
  }

  const std::string& file_;
};

// Whether the table lists the keys of a value under this key.
bool shows_children(const Key& key) {
  return (key.types & (object | objects)) && (key.like.empty() || key.like.starts_with('@'));
}

std::string presence_text(const Key& key) {
  switch (key.presence) {
    case Presence::required:
      return "required";
    case Presence::optional:
    case Presence::instead:
      return "optional";
    case Presence::one_of:
      return "one of these";
    case Presence::defaulted:
      return std::string(key.fallback);
  }
  return {};
}

void append_text(std::string& out, std::string_view spec, int depth) {
  for (const Key* key : children(spec)) {
    const std::string name = std::string(2 * depth, ' ') + std::string(last_name(*key));
    std::string unit(key->unit);
    out += fmt::format("{:<26} {:<36} {:<9} {:<14} {}\n", name, value_text(*key), unit, presence_text(*key), key->help);
    if (shows_children(*key)) append_text(out, child_path(*key), depth + 1);
  }
}

void append_markdown(std::string& out, std::string_view spec, const std::string& shown) {
  for (const Key* key : children(spec)) {
    const std::string path = shown.empty() ? std::string(last_name(*key)) : shown + "." + std::string(last_name(*key));
    out += fmt::format("| `{}` | {} | {} | {} | {} |\n", path, value_text(*key), key->unit,
                       key->presence == Presence::defaulted ? fmt::format("`{}`", key->fallback) : presence_text(*key),
                       key->help);
    if (shows_children(*key)) append_markdown(out, child_path(*key), key->types & objects ? path + "[]" : path);
  }
}

}  // namespace

std::string value_text(const Key& key) {
  std::string result;
  for (const auto& row : type_rows) {
    if (!(key.types & row.type)) continue;
    if (!result.empty()) result += " or ";
    const bool takes_text = row.type & (text | texts);
    if (takes_text && !key.allowed.choices.empty()) {
      result += (row.type == texts ? "list of " : "") + joined(key.allowed.choices);
    } else {
      result += row.name;
    }
    if (!takes_text && !(row.type & (object | objects))) result += interval(key.allowed);
  }
  return result;
}

void check_scene(Json& scene, const std::string& file) {
  if (!scene.is_object()) fail("{}: a scene is a JSON object, found {}", file, excerpt(scene));
  Checker(file).check_object(scene, "", "");
}

std::string schema_text() {
  std::string out =
      "A scene is a JSON file; // and /* */ comments are allowed. Numbers are in SI units, paths are relative to the "
      "scene file.\n"
      "Nested keys are indented.\n\n";
  out += fmt::format("{:<26} {:<36} {:<9} {:<14} {}\n", "key", "value", "unit", "default", "meaning");
  append_text(out, "", 0);
  return out;
}

std::string schema_markdown() {
  std::string out = "| key | value | unit | default | meaning |\n|---|---|---|---|---|\n";
  append_markdown(out, "", "");
  return out;
}

}  // namespace proxima::model
