// What a model gives all its steps, on a GPU: forces on nodes, mass, and which nodes are held. Told once; in a step
// numbers go over, and where surface loads follow the body its state and their forces.
#pragma once

#include "runtime/solve/step/cuda_state.hpp"

namespace proxima::solve {

// One thread of callers at a time.
class CudaConditions {
 public:
  // Both must stay as they are.
  CudaConditions(CudaObjective& objective, const model::Model& model);

  CudaObjective& objective() const { return *objective_; }
  const model::Model& model() const { return *model_; }

  // Where held nodes are to be at a time, s; as place_held takes it.
  device::CudaVector held_targets(double time) const;
  // Puts held nodes at `fraction` of the way from where `from` has them to their targets.
  void place_held(const device::CudaVector& from, const device::CudaVector& targets, double fraction,
                  device::CudaVector& x) const;
  void clear_held(device::CudaVector& y) const;
  // Of held nodes alone: puts y there into `to`, 3 a node of all nodes.
  void read_held(const device::CudaVector& y, std::span<double> to) const;
  // As solve::given_force, zero on held nodes.
  device::CudaVector given_force(double time, const CudaStepStart& start, const CudaState& state) const;
  // x* + p/I where there is inertia.
  void set_free_flight(const device::CudaVector& start, const device::CudaVector& force, device::CudaVector& y) const;
  void set_velocities(const CudaStepStart& start, const device::CudaVector& x, device::CudaVector& v) const;
  // Of the nodes of a force, by their shares of it.
  model::Vector3 sum_over_force(std::size_t force, const device::CudaVector& y) const;
  // Nodes that surface loads are on; those that controllers look at. Of models that have any.
  CudaWatchedNodes& loaded() const { return *loaded_; }
  CudaWatchedNodes& observed() const { return *observed_; }
  const device::CudaArray& mass() const { return mass_; }  // kg, one a node
  // Kinetic energy and momenta.
  void add_motion(const CudaState& state, StepReport& report) const;

 private:
  // Nodes of one force, or of one set that is held, behind those of the sets before.
  struct Nodes {
    device::CudaArray numbers{}, share{};
    int count = 0;
  };
  Nodes upload(std::span<const std::int32_t> numbers) const;
  // Force after force; the nodes that are named more than once have all their shares together.
  void upload_forces();
  void upload_held();

  CudaObjective* objective_;
  const model::Model* model_;
  device::CudaFunction add_force_, add_body_force_, clear_nodes_, pose_, place_, free_flight_, velocities_, motion_,
      share_rows_;
  device::CudaArray mass_;
  std::vector<Nodes> forces_;
  Nodes held_;                    // all
  std::vector<int> held_counts_;  // of each set
  std::vector<std::int32_t> held_numbers_;
  device::CudaVector held_rest_;
  std::unique_ptr<CudaWatchedNodes> loaded_, observed_;
};

}  // namespace proxima::solve
