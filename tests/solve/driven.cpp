#include "tests/solve/driven.hpp"

#include "compiler/dsl/include/proxima/dsl.hpp"
#include "compiler/dsl/trace.hpp"
#include "tests/solve/bodies.hpp"

namespace {
using namespace proxima::dsl;

PROXIMA_FUNCTION(stiffening) {
  auto time = input("time");
  auto places = input<6>("places");
  auto speed = input<3>("speed");
  auto W = weights<2, 10>("W", uniform(1, 0.5));
  auto b = weights<2>("b", uniform(2, 0.5));
  auto moduli = parameter("scale", pascal, 7e4).positive();
  auto y = tanh(W * join(20 * time, 10 * places, speed) + b);
  output("mu", moduli * (1 + 0.4 * y[0]));
  output("lambda", 4 * moduli * (1 + 0.4 * y[1]));
}
}  // namespace

namespace proxima::bodies {

model::Model make_driven_scene(int steps) {
  model::Model model = make_mixed_scene(steps);
  auto& stiff = model.regions[1];
  stiff.damping.stiffness = {2e-3};
  stiff.driven = {1, 1};
  model::Controller controller;
  controller.name = "brain";
  controller.function = std::make_shared<ir::Function>(dsl::find_function("stiffening"));
  controller.parameters = model::default_parameters(*controller.function);
  using Of = model::Observation::Of;
  const auto last = static_cast<std::int32_t>(model.mesh.nodes.size()) - 1;
  const auto x = model.mesh.nodes[last];
  controller.inputs = {{Of::time, {}},
                       {Of::position, {{{last}, {1}, {-x[0], -x[1], -x[2]}}, {{last, last - 4, 10}, {0.5, 0.5, -1}}}},
                       {Of::velocity, {{{last, last - 1}, {0.5, 0.5}}}}};
  controller.drives = {{0, 0, 1, 0}, {1, 0, 1, 1}};
  model.controllers.push_back(std::move(controller));
  return model;
}

}  // namespace proxima::bodies
