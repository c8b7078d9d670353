#include "runtime/model/schema.hpp"

namespace proxima::model {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr Allowed any{};
constexpr Allowed above(double lower) { return {lower, infinity, true, false, {}}; }
constexpr Allowed at_least(double lower) { return {lower, infinity, false, false, {}}; }
constexpr Allowed between(double lower, double upper) { return {lower, upper, true, true, {}}; }
constexpr Allowed one_of(std::string_view choices) { return {-infinity, infinity, false, false, choices}; }

constexpr auto required = Presence::required;
constexpr auto optional = Presence::optional;
constexpr auto choice = Presence::one_of;
constexpr auto defaulted = Presence::defaulted;

constexpr Key keys[] = {
    {"mesh", object, "", required, "", any, "The body: a file, or a shape that is generated."},
    {"mesh.file", text, "", choice, "", any, "A .msh, .vtk, .vtu, .node or .ele file of linear tetrahedra."},
    {"mesh.box", object, "", choice, "", any, "A box of cubes, each cut into six tetrahedra."},
    {"mesh.box.cells", integers3, "", required, "", at_least(1), "Number of cubes along x, y and z."},
    {"mesh.box.lower", vector3, "m", required, "", any, "The corner with the smallest coordinates."},
    {"mesh.box.upper", vector3, "m", required, "", any, "The corner with the largest coordinates."},
    {"mesh.ball", object, "", choice, "", any, "A solid ball."},
    {"mesh.ball.layers", integer, "", required, "", at_least(1), "Number of shells; 20 layers^3 tetrahedra."},
    {"mesh.ball.centre", vector3, "m", defaulted, "[0, 0, 0]", any, "Its centre."},
    {"mesh.ball.radius", number, "m", required, "", above(0), "Its radius."},
    {"mesh.scale", number, "", defaulted, "1", above(0),
     "Coordinates are multiplied by this: 0.001 for a mesh in millimetres."},

    {"materials", objects, "", required, "", any, "What the body is made of; every tetrahedron gets one material."},
    {"materials[].name", text, "", required, "", any, "For messages and for optimize; no two alike."},
    {"materials[].energy", text, "", choice, "", any, "The C++ file that defines the energy density."},
    {"materials[].energies", objects, "", choice, "", any,
     "Several energies whose sum acts: each with its energy, energy_name, parameters and directions.", "@energy"},
    {"materials[].energy_name", text, "", defaulted, "\"\"", any, "Which energy, when the file defines several."},
    {"materials[].region", text | integer | object, "", defaulted, "\"all\"", any,
     "Where: \"all\" (all the rest), a physical group's name or tag, or the tetrahedra whose centroid is inside a "
     "shape.",
     "@region"},
    {"materials[].damping", object, "", defaulted, "{}", any,
     "Rayleigh damping: forces against the velocity in proportion to mass and to stiffness at rest."},
    {"materials[].damping.mass", number, "1/s", defaulted, "0", at_least(0), "Slows all motion, rotation too."},
    {"materials[].damping.stiffness", number | object, "s", defaulted, "0", at_least(0),
     "Slows deformation and no rigid motion: one value, or {\"file\": ...} for one a tetrahedron."},
    {"materials[].damping.stiffness.file", text, "", required, "", any,
     "A text file of numbers, one for each tetrahedron of the region in the order of the mesh."},
    {"materials[].density", number, "kg/m^3", required, "", above(0), "Mass per rest volume."},
    {"materials[].parameters", object, "", defaulted, "{}", any,
     "Values by the names the energy declares; those left out take the energy's defaults.", "@parameters"},
    {"materials[].directions", object, "", defaulted, "{}", any,
     "Direction fields by the names the energy declares; those left out take the energy's defaults.", "@directions"},

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

    {"gravity", vector3, "m/s^2", defaulted, "[0, 0, 0]", any,
     "Acceleration of every free node, for example [0, 0, -9.81]."},

    {"initial", object, "", defaulted, "{}", any, "How the body moves at time 0; it starts at its rest shape."},
    {"initial.velocity", vector3, "m/s", defaulted, "[0, 0, 0]", any, "Of the centre of mass."},
    {"initial.angular_velocity", vector3, "rad/s", defaulted, "[0, 0, 0]", any, "About the centre of mass."},

    {"time", object, "", required, "", any, "Constant steps."},
    {"time.step", number, "s", required, "", above(0), "The time step."},
    {"time.steps", integer, "", required, "", at_least(1), "Number of steps."},
    {"time.integrator", text, "", defaulted, "\"implicit_euler\"", one_of("implicit_euler|bdf2|quasi_static"),
     "implicit_euler: first order, takes energy out of motions. bdf2: second order, takes much less. quasi_static: "
     "equilibrium in every step, time only moves loads and what is held."},
    {"time.max_substeps", integer, "", defaulted, "64", at_least(1),
     "A step that cannot be solved is halved, and its halves again, down to this part of it; 1: it is an error."},

    {"solver", object, "", defaulted, "{}", any, "How each step is solved."},
    {"solver.tolerance", number, "", defaulted, "1e-6", between(0, 1), "Relative residual of a step."},
    {"solver.max_newton", integer, "", defaulted, "100", at_least(1), "Newton iterations a step."},
    {"solver.max_cg", integer, "", defaulted, "2000", at_least(1), "Conjugate-gradient iterations a Newton iteration."},
    {"solver.factor", text, "", defaulted, "\"fp32\"", one_of("fp32|fp64"),
     "How the factor of the preconditioner is stored; changes the speed, not the answer."},
    {"solver.threads", integer, "", defaulted, "0", at_least(0), "0: all cores. The result does not depend on it."},
    {"solver.adjoint_tolerance", number, "", defaulted, "1e-9", between(0, 1),
     "Relative residual of each linear solve of the gradient."},
    {"solver.adjoint_max_cg", integer, "", defaulted, "5000", at_least(1), "Iterations of each of those solves."},

    {"output", object, "", defaulted, "{}", any, "What a run writes besides the trajectory."},
    {"output.every", integer, "", defaulted, "1", at_least(0), "A .vtu file every so many steps; 0: none."},

    {"loss", objects, "", defaulted, "[]", any, "What optimize lowers and gradcheck differentiates: the sum of these."},
    {"loss[].trajectory", text, "", choice, "", any,
     "A trajectory file, or the output folder of a run: mean over the nodes of the squared distance to it, m^2."},
    {"loss[].centre_of_mass", vector3, "m", choice, "", any,
     "Squared distance of the centre of mass to this point, m^2."},
    {"loss[].nodes", object, "", choice, "", any, "Mean over these nodes of the squared distance to a target, m^2."},
    {"loss[].nodes.select", text | object, "", required, "", one_of("all"), "Which nodes.", "@selection"},
    {"loss[].nodes.displacement", vector3, "m", required, "", any,
     "The target, relative to each node's rest position."},
    {"loss[].frames",
     text | integers,
     "",
     defaulted,
     "\"all\"",
     {0, infinity, false, false, "all|last"},
     "After which steps it is taken, as a mean: all, the last, or a list of step numbers (0: the initial state)."},
    {"loss[].weight", number, "", defaulted, "1", above(0), "Factor of this term."},

    {"optimize", object, "", optional, "", any, "What to identify, by bounded L-BFGS."},
    {"optimize.variables", objects, "", required, "", any, "The unknowns."},
    {"optimize.variables[].parameter", text, "", required, "", any, "A parameter of the energy, or \"density\"."},
    {"optimize.variables[].materials", texts, "", defaulted, "[]", any,
     "In which materials; none: in all that have it."},
    {"optimize.variables[].sharing", text, "", defaulted, "\"shared\"", one_of("shared|per_material|per_element"),
     "One value for all, one for each material, or one for each tetrahedron."},
    {"optimize.variables[].start", number, "", optional, "", any, "Where to start; left out: the scene's value."},
    {"optimize.variables[].lower", number, "", required, "", any, "Lower bound."},
    {"optimize.variables[].upper", number, "", required, "", any, "Upper bound."},
    {"optimize.variables[].scale", text, "", defaulted, "\"linear\"", one_of("linear|log"),
     "Search in the value or in its logarithm (for moduli that span decades)."},
    {"optimize.variables[].truth", number, "", optional, "", any, "Known value to compare with in the report."},
    {"optimize.max_evaluations", integer, "", defaulted, "100", at_least(1), "Rollouts with gradient at most."},
    {"optimize.gradient_tolerance", number, "", defaulted, "1e-6", at_least(0),
     "Stop when the projected gradient has fallen by this factor."},
    {"optimize.decrease_tolerance", number, "", defaulted, "1e-9", at_least(0),
     "Stop when an iteration lowers the loss by less than this share of it."},
    {"optimize.loss_tolerance", number, "", defaulted, "0", at_least(0), "Stop when the loss is below this."},

    {"gradcheck", object, "", defaulted, "{}", any, "How the gradient is tested."},
    {"gradcheck.inputs", texts, "", defaulted,
     "[\"positions\", \"velocities\", \"parameters\", \"density\", \"forces\"]",
     one_of("positions|velocities|parameters|density|forces"), "With respect to what."},
    {"gradcheck.seed", integer, "", defaulted, "1", at_least(0), "Of the random directions."},
    {"gradcheck.tolerance", number, "", defaulted, "1e-10", between(0, 1),
     "Takes the place of solver.tolerance, so that the finite differences are not lost in the solver's error."},

    {"@energy[].energy", text, "", required, "", any, "The C++ file that defines the energy density."},
    {"@energy[].energy_name", text, "", defaulted, "\"\"", any, "Which energy, when the file defines several."},
    {"@energy[].parameters", object, "", defaulted, "{}", any, "As for a single energy.", "@parameters"},
    {"@energy[].directions", object, "", defaulted, "{}", any, "As for a single energy.", "@directions"},
    {"@parameters.*", number | object, "", optional, "", any,
     "One value in the declared unit, {\"file\": ...} for one value a tetrahedron, or {\"keyframes\": ...}."},
    {"@parameters.*.file", text, "", choice, "", any,
     "A text file of numbers, one for each tetrahedron of the region in the order of the mesh."},
    {"@parameters.*.keyframes", objects, "", choice, "", any,
     "For a parameter that the energy declares as an actuation: linear in between, constant outside; a step takes the "
     "value at its end."},
    {"@parameters.*.keyframes[].time", number, "s", required, "", any, "When; must increase from one to the next."},
    {"@parameters.*.keyframes[].value", number, "", required, "", any, "In the declared unit."},
    {"@directions.*", vector3 | object, "", optional, "", any,
     "One vector of any length, or {\"file\": ...} for one a tetrahedron."},
    {"@directions.*.file", text, "", required, "", any,
     "A text file of numbers, three for each tetrahedron of the region in the order of the mesh."},
    {"@region.box", object, "", choice, "", any, "A box along the axes.", "@box"},
    {"@region.sphere", object, "", choice, "", any, "A ball.", "@sphere"},
    {"@selection.box", object, "", choice, "", any, "The nodes whose rest position is inside a box.", "@box"},
    {"@selection.sphere", object, "", choice, "", any, "The nodes whose rest position is inside a ball.", "@sphere"},
    {"@selection.nodes", integers, "", choice, "", at_least(0), "Node numbers, from 0 in the order of the mesh file."},
    {"@selection.group", text | integer, "", choice, "", any, "The nodes of a physical group of tetrahedra."},
    {"@box.lower", vector3, "m", required, "", any, "The corner with the smallest coordinates."},
    {"@box.upper", vector3, "m", required, "", any, "The corner with the largest coordinates."},
    {"@sphere.centre", vector3, "m", required, "", any, "Its centre."},
    {"@sphere.radius", number, "m", required, "", above(0), "Its radius."},
};

}  // namespace

std::span<const Key> scene_keys() { return keys; }

}  // namespace proxima::model
