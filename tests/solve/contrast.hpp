// The two bodies that DiffPhD shows its stiffness contrasts on, twisted and let go: steps that have to be solved
// however large the contrast is. DiffPhD (section 5.2 and figure 8) ends at 100.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>

#include "runtime/model/model.hpp"

namespace proxima::bodies {

// Both: E = 1e5 Pa where it is soft, `contrast` times as much where it is stiff, nu = 0.45, 1000 kg/m^3, gravity
// 9.8 m/s^2. `energy` has the parameters E and nu.
//
// 20 x 5 x 5 hexahedra of 0.01 m (DiffPhD's 500, 2 268 degrees of freedom), the middle third stiff, held at x = 0,
// twisted about its axis by up to 1.5 rad, gravity along -z, h = 0.01 s.
model::Model make_contrast_cantilever(const std::shared_ptr<const ir::Energy>& energy, double contrast);

// 0.15 m tall, three bands of equal height, the outer ones stiff; its lowest tenth is held, the rest twisted about the
// vertical axis by up to `twist` (rad), gravity down, h = 1/30 s. Throws Error for a file that cannot be read.
model::Model make_contrast_armadillo(const std::filesystem::path& file, const std::shared_ptr<const ir::Energy>& energy,
                                     double contrast, double twist = 1.5);

// The Armadillo's file in shared_data(); none where it is absent.
std::optional<std::filesystem::path> armadillo_file();

}  // namespace proxima::bodies
