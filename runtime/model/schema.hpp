// The one specification of the scene file: every key with its type, unit, default, allowed values and a sentence of
// help. The same table checks a scene, fills in its defaults, prints `proxima schema` and makes the reference in
// docs/scene.md. Checks form only: whether a selection selects anything or an energy has a parameter is seen when the
// model is built.
#pragma once

#include <limits>
#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string>
#include <string_view>

namespace proxima::model {

// What a value may be; a key may allow several.
enum Type : unsigned {
  number = 1,
  integer = 2,
  text = 4,
  vector3 = 8,  // [x, y, z]
  integers3 = 16,
  integers = 32,  // a list of any length
  texts = 64,
  object = 128,
  objects = 256,  // a list of objects
  integers2 = 512,
  integer_lists = 1024,
  boolean = 2048,
};

// Bounds on a number (or on each number of a list), or the texts that are allowed.
struct Allowed {
  double lower = -std::numeric_limits<double>::infinity();
  double upper = std::numeric_limits<double>::infinity();
  bool lower_open = false, upper_open = false;
  std::string_view choices;  // "fp32|fp64"; empty: any text
};

// How a key behaves when it is absent. `fallback` is JSON text and goes with `defaulted` only.
enum class Presence {
  required,
  optional,
  one_of,   // exactly one of the keys so marked in an object
  instead,  // optional; beside it there may be none of those
  defaulted,
};

struct Key {
  std::string_view path;  // "materials[].density"; "*" stands for any name
  unsigned types;
  std::string_view unit;
  Presence presence;
  std::string_view fallback;
  Allowed allowed;
  std::string_view help;
  std::string_view like = {};  // an object whose keys are listed under this path instead of its own; the
                               // table shows them here where the path begins with '@'
};

// Parents come before their children. Paths that begin with '@' are shared shapes which `like` refers to.
std::span<const Key> scene_keys();

// Checks a parsed scene and adds the defaults, in place. Throws Error: "FILE: PATH: what was found, what is allowed",
// and for an unknown key the nearest known one.
void check_scene(nlohmann::ordered_json& scene, const std::string& file);

// The table for a terminal and as Markdown.
std::string schema_text();
std::string schema_markdown();

// "number > 0", "integer >= 1", "fp32 or fp64", "[x, y, z]": type and allowed values of a key.
std::string value_text(const Key& key);

}  // namespace proxima::model
