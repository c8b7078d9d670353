// A scene from bytes that nobody vouches for: read, checked, and its model built.
#pragma once

#include <string>
#include <string_view>

namespace proxima::fuzz {

// Nothing outside a folder of its own is read or written, no author's file is compiled: every file that the scene names
// is taken to be one of that name in the folder, where there are a mesh ("mesh.msh"), a list of numbers
// ("numbers.txt") and the names of dsl_examples, whose energies are linked in. Generated meshes are made at most 4
// cells a side, so that much of the time goes into what is done with them.
std::string feed_scene(std::string_view bytes);

}  // namespace proxima::fuzz
