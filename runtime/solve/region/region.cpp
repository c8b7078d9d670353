#include "runtime/solve/region/region.hpp"

#include <algorithm>
#include <cmath>

#include "compiler/ir/interpreter.hpp"
#include "compiler/ir/trace_value.hpp"
#include "compiler/support/error.hpp"

namespace proxima::solve {
namespace {

double largest(const model::Signal& signal) {
  double result = signal.front().value;
  for (const auto& key : signal)
    if (std::abs(key.value) > std::abs(result)) result = key.value;
  return result;
}

}  // namespace

RegionKernels::RegionKernels(const model::Model& model, const model::Region& region, jit::Engine& engine)
    : engine_(&engine),
      name_(region.name),
      energy_(region.energy),
      set_(model, region, engine.target().lanes(jit::Precision::fp64)),
      gather_(set_.tiling(), model.mesh.nodes.size()),
      driven_(region.driven),
      stores_(!region.load && !region.energy->dissipation) {
  driven_.resize(energy_->parameters.size());
  forces_.resize(set_.tiling().scalars(3 * set_.rest().corners));
  for (auto& buffer : energies_) buffer.resize(set_.tiling().scalars(1));
  set_values(region);
}

void RegionKernels::set_values(const model::Region& region) {
  const auto& values = region.parameters;
  const auto& declared = energy_->parameters;
  const std::size_t elements = set_.elements().count();
  if (values.size() != declared.size())
    fail("region '{}': {} parameters are given, the energy '{}' has {}", name_, values.size(), energy_->name,
         declared.size());
  std::vector<bool> per_element;
  for (std::size_t k = 0; k < values.size(); ++k) {
    if (values[k].size() != 1 && values[k].size() != elements)
      fail("region '{}': parameter '{}' has {} values, it needs 1 or {} (one an element of the region)", name_,
           declared[k].name, values[k].size(), elements);
    for (const double value : values[k])
      if (!(value > declared[k].lower && value < declared[k].upper && std::isfinite(value)))
        fail("region '{}': parameter '{}' is {}, it must satisfy {}", name_, declared[k].name, value,
             model::interval_text(declared[k]));
    per_element.push_back(values[k].size() > 1);
  }
  if (per_element != per_element_) {
    kernels_.clear();
    proximal_.reset();
  }
  per_element_ = std::move(per_element);
  parameters_ = values;
  signals_ = region.signals;
  signals_.resize(declared.size());
  for (std::size_t k = 0; k < values.size(); ++k) {
    if (per_element_[k]) {
      set_.set_of_elements(derive::field_name(declared[k]), values[k], 1);
    } else {
      const bool moving = !signals_[k].empty();
      set_.set_uniform(derive::field_name(declared[k]),
                       moving ? model::signal_value(signals_[k], time_) : values[k][0]);
    }
  }
  set_.set_directions(region);
}

void RegionKernels::enter_values(double time, double step) {
  time_ = time;
  set_.set_uniform("time_step", step);
  for (std::size_t k = 0; k < signals_.size(); ++k)
    if (!signals_[k].empty())
      set_.set_uniform(derive::field_name(energy_->parameters[k]), model::signal_value(signals_[k], time_));
  for (std::size_t k = 0; k < driven_.size(); ++k)
    if (driven_[k] != 0) drive(k, parameters_[k][0]);
}

void RegionKernels::enter_step(const StepInputs& inputs) {
  enter_values(inputs.time, inputs.step);
  previous_ = inputs.previous;
  std::span<const double> history = inputs.history;
  for (const auto& input : energy_->inputs) {
    if (input.kind != ir::InputKind::history) continue;
    const std::size_t count = input.components * set_.items();
    set_.set_of_points(derive::field_name(input), history.first(count), static_cast<int>(input.components));
    history = history.subspan(count);
  }
}

void RegionKernels::drive(std::size_t parameter, double value) {
  set_.set_uniform(derive::field_name(energy_->parameters[parameter]), value);
}

std::size_t RegionKernels::history_size() const {
  std::size_t components = 0;
  for (const auto& input : energy_->inputs)
    if (input.kind == ir::InputKind::history) components += input.components;
  return components * set_.items();
}

std::vector<double> RegionKernels::weights(double step) const {
  const ir::Kernel kernel = derive::rest_weight(*energy_);
  ir::Interpreter<double> interpreter(kernel.graph, kernel.results);
  std::vector<double> inputs;
  const auto weight_at = [&](std::size_t element) {
    inputs.clear();
    for (const auto& field : kernel.inputs)
      for (std::uint32_t c = 0; c < kernel.scalars(field); ++c)
        inputs.push_back(
            field.name == "time_step" ? step : set_.value(field.name, element * set_.points(), static_cast<int>(c)));
    for (std::size_t k = 0; k < signals_.size(); ++k) {
      if (signals_[k].empty() && driven_[k] == 0) continue;
      std::size_t at = 0;
      for (const auto& field : kernel.inputs) {
        if (field.name == derive::field_name(energy_->parameters[k]))
          inputs[at] = driven_[k] != 0 ? parameters_[k][0] : largest(signals_[k]);
        at += kernel.scalars(field);
      }
    }
    const double weight = interpreter(inputs)[0];
    if (!std::isfinite(weight))
      fail("region '{}': the energy '{}' of {} has no finite stiffness at rest ({})", name_, energy_->name,
           energy_->file, set_.name_of(element));
    return std::max(weight, 0.0);
  };
  const bool varies = std::any_of(kernel.inputs.begin(), kernel.inputs.end(),
                                  [&](const ir::Field& field) { return !set_.is_uniform(field.name); });
  std::vector<double> result(set_.elements().count(), varies ? 0.0 : weight_at(0));
  if (varies)
    for (std::size_t e = 0; e < result.size(); ++e) result[e] = weight_at(e);
  return result;
}

ir::Kernel RegionKernels::kernel_graph(derive::Quantity quantity) const {
  const bool stencil = energy_->measure == ir::Measure::node_positions;
  const derive::Shape shape{static_cast<std::uint32_t>(set_.rest().corners),
                            stencil ? 0 : static_cast<std::uint32_t>(set_.rest().dimension)};
  return derive::element_kernel(*energy_, quantity, shape, per_element_);
}

const jit::CompiledKernel& RegionKernels::kernel(derive::Quantity quantity) {
  auto& entry = kernels_[quantity];
  if (!entry) entry = engine_->compile(kernel_graph(quantity));
  return *entry;
}

std::vector<const void*> RegionKernels::inputs_of(const jit::CompiledKernel& kernel, const Nodal& nodal) const {
  std::vector<const void*> result;
  result.reserve(kernel.inputs.size());
  for (const auto& field : kernel.inputs)
    result.push_back(field.name == "positions"   ? nodal.x.data()
                     : field.name == "direction" ? nodal.direction.data()
                     : field.name == "rest"      ? nodal.rest.data()
                     : field.name == "previous"  ? previous_.data()
                                                 : set_.field(field.name));
  return result;
}

void RegionKernels::run(derive::Quantity quantity, const Nodal& nodal, std::span<void* const> outputs) {
  const jit::CompiledKernel& compiled = kernel(quantity);
  device::launch(compiled, set_.tiling(), inputs_of(compiled, nodal), outputs);
}

RegionKernels::Fields RegionKernels::run_to_fields(derive::Quantity quantity, const Nodal& nodal) {
  Fields fields;
  std::vector<void*> outputs;
  const auto& declared = kernel(quantity).outputs;
  outputs.reserve(declared.size());
  for (const auto& field : declared) {
    auto& values = fields[field.name];
    values.resize(set_.tiling().scalars(static_cast<int>(field.components)));
    outputs.push_back(values.data());
  }
  run(quantity, nodal, outputs);
  return fields;
}

void RegionKernels::hessian_of_tiles(std::span<const double> x, std::size_t first, std::size_t last,
                                     std::span<double> out) const {
  const jit::CompiledKernel& compiled = *kernels_.at(derive::Quantity::hessian);
  double* const outputs[] = {out.data()};
  device::launch_tiles(compiled, set_.tiling(), first, last, inputs_of(compiled, {x}), outputs);
}

std::span<const double> RegionKernels::energies(std::span<const double> x, int slot) {
  auto& buffer = energies_[slot];
  void* const outputs[] = {buffer.data()};
  run(derive::Quantity::energy, {x}, outputs);
  return std::span<const double>(buffer).first(set_.items());  // one component: tiles are contiguous in the items
}

void RegionKernels::add_gradient(std::span<const double> x, std::span<double> y) {
  void* const outputs[] = {forces_.data()};
  run(derive::Quantity::forces, {x}, outputs);
  gather_.add(forces_, y);
}

std::span<const double> RegionKernels::energies_and_gradient(std::span<const double> x, std::span<double> y) {
  auto& buffer = energies_[0];
  void* const outputs[] = {buffer.data(), forces_.data()};
  run(derive::Quantity::energy_forces, {x}, outputs);
  gather_.add(forces_, y);
  return std::span<const double>(buffer).first(set_.items());
}

void RegionKernels::add_hessian_vector(derive::Quantity product, std::span<const double> x,
                                       std::span<const double> direction, std::span<double> y) {
  void* const outputs[] = {forces_.data()};
  run(product, {x, direction}, outputs);
  gather_.add(forces_, y);
}

void RegionKernels::update_history(std::span<const double> x, std::span<double> history) {
  if (history.empty()) return;
  std::fill(history.begin(), history.end(), 0.0);
  add_histories(run_to_fields(derive::Quantity::history_update, {x}), history);
}

std::string RegionKernels::trace(derive::Quantity quantity, std::size_t item, std::span<const double> x) const {
  const ir::Kernel graph = kernel_graph(quantity);
  const auto nodes = set_.elements().of(item / set_.points());
  std::vector<double> inputs;
  for (const auto& field : graph.inputs) {
    if (field.access == ir::Access::nodal) {
      const auto& source = field.name == "positions" ? x : previous_;
      for (const auto node : nodes)
        for (std::size_t i = 0; i < 3; ++i) inputs.push_back(source[3 * static_cast<std::size_t>(node) + i]);
    } else {
      for (std::uint32_t c = 0; c < field.components; ++c)
        inputs.push_back(set_.value(field.name, item, static_cast<int>(c)));
    }
  }
  const auto found = ir::trace_nonfinite(graph.graph, graph.results, inputs);
  return found ? found->text : "";
}

void RegionKernels::add_state(std::span<const double> x, std::size_t first, ElementState& state) {
  if (!stores()) return;
  const bool strained = energy_->measure != ir::Measure::node_positions;
  Fields fields;
  if (strained) fields = run_to_fields(derive::Quantity::state, {x});
  add_element_state(set_, x, energies(x, 0), fields["stress"],
                    strained ? static_cast<int>(energy_->strain_components()) : 0, first, state);
}

}  // namespace proxima::solve
