// Bodies in equilibrium, held where a closed form has them.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "runtime/model/model.hpp"

namespace proxima::bodies {

using Field = std::function<mesh::Vector3(const mesh::Vector3&)>;  // from rest positions

// An energy of dsl_examples/FILE.cpp.
std::shared_ptr<const ir::Energy> shipped(const std::string& file, const std::string& name = "");

// These elements on the nodes of the mesh, of one energy whose parameters have one value each; quasi-static, one step.
model::Model make_quasi_static(mesh::Mesh mesh, mesh::Elements elements, std::shared_ptr<const ir::Energy> energy,
                               const std::vector<double>& parameters);

// Holds a node where the field takes it.
void hold(model::Model& model, std::size_t node, const Field& field);

std::vector<double> positions_of(const model::Model& model, const Field& field);  // 3 a node
std::vector<double> equilibrium(const model::Model& model);                       // positions, 3 a node

double largest_distance(const std::vector<double>& a, const std::vector<double>& b);

}  // namespace proxima::bodies
