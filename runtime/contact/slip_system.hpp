// What is left of a face (face.hpp) where sticking contacts are eliminated: the forces of slipping ones. Its matrix has
// the rows fixed_i . S_ij force_j, S the scalar matrix between contacts.
//
// Few rows are an LU decomposition. Of many, what keeps gaps and what turns are a block each, symmetric but for what
// friction adds to the normal force, so that a Cholesky decomposition each and one product between them, again and
// again, solve the system: on a plane, where friction moves no gap, at once. That is an eighth of the operations.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "runtime/factor/dense.hpp"
#include "runtime/factor/dense_lu.hpp"
#include "runtime/mesh/vectors.hpp"

namespace proxima::contact {

using mesh::Vector3;

// Of the forces of a slipping contact one unknown p: it adds p * force, and the equation that belongs to it is
// fixed . (u - S F) = own * p.
struct SlipRow {
  std::size_t contact = 0;  // among those that slip
  Vector3 fixed{}, force{};
  double own = 0;
  bool turns = false;  // else its equation is that of the gap
};

// Rows that are decomposed as a whole by default; more are solved block by block where that converges (measured in
// docs/rooms/contact.md).
constexpr std::size_t most_rows_decomposed = 600;

class SlipSystem {
 public:
  // S: slips x slips, both triangles. Keeps a reference to it.
  SlipSystem(const factor::FrontMatrix& S, std::size_t slips, std::vector<SlipRow> rows,
             std::size_t most_decomposed = most_rows_decomposed);

  bool exists() const { return exists_; }  // whether there are such decompositions
  bool by_blocks() const { return !blocks_.empty(); }
  std::span<const SlipRow> rows() const { return rows_; }
  const factor::DenseLu* whole() const { return lu_ ? &*lu_ : nullptr; }  // null where it is solved block by block
  void solve(std::vector<double>& p) const;                               // one right-hand side, in place

 private:
  struct Block {
    std::vector<std::size_t> rows{};
    factor::FrontMatrix inverse{};  // of the Cholesky factor
  };

  bool decompose(bool turns, Block& block) const;
  bool decompose_blocks();
  void decompose_whole();
  // M p; of `from` alone where it is given.
  std::vector<double> product(const std::vector<double>& p, const Block* from = nullptr) const;
  void solve_block(const Block& block, std::vector<double>& p) const;
  void precondition(std::vector<double>& p) const;

  const factor::FrontMatrix& S_;
  std::size_t slips_;
  std::vector<SlipRow> rows_;
  std::vector<Block> blocks_;  // two, in the order in which they are solved, or none
  std::optional<factor::DenseLu> lu_;
  bool exists_ = false;
};

}  // namespace proxima::contact
