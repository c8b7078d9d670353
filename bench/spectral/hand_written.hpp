// Decompositions written by hand with vector intrinsics, in double precision: what the generated ones are compared
// with. They are the usual fast methods, with the usual restrictions, and less accurate; the benchmark prints by how
// much.
#pragma once

#include <cstdint>

namespace proxima::bench {

// Matrices and results as in element fields: [tile][component][lane].
struct HandWrittenDecompositions {
  int lanes;
  // McAdams, Selle, Tamstorf, Teran and Sifakis, "Computing the singular value decomposition of 3x3 matrices with
  // minimal branching and elementary floating point operations" (2011): Jacobi sweeps on A^T A with approximate
  // rotations kept as a quaternion; U by orthogonalising A V. 21 parts. For matrices of rank 2 or 3 and moderate size.
  void (*svd)(const double* A, double* parts, std::int64_t tiles);
  // Hoger and Carlson, "Determination of the stretch and rotation in the polar decomposition of the deformation
  // gradient" (1984): eigenvalues of A^T A in closed form, U^-1 as a polynomial in A^T A, R = A U^-1. For det A > 0.
  void (*polar)(const double* A, double* R, std::int64_t tiles);
};

namespace avx512 {
extern const HandWrittenDecompositions decompositions;
}
namespace avx2 {
extern const HandWrittenDecompositions decompositions;
}

}  // namespace proxima::bench
