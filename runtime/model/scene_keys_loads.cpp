#include "runtime/model/scene_key_parts.hpp"

namespace proxima::model {

using namespace keys;

std::span<const Key> load_keys() {
  static constexpr Key all[] = {
      {"dirichlet", objects, "", defaulted, "[]", any, "Nodes that are held, or moved as a rigid body."},
      {"dirichlet[].select", text | object, "", required, "", one_of("all"), "Which nodes.", "@selection"},
      {"dirichlet[].pivot", vector3, "m", defaulted, "[0, 0, 0]", any, "The point that rotations turn about."},
      {"dirichlet[].motion", objects, "", defaulted, "[]", any,
       "Key frames, linear in between, constant outside; none: the nodes stay where they are."},
      {"dirichlet[].motion[].time", number, "s", required, "", any, "When; must increase from one to the next."},
      {"dirichlet[].motion[].translation", vector3, "m", defaulted, "[0, 0, 0]", any, "Displacement from rest."},
      {"dirichlet[].motion[].rotation", vector3, "rad", defaulted, "[0, 0, 0]", any, "Axis times angle, from rest."},

      {"forces", objects, "", defaulted, "[]", any, "Forces on nodes."},
      {"forces[].select", text | object, "", required, "", one_of("all"), "Which nodes.", "@selection"},
      {"forces[].force", vector3, "N", choice, "", any, "On each of the nodes."},
      {"forces[].total", vector3, "N", choice, "", any, "Shared equally by the nodes."},
      {"forces[].traction", vector3, "Pa", choice, "", any,
       "Per area at rest, on the triangles of the surface whose nodes are all selected."},
      {"forces[].begin", number, "s", defaulted, "0", any, "Acts in steps that end after this time ..."},
      {"forces[].end", number, "s", optional, "", any, "... and not after this one; left out: to the end."},
      {"forces[].factor", objects, "", optional, "", any,
       "The force varies in time by this: linear in between, constant outside; a step takes the value at its end."},
      {"forces[].factor[].time", number, "s", required, "", any, "When; must increase from one to the next."},
      {"forces[].factor[].value", number, "", required, "", any, "The factor then."},

      {"pressures", objects, "", defaulted, "[]", any, "Pressures that follow the surface they are on."},
      {"pressures[].select", text | object, "", required, "", one_of("all"),
       "On the triangles of the surface whose nodes are all among these.", "@selection"},
      {"pressures[].value", number, "Pa", choice, "", any,
       "Presses where it is positive, inflates a body from inside its cavity."},
      {"pressures[].keyframes", objects, "", choice, "", any,
       "Varies in time: linear in between, constant outside; a step takes the value at its end."},
      {"pressures[].keyframes[].time", number, "s", required, "", any, "When; must increase from one to the next."},
      {"pressures[].keyframes[].value", number, "Pa", required, "", any, "The pressure then."},

      {"hydrodynamics", objects, "", defaulted, "[]", any,
       "Drag and thrust of a fluid on the surface, by each triangle's velocity against it at the start of a step."},
      {"hydrodynamics[].select", text | object, "", defaulted, "\"all\"", one_of("all"),
       "On the triangles of the surface whose nodes are all among these.", "@selection"},
      {"hydrodynamics[].density", number, "kg/m^3", defaulted, "1000", above(0), "Of the fluid."},
      {"hydrodynamics[].flow", vector3, "m/s", defaulted, "[0, 0, 0]", any, "Its velocity."},
      {"hydrodynamics[].drag", objects, "", required, "", any,
       "The coefficient along the flow, by the angle of attack: linear in between, constant outside."},
      {"hydrodynamics[].drag[].angle", number, "rad", required, "", any,
       "Between the flow and the triangle's plane, positive where it leaves the body; must increase."},
      {"hydrodynamics[].drag[].value", number, "", required, "", any, "The coefficient there."},
      {"hydrodynamics[].thrust", objects, "", required, "", any, "The coefficient against the normal, likewise."},
      {"hydrodynamics[].thrust[].angle", number, "rad", required, "", any, "As for drag."},
      {"hydrodynamics[].thrust[].value", number, "", required, "", any, "The coefficient there."},

      {"controllers", objects, "", defaulted, "[]", any,
       "User functions that set parameters of materials in every step, from the state at its start."},
      {"controllers[].name", text, "", required, "", any, "For messages and for optimize; no two alike."},
      {"controllers[].function", object, "", required, "", any, "What it computes.", "@function"},
      {"controllers[].drives", objects, "", required, "", any, "Which parameters it sets."},
      {"controllers[].drives[].output", text, "", defaulted, "\"\"", any,
       "Which output, when the function has several."},
      {"controllers[].drives[].materials", texts, "", required, "", any,
       "As many as the output has components, the first set by the first; an output of one component sets all of "
       "them."},
      {"controllers[].drives[].parameter", text, "", required, "", any,
       "Of these materials' energies; one value for all elements. The value that the material gives it is used where "
       "there is no step yet, as for the preconditioner."},
  };
  return all;
}

}  // namespace proxima::model
