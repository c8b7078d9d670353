#include "runtime/contact/cuda_face.hpp"

#include <array>
#include <vector>

#include "kernels/kernels.hpp"
#include "runtime/contact/slip_system.hpp"
#include "runtime/device/cuda_upload.hpp"

namespace proxima::contact {
namespace {

constexpr std::size_t block = kernels::vector_block;

// As in kernels/dense.cu.
struct Slip {
  std::array<double, 3> direction, force;
  std::int32_t contact, whole;
};

device::CudaFunction function_of(const device::CudaAlgebra& algebra, const char* symbol) {
  return algebra.engine().compile_text("dense.cu", kernels::asset_dense_cu())->function(symbol);
}

int number(std::size_t count) { return static_cast<int>(count); }

}  // namespace

std::unique_ptr<CudaFace> CudaFace::make(const std::shared_ptr<device::CudaAlgebra>& algebra, const Face& face) {
  const DecomposedFace* decomposed = face.decomposed();
  if (decomposed == nullptr || !decomposed->exists() || decomposed->slip_system().whole() == nullptr) return nullptr;
  return std::unique_ptr<CudaFace>(new CudaFace(algebra, face));
}

CudaFace::CudaFace(const std::shared_ptr<device::CudaAlgebra>& algebra, const Face& face)
    : algebra_(algebra),
      multiply_(function_of(*algebra, "multiply_panel")),
      multiply_transposed_(function_of(*algebra, "multiply_transposed_panel")),
      sides_(function_of(*algebra, "slip_sides")),
      forces_(function_of(*algebra, "slip_forces")),
      lu_(algebra, *face.decomposed()->slip_system().whole()),
      sticks_(number(face.decomposed()->stick().size())),
      slips_(number(face.decomposed()->slip().size())),
      leading_(static_cast<int>(face.decomposed()->eliminated().leading())) {
  const DecomposedFace& decomposed = *face.decomposed();
  const std::vector<std::int32_t> stick(decomposed.stick().begin(), decomposed.stick().end());
  const auto slip = decomposed.slip();
  std::vector<Slip> rows;
  std::vector<std::int32_t> first(slip.size() + 1);
  for (const SlipRow& row : decomposed.slip_system().rows()) {
    const FaceContact& contact = face.contacts()[slip[row.contact]];
    rows.push_back(
        {row.turns ? contact.turn : contact.fixed, row.force, number(row.contact), number(slip[row.contact])});
    first[row.contact + 1] = number(rows.size());
  }
  device::CudaEngine& engine = algebra->engine();
  stick_ = device::uploaded_own(engine, stick);
  if (sticks_ > 0)
    panel_ = device::uploaded_own(
        engine, std::span(decomposed.eliminated().column(0), stick.size() * static_cast<std::size_t>(leading_)));
  rows_ = device::uploaded_own(engine, rows);
  first_ = device::uploaded_own(engine, first);
  const auto vector = [&](std::size_t size) { return device::CudaVector(algebra, size); };
  at_sticks_ = vector(3 * stick.size());
  above_ = vector(3 * (stick.size() + slip.size()));
  unknowns_ = vector(rows.size());
}

void CudaFace::forces(const device::CudaVector& u, device::CudaVector& result) {
  device::set_zero(result);
  const int rows = sticks_ + slips_, at_sticks = 3 * sticks_;
  algebra_->nodes_to_rows.each(at_sticks_.size(), block, at_sticks_.array(), u.array(), stick_, at_sticks);
  if (sticks_ > 0)
    multiply_((static_cast<std::size_t>(rows) + kernels::panel_rows - 1) / kernels::panel_rows, block, above_.array(),
              panel_, leading_, rows, sticks_, at_sticks_.array());
  else
    device::set_zero(above_);
  if (slips_ > 0) {
    sides_.each(unknowns_.size(), block, unknowns_.array(), rows_, u.array(), above_.array(), sticks_,
                number(unknowns_.size()));
    lu_.solve(unknowns_);
    forces_.each(static_cast<std::size_t>(slips_), block, result.array(), above_.array(), rows_, first_,
                 unknowns_.array(), sticks_, slips_);
  }
  if (sticks_ == 0) return;
  multiply_transposed_(static_cast<std::size_t>(sticks_), kernels::panel_column_block, at_sticks_.array(), panel_,
                       leading_, rows, above_.array());
  algebra_->rows_to_nodes.each(at_sticks_.size(), block, result.array(), at_sticks_.array(), stick_, at_sticks);
}

}  // namespace proxima::contact
