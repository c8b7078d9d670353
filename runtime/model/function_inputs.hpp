// From a user function in a scene to what it observes in a model and what it drives.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "runtime/model/scene.hpp"

namespace proxima::model {

// Compiles the function `name` ("" when there is one only) of an author's file; throws Error when it can't.
using FunctionLoader =
    std::function<std::shared_ptr<const ir::Function>(const std::filesystem::path& file, const std::string& name)>;

// What the function's inputs are given, in its order. `mass`: kg, one a node. Errors begin with `where`, "scene.json:
// controllers[0].function", and suggest the nearest name. Throws Error for an input that is missing, that the function
// does not have, or of another size; and for a selection of no node.
std::vector<Observation> observations(const FunctionSource& source, const ir::Function& function, const Model& model,
                                      const std::vector<double>& mass, const std::string& where);

// Its parameters: the scene's where it has some, else the author's. Throws Error likewise, and for files of another
// size.
std::vector<std::vector<double>> function_parameters(const FunctionSource& source, const ir::Function& function,
                                                     const std::string& where);

// Adds the scene's controllers to a model that has its regions, and marks what they drive.
void add_controllers(const Scene& scene, const FunctionLoader& load, const std::vector<double>& mass, Model& model);

}  // namespace proxima::model
