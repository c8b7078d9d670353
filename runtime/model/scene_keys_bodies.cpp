#include "runtime/model/scene_key_parts.hpp"

namespace proxima::model {

using namespace keys;

std::span<const Key> body_keys() {
  static constexpr Key all[] = {
      {"mesh", object, "", choice, "", any, "Of a scene with one body: a file, or a shape that is generated."},
      {"mesh.file", text, "", choice, "", any, "A .msh, .vtk, .vtu, .node or .ele file of linear elements."},
      {"mesh.box", object, "", choice, "", any, "A box of cubes."},
      {"mesh.box.cells", integers3, "", required, "", at_least(1), "Number of cubes along x, y and z."},
      {"mesh.box.lower", vector3, "m", required, "", any, "The corner with the smallest coordinates."},
      {"mesh.box.upper", vector3, "m", required, "", any, "The corner with the largest coordinates."},
      {"mesh.box.elements", text, "", defaulted, "\"tetrahedra\"", one_of("tetrahedra|hexahedra"),
       "The cubes as they are, or each cut into six tetrahedra."},
      {"mesh.box.where", text, "", optional, "", any,
       "A formula in x, y and z (m): cubes at whose centres it is 0 are left out. "
       "\"abs(sqrt(x*x + y*y) - 0.4) < 0.1\" leaves a ring."},
      {"mesh.ball", object, "", choice, "", any, "A solid ball."},
      {"mesh.ball.layers", integer, "", required, "", at_least(1), "Number of shells; 20 layers^3 tetrahedra."},
      {"mesh.ball.centre", vector3, "m", defaulted, "[0, 0, 0]", any, "Its centre."},
      {"mesh.ball.radius", number, "m", required, "", above(0), "Its radius."},
      {"mesh.grid", object, "", choice, "", any, "A sheet: a parallelogram of cells, each cut into two triangles."},
      {"mesh.grid.cells", integers2, "", required, "", at_least(1), "Number of cells along and across."},
      {"mesh.grid.origin", vector3, "m", defaulted, "[0, 0, 0]", any, "The corner it begins at."},
      {"mesh.grid.along", vector3, "m", required, "", any, "From there to the next corner."},
      {"mesh.grid.across", vector3, "m", required, "", any,
       "From the origin to the corner on its other side; normals are along x across."},
      {"mesh.scale", number, "", defaulted, "1", above(0),
       "Coordinates are multiplied by this: 0.001 for a mesh in millimetres."},

      {"materials", objects, "", optional, "", any,
       "What the body under 'mesh' is made of; every tetrahedron and hexahedron gets one material."},
      {"materials[].name", text, "", required, "", any, "For messages and for optimize; no two alike."},
      {"materials[].energy", text, "", choice, "", any, "The C++ file that defines the energy density."},
      {"materials[].energies", objects, "", choice, "", any,
       "Several energies whose sum acts: each with its energy, energy_name, form, parameters and directions.",
       "@energy"},
      {"materials[].energy_name", text, "", defaulted, "\"\"", any, "Which energy, when the file defines several."},
      {"materials[].form", text, "", defaulted, "\"as_written\"", one_of("as_written|proximal"),
       "as_written, or proximal: the energy's Moreau envelope, a softer material (DiffPhD eq. 13). Its weight is the "
       "stiffness at rest times a further parameter, proximal_weight (1)."},
      {"materials[].elements", text, "", optional, "", one_of("tetrahedra|hexahedra|triangles|edges|hinges"),
       "What it is of; left out: the tetrahedra and hexahedra of the mesh, else its triangles, else its edges. Hinges "
       "join two triangles; edges are those of the triangles where the mesh lists none."},
      {"materials[].stencils", integer_lists, "", optional, "", at_least(0),
       "Instead of elements, for an energy of node positions: the nodes of each stencil, numbers of the mesh file."},
      {"materials[].region", text | integer | object, "", defaulted, "\"all\"", any,
       "Where: \"all\" (all the rest), a physical group's name or tag, the elements whose centroid is inside a shape, "
       "or "
       "a list. In the body's own coordinates.",
       "@region"},
      {"materials[].damping", object, "", defaulted, "{}", any,
       "Rayleigh damping: forces against the velocity in proportion to mass and to stiffness at rest."},
      {"materials[].damping.mass", number, "1/s", defaulted, "0", at_least(0), "Slows all motion, rotation too."},
      {"materials[].damping.stiffness", number | object, "s", defaulted, "0", at_least(0),
       "Slows deformation and no rigid motion: one value, or one an element.", "@values"},
      {"materials[].density", number | object, "kg/m^3", optional, "", at_least(0),
       "Mass per rest volume; kg/m^2 of triangles, kg/m of edges. Solids need one, others have none if it is left out. "
       "One "
       "value, or one an element.",
       "@values"},
      {"materials[].parameters", object, "", defaulted, "{}", any,
       "Values by the names the energy declares; those left out take the energy's defaults.", "@parameters"},
      {"materials[].directions", object, "", defaulted, "{}", any,
       "Direction fields by the names the energy declares; those left out take the energy's defaults.", "@directions"},

      {"bodies", objects, "", choice, "", any,
       "Several bodies, instead of 'mesh' and 'materials'. Names of materials are different in all of them."},
      {"bodies[].name", text, "", required, "", any, "For messages and selections; no two alike."},
      {"bodies[].mesh", object, "", required, "", any, "As for one body, in the body's own coordinates.", "mesh"},
      {"bodies[].materials", objects, "", required, "", any,
       "As for one body; regions and directions are in the body's own coordinates.", "materials"},
      {"bodies[].place", object, "", defaulted, "{}", any, "Where it is: scaled, then rotated, then moved."},
      {"bodies[].place.scale", number, "", defaulted, "1", above(0), "About the origin of its own coordinates."},
      {"bodies[].place.rotate", vector3, "rad", defaulted, "[0, 0, 0]", any, "Axis times angle, about that origin."},
      {"bodies[].place.translate", vector3, "m", defaulted, "[0, 0, 0]", any, "Where that origin comes to lie."},
      {"bodies[].initial", object, "", defaulted, "{}", any, "How it moves at time 0, on top of what 'initial' says."},
      {"bodies[].initial.velocity", vector3, "m/s", defaulted, "[0, 0, 0]", any, "Of its centre of mass."},
      {"bodies[].initial.angular_velocity", vector3, "rad/s", defaulted, "[0, 0, 0]", any,
       "About its own centre of mass."},

      {"springs", objects, "", defaulted, "[]", any,
       "Linear springs, each between a node and the nearest of others; energy stiffness/2 (length - rest)^2."},
      {"springs[].name", text, "", required, "", any,
       "For messages and for optimize; no other spring or material has it."},
      {"springs[].from", text | object, "", required, "", one_of("all"), "One spring for each of these nodes ...",
       "@selection"},
      {"springs[].to", text | object, "", required, "", one_of("all"),
       "... to the nearest of these, by rest positions in space.", "@selection"},
      {"springs[].stiffness", number, "N/m", required, "", above(0), "Of each spring."},
      {"springs[].rest",
       number | text,
       "m",
       defaulted,
       "\"length\"",
       {0, infinity, false, false, "length"},
       "Its length without force: a number, or the distance at rest. 0 joins the two."},
      {"attachments", objects, "", defaulted, "[]", any,
       "Springs from nodes to points that do not move; energy stiffness/2 distance^2."},
      {"attachments[].name", text, "", required, "", any, "As for a spring."},
      {"attachments[].select", text | object, "", required, "", one_of("all"), "Which nodes.", "@selection"},
      {"attachments[].stiffness", number, "N/m", required, "", above(0), "Of each spring."},
      {"attachments[].to", vector3, "m", optional, "", any, "One point for all; left out: each node's place at rest."},

      {"ties", objects, "", defaulted, "[]", any,
       "Nodes that are held exactly, by forces that pull as well as push, solved together with those of contact."},
      {"ties[].name", text, "", required, "", any, "For messages and for optimize; no other tie has it."},
      {"ties[].select", text | object, "", required, "", one_of("all"), "Which nodes.", "@selection"},
      {"ties[].to", vector3, "m", optional, "", any,
       "One point for all; where neither this nor 'to_body' is given, each node's place at rest."},
      {"ties[].to_body", text, "", optional, "", any,
       "A body on whose surface they are at rest: each stays where it is on it."},
  };
  return all;
}

}  // namespace proxima::model
