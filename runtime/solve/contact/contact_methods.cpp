#include "runtime/solve/contact/contact_methods.hpp"

#include <algorithm>

#include "compiler/support/error.hpp"

namespace proxima::solve {
namespace {

constexpr ContactMethodRow table[] = {
    {Method::automatic, FaceSteps::when_slow, Longer::by_pairs},
    {Method::newton, FaceSteps::at_once, Longer::by_mixing},
    {Method::anderson, FaceSteps::never, Longer::by_mixing},
    {Method::lbfgs, FaceSteps::never, Longer::by_pairs},
    {Method::admm, FaceSteps::when_slow, Longer::not_at_all},
};

}  // namespace

const ContactMethodRow& contact_method_row(Method method) {
  return *std::find_if(std::begin(table), std::end(table), [&](const auto& row) { return row.method == method; });
}

void require_for_penalties(Method method) {
  if (contact_method_row(method).longer == Longer::not_at_all)
    fail("solver '{}' has no form for contact by penalties, which move with positions; the others have",
         method_entry(method).name);
}

}  // namespace proxima::solve
