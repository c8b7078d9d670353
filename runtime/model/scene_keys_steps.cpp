#include "runtime/model/scene_key_parts.hpp"

namespace proxima::model {

using namespace keys;

std::span<const Key> step_keys() {
  static constexpr Key all[] = {
      {"gravity", vector3, "m/s^2", defaulted, "[0, 0, 0]", any,
       "Acceleration of every free node, for example [0, 0, -9.81]."},

      {"mass_lumping", text, "", defaulted, "\"shared\"", one_of("shared|uniform"),
       "How mass comes to nodes. shared: each element's in equal parts to its own. uniform: every node of a material "
       "gets that of its mean element, as in DiffPD; only for comparisons with it, since the sum is not the body's "
       "mass."},

      {"initial", object, "", defaulted, "{}", any,
       "How all bodies move at time 0, as one; they start at their rest shapes."},
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
      {"solver.method", text, "", defaulted, "\"newton\"", one_of("auto|newton|anderson|lbfgs|admm"),
       "What minimises a step's potential, or solves it with contact; all end in the same state: see "
       "rooms/solve_methods.md."},
      {"solver.window", integer, "", defaulted, "0", at_least(0),
       "How many earlier iterations anderson and lbfgs remember; 0: 5 and 8."},
      {"solver.max_iterations", integer, "", defaulted, "5000", at_least(1),
       "Iterations a step of the methods that take one A-solve each."},
      {"solver.max_newton", integer, "", defaulted, "100", at_least(1), "Newton iterations a step."},
      {"solver.max_cg", integer, "", defaulted, "2000", at_least(1),
       "Conjugate-gradient iterations a Newton iteration."},
      {"solver.contact", text, "", defaulted, "\"gauss_seidel\"",
       one_of("gauss_seidel|fischer_burmeister|splitting|penalty"),
       "What finds the forces of contacts in each of a step's iterations, whose kind solver.method says; all but "
       "penalty, "
       "which is another law, end in the same state: see \"Obstacles and contact\"."},
      {"solver.max_contact", integer, "", defaulted, "80", at_least(1),
       "Iterations of a step with contact by newton; ten times as many by other methods."},
      {"solver.factor", text, "", defaulted, "\"fp32\"", one_of("fp32|fp64"),
       "How the factor of the preconditioner is stored; changes the speed, not the answer."},
      {"solver.deflation", integer, "", defaulted, "0", from(0, 100),
       "Preconditions by the stiffness at rest, turned with the body, and this many of its slowest modes; 12 serve "
       "well, "
       "0: by A alone. Pays where linear solves are long: see rooms/solve_precondition.md. Changes the speed, not the "
       "answer."},
      {"solver.device", text, "", defaulted, "\"cpu\"", one_of("cpu|cuda|auto"),
       "Where steps and their adjoints are solved; cuda: on a GPU, contacts with the host's help; auto: "
       "there if it can be. Changes the last bits."},
      {"solver.products", text, "", defaulted, "\"fp64\"", one_of("fp64|fp32"),
       "Of products with the Hessian in linear solves on a GPU. What a solve leaves is found in fp64, and decides: it "
       "changes the speed, not the answer, and pays most on GPUs that are slow in fp64. On the CPU it is fp64."},
      {"solver.threads", integer, "", defaulted, "0", at_least(0), "0: all cores. The result does not depend on it."},

      {"adjoint", object, "", defaulted, "{}", any, "How gradients are found, by a sweep backward through the steps."},
      {"adjoint.tolerance", number, "", defaulted, "1e-9", between(0, 1), "Relative residual of each linear solve."},
      {"adjoint.max_cg", integer, "", defaulted, "5000", at_least(1), "Iterations of each of those solves."},
      {"adjoint.states", text, "", defaulted, "\"all\"", one_of("all|every|binomial"),
       "Which states are kept for the sweep; others are found again, with the same bits. all; every: one in so many; "
       "binomial: as many as the memory holds, placed so that the fewest steps are taken again."},
      {"adjoint.every", integer, "", defaulted, "50", at_least(1),
       "Of 'every': steps from one kept state to the next; near the root of the number of steps the fewest are held."},
      {"adjoint.memory", number, "MB", defaulted, "1000", above(0),
       "Of 'binomial': for the states that are held at once."},
      {"adjoint.hessian", text, "", defaulted, "\"exact\"", one_of("exact|clamp|absolute|blend"),
       "exact gives the gradient of the loss. With the others negative eigenvalues at elements are replaced, by zero, "
       "by "
       "their magnitude, or by either as DiffPhD's trust region decides; where that changes a solution it is not that "
       "gradient, which is reported."},
      {"adjoint.estimate_errors", boolean, "", defaulted, "false", any,
       "Also estimate what the tolerances of steps and linear solves do to loss and gradient."},

      {"output", object, "", defaulted, "{}", any, "What a run writes besides the trajectory."},
      {"output.every", integer, "", defaulted, "1", at_least(0),
       "Files of every so many steps, and the last; 0: none."},
      {"output.fields", texts, "", defaulted,
       R"(["displacement", "velocity", "elastic_force", "material", "density", "parameters", "energy_density", "stress", "von_mises", "principal_stretches"])",
       one_of(
           "displacement|velocity|elastic_force|material|density|parameters|energy_density|stress|von_mises|principal_"
           "stretches"),
       "Which fields the .vtu files have."},
      {"output.surface", boolean, "", defaulted, "false", any, "Also the outer surface, as surface_NNNNNN.obj."},
  };
  return all;
}

}  // namespace proxima::model
