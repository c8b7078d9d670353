#include "runtime/model/scene_key_parts.hpp"

namespace proxima::model {

using namespace keys;

std::span<const Key> fit_keys() {
  static constexpr Key all[] = {
      {"loss", objects, "", defaulted, "[]", any,
       "What optimize lowers and gradcheck differentiates: the sum of these."},
      {"loss[].trajectory", text, "", choice, "", any,
       "A trajectory file, or the output folder of a run: mean over the nodes of the squared distance to it, m^2. One "
       "of another time step is taken between its frames where the scene's steps end."},
      {"loss[].select", text | object, "", optional, "", one_of("all"),
       "Which nodes of a trajectory count, as those that carry markers; left out: all.", "@selection"},
      {"loss[].markers", text, "", choice, "", any,
       "A table of where markers on the body were seen, CSV with the columns time, marker, x, y, z (s, m; see "
       "\"Markers\"): mean over its rows of the squared distance, m^2."},
      {"loss[].attach", text, "", optional, "", any,
       "A table of where markers sit on the body at the start, CSV with the columns marker, x, y, z; those that are "
       "not "
       "in it: where they were seen at time 0."},
      {"loss[].attach_within", number, "m", optional, "", above(0),
       "How far from the body a marker may be then; left out: 5 % of the body's diagonal."},
      {"loss[].length_unit", number, "m", optional, "", above(0),
       "Of the positions in the tables of markers, as 0.001 of millimetres; left out: 1."},
      {"loss[].starts_at", number, "s", optional, "", any,
       "The time in the table of sightings at which the motion starts; rows before it are left out. Without it: 0."},
      {"loss[].ends_at", number, "s", optional, "", any,
       "The time in that table after which rows are left out; without it they may not be after the last step."},
      {"loss[].centre_of_mass", vector3, "m", choice, "", any,
       "Squared distance of the centre of mass to this point, m^2."},
      {"loss[].nodes", object, "", choice, "", any, "Mean over these nodes of the squared distance to a target, m^2."},
      {"loss[].nodes.select", text | object, "", required, "", one_of("all"), "Which nodes.", "@selection"},
      {"loss[].nodes.displacement", vector3, "m", required, "", any,
       "The target, relative to each node's rest position."},
      {"loss[].function", object, "", choice, "", any,
       "A function of the state with one output, a number, in units of its own; the time is that of the frame.",
       "@function"},
      {"loss[].frames",
       text | integers,
       "",
       defaulted,
       "\"all\"",
       {0, infinity, false, false, "all|last"},
       "After which steps it is taken, as a mean: all, the last, or a list of step numbers (0: the initial state). Not "
       "of markers, which have times of their own."},
      {"loss[].noise", number, "", defaulted, "0", at_least(0),
       "Added to the positions of a trajectory or of markers, to try how much an identification bears: normal, as "
       "large "
       "as this times the root mean square of the ways from where nodes (markers) start to where they were recorded; "
       "0.01: 1 %."},
      {"loss[].seed", integer, "", defaulted, "1", at_least(0), "Of the noise."},
      {"loss[].weight", number, "", defaulted, "1", above(0), "Factor of this term."},

      {"optimize", object, "", optional, "", any, "What to identify."},
      {"optimize.variables", objects, "", required, "", any, "The unknowns."},
      {"optimize.variables[].parameter", text, "", choice, "", any,
       "A parameter of the energy, or \"density\". Where it is given by key frames, the value at each."},
      {"optimize.variables[].direction", text, "", choice, "", any,
       "A direction field of the energy, as the scene gives it: three numbers, whose length does not matter."},
      {"optimize.variables[].input", text, "", choice, "",
       one_of(
           "gravity|force|force_factor|pressure|fluid_density|flow|drag|thrust|translation|rotation|position|velocity|"
           "mass_damping|"
           "stiffness_damping|friction|friction_across|friction_crossed|restitution|penalty_stiffness|slip_speed|"
           "tie|obstacle_translation|obstacle_rotation|rest_shape"),
       "Anything else: see \"What may vary\"."},
      {"optimize.variables[].of", integer, "", defaulted, "0", at_least(0),
       "Of which entry of forces, pressures, hydrodynamics, dirichlet, bodies, ties or obstacles an input is, from 0."},
      {"optimize.variables[].components", texts, "", defaulted, "[]", one_of("x|y|z"),
       "Of vectors: which of them; none: all."},
      {"optimize.variables[].keys", integers, "", defaulted, "[]", at_least(0),
       "Of key frames and tables: which of them, from 0; none: all."},
      {"optimize.variables[].select", text | object, "", optional, "", one_of("all"),
       "Nodes of rest_shape; left out: all.", "@selection"},
      {"optimize.variables[].bounds", text, "", defaulted, "\"absolute\"", one_of("absolute|around_start"),
       "Whether lower and upper are values, or distances from the start."},
      {"optimize.variables[].controller", text, "", defaulted, "\"\"", any,
       "The parameter, or weights, of this controller's function, all components of which vary."},
      {"optimize.variables[].obstacle", text, "", defaulted, "\"\"", any,
       "The parameter of this obstacle's shape: half_x, half_y, half_z of a box, radius, half_length of a capsule, "
       "half_height of a cylinder, or a function's own."},
      {"optimize.variables[].between", texts, "", defaulted, "[]", any,
       "Of friction, friction_across, friction_crossed, restitution, penalty_stiffness and slip_speed: of which pair, "
       "as "
       "in "
       "contact.pairs; none: of all."},
      {"optimize.variables[].materials", texts, "", defaulted, "[]", any,
       "In which materials; none: in all that have it."},
      {"optimize.variables[].sharing", text, "", defaulted, "\"shared\"", one_of("shared|per_material|per_element"),
       "One value for all, one for each material, or one for each element."},
      {"optimize.variables[].start", number, "", optional, "", any, "Where to start; left out: the scene's value."},
      {"optimize.variables[].lower", number, "", required, "", any, "Lower bound."},
      {"optimize.variables[].upper", number, "", required, "", any, "Upper bound."},
      {"optimize.variables[].scale", text, "", defaulted, "\"linear\"", one_of("linear|log"),
       "Search in the value or in its logarithm (for moduli that span decades)."},
      {"optimize.variables[].truth", number, "", optional, "", any, "Known value to compare with in the report."},
      {"optimize.method", text, "", defaulted, "\"lbfgsb\"", one_of("lbfgsb|adam"),
       "Bounded L-BFGS, or Adam projected onto the bounds, for losses that are rough."},
      {"optimize.learning_rate", number, "", defaulted, "0.05", above(0),
       "Of adam: length of a step in each variable, as a share of the way between its bounds, or in its logarithm."},
      {"optimize.learning_decay",
       number,
       "",
       defaulted,
       "1",
       {0, 1, true, false, {}},
       "Of adam: factor of that length from step to step."},
      {"optimize.starts", integer, "", defaulted, "1", at_least(1),
       "Starts in all: the first is the scene's, the others are drawn between the bounds. The best result wins."},
      {"optimize.seed", integer, "", defaulted, "1", at_least(0), "Of the draws."},
      {"optimize.max_evaluations", integer, "", defaulted, "100", at_least(1),
       "Rollouts with gradient at most, from each start."},
      {"optimize.gradient_tolerance", number, "", defaulted, "1e-6", at_least(0),
       "Stop when the projected gradient has fallen by this factor."},
      {"optimize.decrease_tolerance", number, "", defaulted, "1e-9", at_least(0),
       "Stop when so many iterations as 'patience' says lower the loss by less than this share of it."},
      {"optimize.patience", integer, "", defaulted, "0", at_least(0), "0: 1 for lbfgsb, 50 for adam."},
      {"optimize.loss_tolerance", number, "", defaulted, "0", at_least(0), "Stop when the loss is below this."},

      {"gradcheck", object, "", defaulted, "{}", any, "How the gradient is tested."},
      {"gradcheck.inputs", texts, "", defaulted, "[]",
       one_of(
           "positions|velocities|forces|parameters|density|damping|directions|gravity|loads|motion|controllers|contact|"
           "ties|obstacles|rest_shape"),
       "With respect to what; [] stands for all that the scene has."},
      {"gradcheck.seed", integer, "", defaulted, "1", at_least(0), "Of the random directions."},
      {"gradcheck.tolerance", number, "", defaulted, "1e-12", between(0, 1),
       "Takes the place of solver.tolerance, so that the finite differences are not lost in the solver's error."},
  };
  return all;
}

}  // namespace proxima::model
