// Random small shapes, the same in every run.
#pragma once

#include <gtest/gtest.h>

#include <random>
#include <string>

#include "runtime/contact/nearest.hpp"

namespace proxima::test {

inline std::string kind_name(const testing::TestParamInfo<model::ContactKind>& info) {
  return info.param == model::ContactKind::vertex_face ? "VertexFace" : "EdgeEdge";
}

class RandomPoints {
 public:
  explicit RandomPoints(unsigned seed) : generator_(seed) {}

  double number(double lower = -1, double upper = 1) {
    return std::uniform_real_distribution<double>(lower, upper)(generator_);
  }
  mesh::Vector3 point(double size = 1) { return {number(-size, size), number(-size, size), number(-size, size)}; }
  contact::Four four(double size = 1) { return {point(size), point(size), point(size), point(size)}; }

 private:
  std::mt19937 generator_;
};

}  // namespace proxima::test
