#include "runtime/model/schema.hpp"

#include <fmt/format.h>

#include "apps/proxima/commands.hpp"

namespace proxima::app {

int schema(bool markdown) {
  fmt::print("{}", markdown ? model::schema_markdown() : model::schema_text());
  return 0;
}

}  // namespace proxima::app
