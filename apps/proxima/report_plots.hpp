// The plots of a report: how the steps of a run went, and the curves of its materials.
#pragma once

#include <vector>

#include "apps/plot/plot.hpp"
#include "apps/proxima/run_folder.hpp"
#include "apps/report/page.hpp"

namespace proxima::app {

// Keeps the least and the greatest of every run of points where there are more than a screen has columns, so that no
// peak is lost.
void thin(plot::Series& series);

// Energies and solving from steps.csv: a section for each group of columns that the file has.
std::vector<report::Section> plot_sections(const RunFolder& run);

// Stress against stretch and shear of each material's energies at its own parameters, as `proxima check` draws them.
report::Section material_section(const RunFolder& run);

}  // namespace proxima::app
