// Small bodies for the tests of the runtime.
#pragma once

#include "runtime/model/model.hpp"

namespace proxima::bodies {

// A bar of 0.1 m along x and `width` (m) along y and z, `cells` cells along x and `across` along y and z, one region of
// log_neo_hookean with E = 5e4 Pa, nu = 0.35, 1000 kg/m^3; 0.01 s steps; free, no gravity, at rest.
model::Model make_bar(int cells = 5, double width = 0.04, int across = 2);

// One tet, the corner of a unit cube, of the bar's material.
model::Model make_tet();

// All tets of the mesh as one region of log_neo_hookean_engineering, nu = 0.4, 1000 kg/m^3, with E = `young` (Pa).
void fill_with_solid(model::Model& model, double young);

// Holds the nodes at the bar's end x = 0 (or x = 0.1), moved as the key frames say about the middle of the end.
void hold_end(model::Model& model, bool far_end, std::vector<model::KeyFrame> motion = {});

// The hardest scene the gradients are checked on: two regions of different stiffness and density, the first with its mu
// given per element, gravity, a nodal force for a part of the time, an initial velocity, an end that is held and
// twisted. `refine` multiplies the cells along each edge.
model::Model make_mixed_scene(int steps, int refine = 1);

// Of that scene: the held region so many times as stiff as the other and pulled so many times as hard, both with this
// Poisson's ratio.
void set_contrast(model::Model& mixed_scene, double contrast, double nu);

// Adds a smooth velocity field, m/s, so that the body deforms.
void stir(model::Model& model, double speed);

}  // namespace proxima::bodies
