// Where energy, stress and Hessian are finite: at ordinary deformations (all of them, or it is an error), flat and
// inverted elements (as the author likes), and what stops being finite first, by the author's line.
#include <cmath>

#include "compiler/check/checks.hpp"

namespace proxima::check {
namespace {

// The last point on the way from rest to a state where all is finite, to a share of 1e-9 of the way. Nothing when only
// the end itself is not, as where a derivative is singular in a point.
std::optional<Vector> edge_of_domain(const Context& context, const Vector& outside) {
  const Vector& rest = context.space.rest();
  const auto at = [&](double t) -> Vector { return rest + t * (outside - rest); };
  double inside = 0, beyond = 1;
  for (int halving = 0; halving < 30; ++halving) {
    const double middle = (inside + beyond) / 2;
    (context.response.not_finite(at(middle)) ? beyond : inside) = middle;
  }
  constexpr double point = 1e-8;
  if (1 - inside < point && !context.response.not_finite(at(1 + 1e-6))) return std::nullopt;
  return at(inside);
}

// An energy may end where its stress grows without bound, as that of a limited extension does: that holds the element
// inside. An edge that nothing guards is a mistake.
void explain(Context& context, const State& state, const std::string& why) {
  const Vector strain = context.space.at(state.A);
  constexpr double guarded = 1e4;
  const auto edge = edge_of_domain(context, strain);
  if (!edge) {
    context.find(Severity::error, strain, "{}: at {} ({}), though not beside it", why, context.space.text(strain),
                 state.name);
    return;
  }
  const double stress = context.response.stress(*edge).cwiseAbs().maxCoeff();
  if (stress > guarded * context.rest.scale)
    context.find(Severity::note, strain, "the energy ends at {}, where its stress grows without bound; beyond it {}",
                 context.space.text(*edge), why);
  else
    context.find(Severity::error, strain,
                 "{}: at {} ({}), an ordinary deformation, and nothing keeps an element from it", why,
                 context.space.text(strain), state.name);
}

// Deformations that some energies are meant for and others not: facts, not findings.
struct Special {
  unsigned measures;
  const char* key;
  const char* label;
  Matrix3 A;
};
const Special specials[] = {
    {solid, "flat", "flat element, J = 0", stretch(1, 1, 0)},
    {solid, "inverted", "inverted element, J < 0", stretch(0.9, 1.1, -0.8)},
    {solid, "mirrored", "mirrored element, J = -1", stretch(1, 1, -1)},
    {surface, "line", "surface pressed to a line", stretch(1, 0, 1)},
    {surface | edge, "point", "pressed to a point", stretch(0, 0, 0)},
    {stencil, "flat", "stencil pressed into a plane", stretch(1, 1, 0)},
};

}  // namespace

void check_domain(Context& context) {
  constexpr int random = 60;
  std::vector<State> tried = states();
  for (State& state : random_states(random)) tried.push_back(std::move(state));
  int finite = 0;
  bool explained = false;
  for (const State& state : tried) {
    const auto why = context.response.not_finite(context.space.at(state.A));
    finite += why ? 0 : 1;
    if (!why || explained) continue;
    explained = true;
    explain(context, state, *why);
  }
  context.fact("ordinary", "ordinary deformations that are inside", fmt::format("{} of {}", finite, tried.size()));
  for (const Special& special : specials)
    if (context.is(special.measures)) {
      const auto why = context.response.not_finite(context.space.at(special.A));
      context.fact(special.key, special.label, why ? *why : "finite");
    }
}

}  // namespace proxima::check
