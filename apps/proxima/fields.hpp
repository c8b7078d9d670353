// The fields that output shows on a body, for .vtu files and reports: one table with their names, units and how each is
// found. Elements are those of the mesh, counted block after block.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "apps/proxima/problem.hpp"

namespace proxima::app {

// The state after a step, with what is computed from it when it is first asked for.
class FieldSource {
 public:
  // Keeps references. Energies with history are shown with what they carry on, as if the next step began here.
  FieldSource(const Problem& problem, int step, const solve::State& state);

  const model::Model& model() const { return problem_.model(); }
  const solve::State& state() const { return state_; }
  const solve::ElementState& elements();
  std::vector<double> elastic_forces() const;

 private:
  const Problem& problem_;
  const solve::State& state_;
  std::optional<solve::ElementState> elements_;
};

struct FieldRow {
  std::string_view name;                                        // in files, and in the scene's output.fields
  std::string_view label;                                       // for people
  std::string_view unit;                                        // of solids
  bool on_nodes;                                                // else on elements
  bool of_state;                                                // changes with it; else the model alone decides
  std::vector<mesh::DataArray> (*arrays)(FieldSource& source);  // one; of "parameters" one for each that varies
};
std::span<const FieldRow> field_rows();

// What .vtu files have by default and what a scene may choose from, in the order of files.
std::vector<std::string> field_names();

}  // namespace proxima::app
