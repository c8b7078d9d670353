#include "runtime/solve/contact_methods.hpp"

#include <algorithm>

#include "compiler/support/error.hpp"

namespace proxima::solve {
namespace {

constexpr ContactMethodRow table[] = {
    {Method::automatic, FaceSteps::when_slow, quasi_newton}, {Method::newton, FaceSteps::at_once, anderson_mixing},
    {Method::anderson, FaceSteps::never, anderson_mixing},   {Method::lbfgs, FaceSteps::never, quasi_newton},
    {Method::admm, FaceSteps::when_slow, nullptr},
};

}  // namespace

const ContactMethodRow& contact_method_row(Method method) {
  return *std::find_if(std::begin(table), std::end(table), [&](const auto& row) { return row.method == method; });
}

void require_for_penalties(Method method) {
  if (contact_method_row(method).accelerate == nullptr)
    fail("solver '{}' has no form for contact by penalties, which move with positions; the others have",
         method_entry(method).name);
}

}  // namespace proxima::solve
