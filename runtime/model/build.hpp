// From a scene to a validated model: reads the mesh, asks for the energies, applies the selections.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "runtime/model/function_inputs.hpp"
#include "runtime/model/scene.hpp"

namespace proxima::model {

// Compiles the energy `name` ("" when there is one only) of an author's file; throws Error when it can't.
using EnergyLoader =
    std::function<std::shared_ptr<const ir::Energy>(const std::filesystem::path& file, const std::string& name)>;

struct Built {
  Model model;
  std::vector<std::string> notes;     // what the log should state: repairs, size, volume, mass, parameters
  std::vector<std::string> warnings;  // what looks like a slip, as millimetres taken for metres
};

// Throws Error naming the scene file and key, or the mesh or energy file.
// load_function: only where the scene has controllers, or obstacles by functions.
Built build_model(const Scene& scene, const EnergyLoader& load_energy, const FunctionLoader& load_function = {});

}  // namespace proxima::model
