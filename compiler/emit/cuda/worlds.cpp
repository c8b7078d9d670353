#include "compiler/emit/cuda/worlds.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <regex>
#include <stdexcept>
#include <vector>

namespace proxima::emit {
namespace {

// An argument's name is its last word; what is before it, but for __restrict__, is its type.
std::string type_of(const std::string& argument) {
  static const std::regex parts(R"(^\s*(.*?)\s*(?:__restrict__\s+)?\w+\s*$)");
  return std::regex_replace(argument, parts, "$1");
}

std::vector<std::string> arguments_of(const std::string& list) {
  std::vector<std::string> result;
  for (std::size_t begin = 0; begin < list.size();) {
    const std::size_t end = std::min(list.find(',', begin), list.size());
    result.push_back(list.substr(begin, end - begin));
    begin = end + 1;
  }
  return result;
}

std::size_t count_of(const std::string& text, const std::string& word) {
  std::size_t count = 0;
  for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) ++count;
  return count;
}

}  // namespace

std::string for_worlds(const std::string& text) {
  static const std::regex head(R"re(extern "C" __global__ void (__launch_bounds__\([^)]*\))\s*(\w+)\(([^)]*)\) \{)re");
  std::string kernels, result;
  std::size_t found = 0;
  auto rest = text.cbegin();
  for (std::sregex_iterator at(text.begin(), text.end(), head), end; at != end; ++at, ++found) {
    const std::string bounds = (*at)[1], name = (*at)[2], list = (*at)[3];
    result.append(rest, (*at)[0].first);
    result += fmt::format("static __device__ __forceinline__ void {}_of_one({}) {{", name, list);
    rest = (*at)[0].second;
    std::string members, values;
    for (const std::string& argument : arguments_of(list)) {
      const std::string member = fmt::format("argument{}", std::count(members.begin(), members.end(), ';'));
      members += fmt::format("  alignas(8) {} {};\n", type_of(argument), member);
      values += (values.empty() ? "row." : ", row.") + member;
    }
    kernels += fmt::format(
        "\nstruct {0}_row {{\n  long long blocks;\n{1}}};\n"
        "extern \"C\" __global__ void {2} {0}(const {0}_row *__restrict__ table) {{\n"
        "  const {0}_row &row = table[blockIdx.y];\n  if (blockIdx.x >= row.blocks) return;\n"
        "  {0}_of_one({3});\n}}\n",
        name, members, bounds, values);
  }
  result.append(rest, text.cend());
  if (count_of(text, "gridDim") > 0)
    throw std::logic_error("a kernel that is to work for many worlds has as many blocks as the largest of them");
  if (found == 0 || found != count_of(text, "__global__"))
    throw std::logic_error("a kernel that is to work for many worlds does not begin as it must");
  return result + kernels;
}

}  // namespace proxima::emit
