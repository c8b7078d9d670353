// A check's report as one HTML page that needs nothing from elsewhere, and its curves as pictures.
#pragma once

#include <filesystem>
#include <span>
#include <string>

#include "compiler/check/report.hpp"

namespace proxima::app {

// One curve as SVG; `name` is the energy's, or the material's.
std::string curve_svg(const std::string& name, const check::Curve& curve);

std::string check_page(std::span<const check::Report> reports);

// ENERGY_CURVE.svg for each curve into `folder`, which is made. Throws Error naming a file that cannot be written.
void write_curves(std::span<const check::Report> reports, const std::filesystem::path& folder);

}  // namespace proxima::app
