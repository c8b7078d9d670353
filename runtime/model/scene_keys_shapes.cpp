#include "runtime/model/scene_key_parts.hpp"

namespace proxima::model {

using namespace keys;

std::span<const Key> shape_keys() {
  static constexpr Key all[] = {
      {"@energy[].energy", text, "", required, "", any, "The C++ file that defines the energy density."},
      {"@energy[].energy_name", text, "", defaulted, "\"\"", any, "Which energy, when the file defines several."},
      {"@energy[].form", text, "", defaulted, "\"as_written\"", one_of("as_written|proximal"),
       "As for a single energy."},
      {"@energy[].parameters", object, "", defaulted, "{}", any, "As for a single energy.", "@parameters"},
      {"@energy[].directions", object, "", defaulted, "{}", any, "As for a single energy.", "@directions"},
      {"@function.file", text, "", required, "", any, "The C++ file that defines it."},
      {"@function.name", text, "", defaulted, "\"\"", any, "Which function, when the file defines several."},
      {"@function.inputs", object, "", defaulted, "{}", any, "What each of its inputs is given, by the input's name.",
       "@observations"},
      {"@function.parameters", object, "", defaulted, "{}", any,
       "Values of parameters and weights by their names; those left out start as the file says.", "@weights"},
      {"@observations.*", text | object, "", optional, "", one_of("time"),
       "\"time\" (s, at the end of a controller's step), or what is seen of nodes."},
      {"@observations.*.of", text, "", required, "", one_of("position|displacement|velocity"),
       "m, m from rest, or m/s: three numbers."},
      {"@observations.*.select", text | object, "", required, "", one_of("all"), "The mean over these nodes.",
       "@selection"},
      {"@observations.*.each", boolean, "", defaulted, "false", any,
       "Instead of their mean each node by itself, in increasing order: three numbers a node."},
      {"@observations.*.mean", text, "", defaulted, "\"nodes\"", one_of("nodes|mass"),
       "All nodes count alike, or by their mass: then it is the centre of mass."},
      {"@observations.*.relative_to", text | object, "", optional, "", one_of("all"), "Minus the same mean of these.",
       "@selection"},
      {"@weights.*", number | object, "", optional, "", any, "One number for all its components, or a file."},
      {"@weights.*.file", text, "", required, "", any, "A text file of its components; of a matrix row by row."},
      {"@values.file", text, "", choice, "", any,
       "A text file of numbers, one for each element of the region in the order of the mesh."},
      {"@values.expression", text, "", choice, "", any,
       "A formula in x, y and z, the element's centroid at rest in the body's own coordinates (m): \"1e5 * (1 + 9*(x > "
       "0.05))\"."},
      {"@parameters.*", number | object, "", optional, "", any,
       "One value in the declared unit, {\"file\": ...} or {\"expression\": ...} for one value an element, or "
       "{\"keyframes\": ...}."},
      {"@parameters.*.file", text, "", choice, "", any, "As for a density."},
      {"@parameters.*.expression", text, "", choice, "", any, "As for a density."},
      {"@parameters.*.keyframes", objects, "", choice, "", any,
       "For a parameter that the energy declares as an actuation: linear in between, constant outside; a step takes "
       "the "
       "value at its end."},
      {"@parameters.*.keyframes[].time", number, "s", required, "", any, "When; must increase from one to the next."},
      {"@parameters.*.keyframes[].value", number, "", required, "", any, "In the declared unit."},
      {"@directions.*", vector3 | object, "", optional, "", any,
       "One vector of any length, {\"file\": ...} or {\"expression\": ...} for one an element."},
      {"@directions.*.file", text, "", choice, "", any,
       "A text file of numbers, three for each element of the region in the order of the mesh."},
      {"@directions.*.expression", texts, "", choice, "", any,
       "Three formulas, of its x, y and z, as for a density: [\"-y\", \"x\", \"0\"] goes around the z axis."},
      {"@region.box", object, "", choice, "", any, "A box along the axes.", "@box"},
      {"@region.sphere", object, "", choice, "", any, "A ball.", "@sphere"},
      {"@region.file", text, "", choice, "", any,
       "A text file of element numbers, from 0 among those of their shape in the mesh file."},
      {"@region.expression", text, "", choice, "", any,
       "The elements at whose centroids a formula in x, y and z (m) is not 0: \"x > 0 && y < x\"."},
      {"@selection.body", text, "", instead, "", any,
       "Only nodes of this body; alone, all of them. Needed with 'nodes' where there are several bodies."},
      {"@selection.box", object, "", choice, "", any, "The nodes whose rest position is inside a box.", "@box"},
      {"@selection.sphere", object, "", choice, "", any, "The nodes whose rest position is inside a ball.", "@sphere"},
      {"@selection.nodes", integers, "", choice, "", at_least(0),
       "Node numbers, from 0 in the order of the mesh file."},
      {"@selection.group", text | integer, "", choice, "", any, "The nodes of a physical group of the mesh file."},
      {"@box.lower", vector3, "m", required, "", any, "The corner with the smallest coordinates."},
      {"@box.upper", vector3, "m", required, "", any, "The corner with the largest coordinates."},
      {"@sphere.centre", vector3, "m", required, "", any, "Its centre."},
      {"@sphere.radius", number, "m", required, "", above(0), "Its radius."},
  };
  return all;
}

}  // namespace proxima::model
