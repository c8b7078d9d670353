#include "runtime/contact/pair_functions.hpp"

#include <memory>
#include <proxima/dsl.hpp>

#include "compiler/dsl/trace.hpp"
#include "runtime/contact/formulas.hpp"

namespace {

using namespace proxima::dsl;
namespace formula = proxima::contact::formula;

proxima::contact::Point<Scalar> point(const char* name) {
  const auto x = input<3>(name);
  return {x[0], x[1], x[2]};
}

template <std::size_t N>
void give(const proxima::contact::Terms<Scalar, N>& terms) {
  output("gap", terms.gap);
  output("normal", join(terms.normal[0], terms.normal[1], terms.normal[2]));
  output("weights", std::apply([](const auto&... weight) { return join(weight...); }, terms.weights));
}

PROXIMA_FUNCTION(proxima_contact_plane) {
  const auto p = point("p"), a = point("a"), b = point("b"), c = point("c");
  give(formula::plane(p, a, b, c));
}

PROXIMA_FUNCTION(proxima_contact_lines) {
  const auto a = point("a"), b = point("b"), c = point("c"), d = point("d");
  give(formula::lines(a, b, c, d));
}

PROXIMA_FUNCTION(proxima_contact_line) {
  const auto p = point("p"), a = point("a"), b = point("b");
  give(formula::line(p, a, b));
}

PROXIMA_FUNCTION(proxima_contact_point) {
  const auto p = point("p"), a = point("a");
  give(formula::point(p, a));
}

std::shared_ptr<const proxima::ir::Function> traced(const char* name) {
  return std::make_shared<const proxima::ir::Function>(find_function(name));
}

}  // namespace

namespace proxima::contact {

PairFunctions::PairFunctions(jit::Engine& engine)
    : functions_{BatchedFunction(traced("proxima_contact_plane"), engine),
                 BatchedFunction(traced("proxima_contact_lines"), engine),
                 BatchedFunction(traced("proxima_contact_line"), engine),
                 BatchedFunction(traced("proxima_contact_point"), engine)} {}

}  // namespace proxima::contact
