// DiffPD's scenes with contact, "Rolling sphere" and "Napkin", as its published examples build them (Du et al. 2021;
// the numbers that its reference file leaves out are theirs): the same elements, material, steps, start and loss. The
// noise that both have on their start is drawn from another generator.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "compiler/jit/jit.hpp"
#include "runtime/model/model.hpp"

namespace proxima::bench {

// What DiffPD's own program took; 0 where it was not measured.
struct ContactSeconds {
  int threads = 0, contact_nodes = 0;  // the latter are those that may touch
  double forward = 0, backward = 0;    // s, the least of its runs
};

struct DiffpdContact {
  std::string name;
  model::Model model;
  int contact_nodes = 0;  // of the lower side that may touch, as DiffPD counts them; 0: all of the surface
  std::vector<ContactSeconds> seconds;
  // Of the loss (tests/adjoint/diffpd_loss.hpp), 3 a node: normal, random.
  std::vector<double> position_weights, velocity_weights;
};

// Both kinds of scenes: `rolling_sphere`, and the napkin for each number of contact nodes. Throws Error for a reference
// file without them, or where the mesh is not of the size that it says.
std::vector<DiffpdContact> diffpd_contact_scenes(const std::filesystem::path& reference, jit::Engine& engine);

}  // namespace proxima::bench
