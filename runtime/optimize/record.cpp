#include "runtime/optimize/record.hpp"

#include <algorithm>

#include "compiler/support/bytes.hpp"

namespace proxima::optimize {
namespace {

// Of two steps, 0: none.
std::int64_t earlier(std::int64_t a, std::int64_t b) { return a == 0 || b == 0 ? std::max(a, b) : std::min(a, b); }

}  // namespace

Cost& Cost::operator+=(const Cost& other) {
  seconds_forward += other.seconds_forward;
  seconds_backward += other.seconds_backward;
  a_solves_forward += other.a_solves_forward;
  a_solves_backward += other.a_solves_backward;
  worst_step_residual = std::max(worst_step_residual, other.worst_step_residual);
  worst_adjoint_residual = std::max(worst_adjoint_residual, other.worst_adjoint_residual);
  negative_curvature_steps += other.negative_curvature_steps;
  first_negative_curvature = earlier(first_negative_curvature, other.first_negative_curvature);
  filtered_steps += other.filtered_steps;
  first_filtered = earlier(first_filtered, other.first_filtered);
  kink_steps += other.kink_steps;
  first_kink = earlier(first_kink, other.first_kink);
  worst_exact_residual = std::max(worst_exact_residual, other.worst_exact_residual);
  worst_loss_error = std::max(worst_loss_error, other.worst_loss_error);
  worst_adjoint_error = std::max(worst_adjoint_error, other.worst_adjoint_error);
  worst_forward_error = std::max(worst_forward_error, other.worst_forward_error);
  return *this;
}

std::string pack(const Record& record) {
  Packer packer;
  packer.put(record.start);
  packer.put_counted(record.point);
  packer.put(record.found.value);
  packer.put_counted(record.found.gradient);
  packer.put_counted(record.failure);
  packer.put(record.cost);
  return std::move(packer).bytes();
}

Record unpack(std::string_view bytes) {
  Unpacker unpacker(bytes);
  Record record;
  record.start = unpacker.get<int>();
  record.point = unpacker.get_doubles();
  record.found.value = unpacker.get<double>();
  record.found.gradient = unpacker.get_doubles();
  record.failure = unpacker.get_text();
  record.cost = unpacker.get<Cost>();
  return record;
}

}  // namespace proxima::optimize
