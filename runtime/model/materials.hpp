// From the materials of a scene to the regions of a model: energies loaded, tets shared out, values read from files.
#pragma once

#include "runtime/model/build.hpp"

namespace proxima::model {

// Throws Error that names the scene, the key and the file where it does not exist; what is wrong inside a file is said
// by its reader.
void require_file(const std::filesystem::path& file, const Scene& scene, const std::string& key);

// One region for each energy of each material, the first of a material with its mass and the others as overlays. Throws
// Error naming the scene file and key, or the file of values.
void add_materials(const Scene& scene, const EnergyLoader& load_energy, Model& model);

}  // namespace proxima::model
