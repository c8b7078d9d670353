#include "runtime/solve/precondition/cuda_deflation.hpp"

#include "kernels/kernels.hpp"
#include "runtime/solve/precondition/deflation_cycle.hpp"

namespace proxima::solve {
namespace {

constexpr std::size_t lanes = BlockMatrix<float>::lanes, warp = 32;

}  // namespace

CudaDeflation::Kernels::Kernels(const device::CudaModule& module)
    : residual(module.function("residual")),
      begin_smoothing(module.function("begin_smoothing")),
      end_smoothing(module.function("end_smoothing")),
      enter(module.function("enter")),
      add_entered(module.function("add_entered")),
      leave(module.function("leave")),
      turn(module.function("turn")) {}

CudaDeflation::CudaDeflation(std::shared_ptr<device::CudaAlgebra> algebra, const Deflation& of, Constant nodes)
    : algebra_(std::move(algebra)),
      kernels_(*algebra_->engine().compile_text("deflation.cu", kernels::deflation_text())),
      rows_(static_cast<int>(of.matrix().rows())),
      mode_count_(static_cast<int>(of.modes().values().size())),
      omega_(of.omega()),
      coefficients_(of.smoother().coefficients()),
      nodes_(std::move(nodes)),
      right_(algebra_, 3 * of.matrix().rows()),
      solution_(device::like(right_)),
      rest_(device::like(right_)),
      smoothed_(device::like(right_)) {
  device::CudaEngine& engine = algebra_->engine();
  const auto constant = [&](const auto& values) { return engine.constant(std::as_bytes(values)); };
  first_ = constant(of.matrix().first());
  columns_ = constant(of.matrix().columns());
  entries_ = constant(of.matrix().entries());
  matrix_ = {first_->address(), columns_->address(), entries_->address(), rows_};
  inverse_ = constant(of.smoother().inverse());
  first_edge_ = constant(of.frames().first());
  edges_ = constant(of.frames().edges());
  modes_ = constant(of.modes().vectors());
  values_ = constant(of.modes().values());
  rotations_ = engine.device().upload(std::as_bytes(of.frames().rotations()));
  products_ = engine.device().allocate(values_->bytes());
}

void CudaDeflation::turn(In x) {
  kernels_.turn.each(static_cast<std::size_t>(rows_), kernels::turn_block, rotations_, x.array(), *nodes_, *first_edge_,
                     *edges_, rows_);
}

// As deflation_cycle.hpp wants them.
struct CudaDeflation::Parts {
  using In = CudaDeflation::In;
  using Out = CudaDeflation::Out;
  CudaDeflation& m;
  factor::CudaFactor& a;

  std::size_t rows() const { return static_cast<std::size_t>(m.rows_); }
  // A launch with a warp a tile of K.
  template <class... Arguments>
  void by_tiles(const device::CudaFunction& kernel, const Arguments&... arguments) {
    kernel.each(warp * ((rows() + lanes - 1) / lanes), kernels::tile_block, arguments...);
  }
  // z <- base + S r; base: an address, 0 for nothing.
  void smooth_onto(std::uint64_t base, In r, Out z) {
    const auto [first, own, update] = m.coefficients_;
    m.kernels_.begin_smoothing.each(rows(), kernels::vector_block, m.smoothed_.array(), *m.inverse_, r.array(), first,
                                    m.rows_);
    by_tiles(m.kernels_.end_smoothing, z.array(), base, m.matrix_, *m.inverse_, r.array(), m.smoothed_.array(), own,
             update);
  }
  void residual_in(std::uint64_t rotations, In r, In z, Out rest) {
    by_tiles(m.kernels_.residual, rest.array(), m.matrix_, rotations, r.array(), z.array());
  }

  void smooth(In r, Out z) { smooth_onto(0, r, z); }
  void residual(In r, In z, Out rest) { residual_in(0, r, z, rest); }
  void leave_residual(In r, In z, Out rest) { residual_in(m.rotations_.address(), r, z, rest); }
  void solve(Out rest) { a.solve(rest, rest); }
  void add_entered(In rest, Out z) {
    m.kernels_.add_entered.each(rows(), kernels::vector_block, z.array(), m.rotations_, rest.array(), m.omega_,
                                m.rows_);
  }
  void add_smoothed(In rest, Out z) { smooth_onto(z.array().address(), rest, z); }
};

void CudaDeflation::apply(factor::CudaFactor& a, In r, Out z) {
  const auto rows = static_cast<std::size_t>(rows_);
  kernels_.enter.each(rows, kernels::vector_block, right_.array(), rotations_, r.array(), *nodes_, rows_);
  Parts parts{*this, a};
  two_level_cycle(parts, right_, solution_, rest_);
  algebra_->dot_rows(*modes_, static_cast<std::size_t>(mode_count_), right_, products_);
  device::set_zero(z);
  kernels_.leave.each(rows, kernels::vector_block, z.array(), rotations_, solution_.array(), *modes_, products_,
                      *values_, mode_count_, *nodes_, rows_);
}

}  // namespace proxima::solve
