// The energies of springs, attachments and pressures, written in the same language as those of authors.
#pragma once

#include <memory>

#include "compiler/ir/energy.hpp"

namespace proxima::model {

// k/2 (|x1 - x0| - l)^2 of two nodes; parameters stiffness k (N/m) and rest_length l (m).
std::shared_ptr<const ir::Energy> spring_energy();

// k/2 |x1 - x0|^2 of two nodes, a spring of no length; parameter stiffness (N/m).
std::shared_ptr<const ir::Energy> joint_energy();

// k/2 |x0 - p|^2 of a node; parameters stiffness (N/m) and the point p: x, y, z (m).
std::shared_ptr<const ir::Energy> anchor_energy();

// p times a sixth of x0 . (x1 x x2), the volume between a triangle and the origin: the potential of a pressure, where
// it has one (surface_load.hpp). Parameter pressure p (Pa), which may vary in time.
std::shared_ptr<const ir::Energy> pressure_energy();

}  // namespace proxima::model
