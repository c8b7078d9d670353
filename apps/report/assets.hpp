// The texts that every page carries: three.js with its orbiting camera, and the page's own style and scripts under
// page/. Generated; see CMakeLists.txt. Internal to the room.
#pragma once

#include <string_view>

namespace proxima::report {

std::string_view asset_three_min_js();
std::string_view asset_OrbitControls_js();
std::string_view asset_three_license_txt();
std::string_view asset_style_css();
std::string_view asset_data_js();
std::string_view asset_colours_js();
std::string_view asset_view_js();
std::string_view asset_player_js();
std::string_view asset_pictures_js();
std::string_view asset_main_js();

}  // namespace proxima::report
