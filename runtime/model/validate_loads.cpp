#include "runtime/model/validate_loads.hpp"

#include <algorithm>
#include <cmath>

#include "compiler/support/error.hpp"

namespace proxima::model {
namespace {

template <class Nodes>
void check_nodes(const Nodes& nodes, std::size_t count, const std::string& who) {
  for (const auto node : nodes)
    if (node < 0 || static_cast<std::size_t>(node) >= count)
      fail("{}: node {} does not exist, the mesh has nodes 0 to {}", who, node, count - 1);
}

bool is_finite(const Vector3& v) { return std::isfinite(v[0]) && std::isfinite(v[1]) && std::isfinite(v[2]); }

// `place` and `value` are the members of an entry.
template <class Entry>
void check_table(const std::vector<Entry>& table, double Entry::* place, double Entry::* value,
                 const std::string& who) {
  if (table.empty()) fail("{} is empty, at least one value is needed", who);
  for (std::size_t k = 0; k < table.size(); ++k) {
    if (!std::isfinite(table[k].*place) || !std::isfinite(table[k].*value)) fail("{}: entry {} is not finite", who, k);
    if (k > 0 && table[k].*place <= table[k - 1].*place)
      fail("{}: entry {} is at {}, after one at {}; they must increase", who, k, table[k].*place, table[k - 1].*place);
  }
}

struct CheckKind {
  const std::string& who;

  void operator()(const FollowerPressure& load) const {
    check_table(load.pressure, &SignalKey::time, &SignalKey::value, who + ": its pressure");
  }
  void operator()(const Hydrodynamics& load) const {
    using Coefficient = Hydrodynamics::Coefficient;
    if (!(load.density > 0) || !std::isfinite(load.density))
      fail("{}: the density of the fluid is {} kg/m^3, it must be above 0", who, load.density);
    if (!is_finite(load.flow)) fail("{}: the velocity of the fluid is not finite", who);
    check_table(load.drag, &Coefficient::angle, &Coefficient::value, who + ": its drag coefficient");
    check_table(load.thrust, &Coefficient::angle, &Coefficient::value, who + ": its thrust coefficient");
  }
};

}  // namespace

void check_loads(const Model& model) {
  const std::size_t nodes = model.mesh.nodes.size();
  for (std::size_t f = 0; f < model.forces.size(); ++f) {
    check_nodes(model.forces[f].nodes, nodes, fmt::format("force {}", f));
    if (!is_finite(model.forces[f].force)) fail("force {} is not finite", f);
    if (const auto& factor = model.forces[f].factor; !factor.empty())
      check_table(factor, &SignalKey::time, &SignalKey::value, fmt::format("force {}: its factor", f));
    const auto& share = model.forces[f].share;
    if (!share.empty() && share.size() != model.forces[f].nodes.size())
      fail("force {} has {} shares for {} nodes", f, share.size(), model.forces[f].nodes.size());
  }
  for (std::size_t k = 0; k < model.surface_loads.size(); ++k) {
    const auto& load = model.surface_loads[k];
    const auto who = fmt::format("surface load {}", k);
    check_nodes(load.triangles.nodes, nodes, who);
    std::visit(CheckKind{who}, load.kind);
    if (!integrator_row(model.integrator).inertia)
      fail(
          "{}: a load that is taken at the start of a step has no place in a quasi-static model, whose states are "
          "balanced at its end; a pressure needs a surface that is closed or whose rim is held",
          who);
  }
}

}  // namespace proxima::model
