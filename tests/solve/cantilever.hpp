// The problem that solvers are measured on: a twisted cantilever let go.
#pragma once

#include <vector>

#include "runtime/model/model.hpp"

namespace proxima::bodies {

// 0.2 x 0.06 x 0.06 m in cubes of 0.01 m (4 320 tets), held at x = 0, twisted about its axis by up to 1.5 rad, at rest,
// gravity 9.8 m/s^2 along -z, h = 0.01 s, 1000 kg/m^3. log_neo_hookean with E = 1e5 Pa, in the middle third `contrast`
// times as much.
model::Model make_twisted_cantilever(double contrast, double poisson);

// Of every node, 3 a node, N.
std::vector<double> weight(const model::Model& model);

}  // namespace proxima::bodies
