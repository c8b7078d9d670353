// Decompositions of 3x3 matrices as formulas without branches and iterations, for vector registers. Operands and parts
// are those of the operators of the same name, see compiler/ir/spectral.hpp; internal to this room.
//
// All rest on one eigenvector that can be had in closed form to full accuracy: that of the eigenvalue of a symmetric
// matrix that lies farthest from the other two (Eberly, "A Robust Eigensolver for 3x3 Symmetric Matrices", 2014, whose
// trigonometric root is replaced by a polynomial and a Newton step). What remains is one exact plane rotation.
#pragma once

#include <vector>

#include "compiler/emit/target.hpp"
#include "compiler/ir/expression.hpp"

namespace proxima::emit {

using Numbers = std::vector<ir::Expression>;

Numbers signed_svd(const Numbers& A, Precision precision);
Numbers polar_rotation(const Numbers& A, Precision precision);
Numbers symmetric_eigen(const Numbers& a, Precision precision);
Numbers svd_compose(const Numbers& x);
Numbers eigen_compose(const Numbers& x);

}  // namespace proxima::emit
