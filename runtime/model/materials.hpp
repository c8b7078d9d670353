// From the materials of a body to the regions of a model: energies loaded, elements shared out, values read from files.
#pragma once

#include "runtime/model/build.hpp"

namespace proxima::model {

// Throws Error that names the scene, the key and the file where it does not exist; what is wrong inside a file is said
// by its reader.
void require_file(const std::filesystem::path& file, const Scene& scene, const std::string& key);

// One region for each energy and each shape of elements of each material, the first of a material with its mass and the
// others as overlays. Numbers of nodes and elements are those of `mesh`, the body's own, prepared; `node_map` takes
// those of its file there. Throws Error naming the scene file and key, or the file of values.
std::vector<Region> body_regions(const Scene& scene, const BodySource& body, const mesh::Mesh& mesh,
                                 const std::vector<std::int32_t>& node_map, const EnergyLoader& load_energy);

}  // namespace proxima::model
