#include "compiler/support/xml.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

namespace proxima {
namespace {

constexpr std::pair<char, std::string_view> kEntities[] = {
    {'&', "&amp;"}, {'<', "&lt;"}, {'>', "&gt;"}, {'"', "&quot;"}};

}  // namespace

std::string escape_xml(std::string_view text) {
  std::string escaped;
  for (const char letter : text) {
    const auto entity = std::find_if(std::begin(kEntities), std::end(kEntities),
                                     [letter](const auto& entry) { return entry.first == letter; });
    entity == std::end(kEntities) ? escaped += letter : escaped += entity->second;
  }
  return escaped;
}

}  // namespace proxima
