#include "runtime/model/scene_key_parts.hpp"

namespace proxima::model {

using namespace keys;

std::span<const Key> contact_keys() {
  static constexpr Key all[] = {
      {"obstacles", objects, "", defaulted, "[]", any,
       "What bodies touch and nothing moves but its own key frames. Each has a shape in axes of its own."},
      {"obstacles[].name", text, "", required, "", any,
       "For messages and for contact.pairs; no two alike, nor a body's."},
      {"obstacles[].plane", object, "", choice, "", any, "The ground: solid where z < 0."},
      {"obstacles[].half_space", object, "", choice, "", any, "The same."},
      {"obstacles[].box", object, "", choice, "", any, "A box about the origin."},
      {"obstacles[].box.size", vector3, "m", required, "", above(0), "Its edges along x, y and z."},
      {"obstacles[].sphere", object, "", choice, "", any, "A ball about the origin."},
      {"obstacles[].sphere.radius", number, "m", required, "", above(0), "Its radius."},
      {"obstacles[].capsule", object, "", choice, "", any, "What is within a radius of a segment along z."},
      {"obstacles[].capsule.length", number, "m", required, "", above(0), "Of the segment, about the origin."},
      {"obstacles[].capsule.radius", number, "m", required, "", above(0), "Around it."},
      {"obstacles[].cylinder", object, "", choice, "", any, "A cylinder along z, about the origin."},
      {"obstacles[].cylinder.height", number, "m", required, "", above(0), "Its height."},
      {"obstacles[].cylinder.radius", number, "m", required, "", above(0), "Its radius."},
      {"obstacles[].height_field", object, "", choice, "", any,
       "Ground that is solid below heights on a grid about the origin; beyond the grid it goes on as at its border."},
      {"obstacles[].height_field.file", text, "", choice, "", any,
       "A text file of heights (m), those of one y after the other, x fastest."},
      {"obstacles[].height_field.expression", text, "", choice, "", any,
       "A formula of the height in x and y (m): \"0.02 * sin(20*x)\"."},
      {"obstacles[].height_field.points", integers2, "", required, "", at_least(2), "Of the grid, along x and y."},
      {"obstacles[].height_field.length", number, "m", required, "", above(0), "Of the grid, along x."},
      {"obstacles[].height_field.width", number, "m", required, "", above(0), "Of the grid, along y."},
      {"obstacles[].distance_grid", object, "", choice, "", any,
       "A signed distance by its values on a grid, negative inside; there is no contact beyond the grid."},
      {"obstacles[].distance_grid.file", text, "", required, "", any,
       "A text file of distances (m), x fastest, z last."},
      {"obstacles[].distance_grid.points", integers3, "", required, "", at_least(2), "Of the grid, along x, y and z."},
      {"obstacles[].distance_grid.lower", vector3, "m", required, "", any, "The corner with the smallest coordinates."},
      {"obstacles[].distance_grid.upper", vector3, "m", required, "", any, "The corner with the largest coordinates."},
      {"obstacles[].surface", object, "", choice, "", any, "A closed surface of triangles, or that of a solid mesh."},
      {"obstacles[].surface.file", text, "", required, "", any, "A mesh file, also .obj or .stl."},
      {"obstacles[].surface.scale", number, "", defaulted, "1", above(0), "Coordinates are multiplied by this."},
      {"obstacles[].function", object, "", choice, "", any,
       "A function of the point, one input of 3 numbers, whose output is 0 on the surface and negative inside."},
      {"obstacles[].function.file", text, "", required, "", any, "The C++ file that defines it."},
      {"obstacles[].function.name", text, "", defaulted, "\"\"", any, "Which function, when the file defines several."},
      {"obstacles[].function.parameters", object, "", defaulted, "{}", any,
       "Values of its parameters by their names; those left out are as the file says.", "@weights"},
      {"obstacles[].inside", boolean, "", defaulted, "false", any,
       "Free is what is within the shape, as in a container, and solid what is around it."},
      {"obstacles[].place", object, "", optional, "", any, "Where its axes are: rotated, then moved."},
      {"obstacles[].place.rotate", vector3, "rad", defaulted, "[0, 0, 0]", any, "Axis times angle."},
      {"obstacles[].place.translate", vector3, "m", defaulted, "[0, 0, 0]", any, "Where their origin is."},
      {"obstacles[].motion", objects, "", defaulted, "[]", any,
       "Instead of a place: key frames, linear in between, constant outside."},
      {"obstacles[].motion[].time", number, "s", required, "", any, "When; must increase from one to the next."},
      {"obstacles[].motion[].translation", vector3, "m", defaulted, "[0, 0, 0]", any, "Where its origin is then."},
      {"obstacles[].motion[].rotation", vector3, "rad", defaulted, "[0, 0, 0]", any, "Axis times angle."},
      {"obstacles[].friction", number | text, "", optional, "", coefficient,
       "As contact.friction, for what touches it."},
      {"obstacles[].friction_direction", vector3, "", defaulted, "[0, 0, 0]", any,
       "In its own axes; along what of it lies in the surface the coefficient is 'friction', across it "
       "'friction_across', "
       "which it then needs."},
      {"obstacles[].friction_across", number, "", optional, "", above(0), "The coefficient across friction_direction."},
      {"obstacles[].restitution", number, "", optional, "", from(0, 1), "As contact.restitution."},

      {"contact", object, "", defaulted, "{}", any, "Who touches whom. Every body touches every obstacle."},
      {"contact.friction", number | text, "", defaulted, "0", coefficient,
       "Coulomb's coefficient, of sticking and sliding; \"static\": what is pressed does not slide."},
      {"contact.restitution", number, "", defaulted, "0", from(0, 1),
       "Which share of the speed of approach is left, the other way, after an impact; 0 with the integrators bdf2 and "
       "quasi_static."},
      {"contact.thickness", number, "m", defaulted, "0", at_least(0),
       "Bodies touch where their surfaces are this far apart. Sheets and springs need one above 0."},
      {"contact.bodies", boolean, "", defaulted, "false", any, "Whether bodies touch each other."},
      {"contact.self", boolean, "", defaulted, "false", any, "Whether every body touches itself."},
      {"contact.penalty", object, "", optional, "", any,
       "With solver.contact \"penalty\", which needs it: forces that grow with depth in the place of the law of "
       "contact."},
      {"contact.penalty.stiffness", number, "N/m^(exponent - 1)", required, "", above(0),
       "A contact's normal force is this times depth^(exponent - 1)."},
      {"contact.penalty.exponent", integer, "", defaulted, "2", from(2, 8), "Of the potential."},
      {"contact.penalty.slip_speed", number, "m/s", defaulted, "1e-3", above(0),
       "Where it slips more slowly than this, friction falls from Coulomb's to 0."},
      {"contact.pairs", objects, "", defaulted, "[]", any, "Further pairs, or other values for some."},
      {"contact.pairs[].between", texts, "", required, "", any,
       "Two names of bodies or of a body and an obstacle; twice the same body: with itself. The only body of a scene "
       "without 'bodies' is \"body\"."},
      {"contact.pairs[].friction", number | text, "", optional, "", coefficient, "Left out: as for all."},
      {"contact.pairs[].friction_across", number, "", optional, "", above(0),
       "Left out: as for all. Across the direction of friction that one of the two has, or both."},
      {"contact.pairs[].friction_direction", vector3, "", defaulted, "[0, 0, 0]", any,
       "Of the body's own surface, of two bodies that of the first one named, in space at rest; it moves with the "
       "body. "
       "'friction' is along it and 'friction_across' across it."},
      {"contact.pairs[].other_direction", vector3, "", defaulted, "[0, 0, 0]", any,
       "The same of the second body; obstacles have their own, and so has the second side of a body and itself."},
      {"contact.pairs[].friction_crossed", number, "", optional, "", above(0),
       "Where both have a direction, which then needs it: 'friction' is along and 'friction_across' across both where "
       "they are parallel, this in all directions where they cross at right angles."},
      {"contact.pairs[].restitution", number, "", optional, "", from(0, 1), "Left out: as for all."},
      {"contact.pairs[].thickness", number, "m", optional, "", at_least(0), "Left out: as for all. Of bodies only."},
      {"contact.pairs[].touch", boolean, "", defaulted, "true", any, "false: they pass through each other."},
  };
  return all;
}

}  // namespace proxima::model
