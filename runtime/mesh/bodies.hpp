// Bodies that are made, not read: beside the box, the ball and the sheet of mesh.hpp and element_meshes.hpp. All throw
// Error for sizes and counts that make no body.
#pragma once

#include <string>

#include "runtime/mesh/mesh.hpp"

namespace proxima::mesh {

// A solid torus of tetrahedra about the z axis. Its section is a disc of `layers` rings of 6, 12, ... triangles'
// corners around the centre; `segments` of them go around (3 at least), each prism between two cut into three tets.
Mesh make_torus(double radius, double tube_radius, int layers, int segments);

// An open cylinder of triangles about the z axis, from 0 to `height`, normals outwards.
Mesh make_cylinder_shell(double radius, double height, int around, int along);

// A sphere of 20 n^2 triangles about the origin, the surface of make_ball, normals outwards.
Mesh make_sphere_shell(double radius, int n);

// Cubes of the given side whose centres lie inside the surface: where its winding number is not 0. The surface is that
// of the mesh's triangles, or of its solids; it has to be closed, and may cross itself. Deciding is exact for what
// counts: a centre in the plane of an edge or a corner is given to exactly one of the triangles that meet there (ties
// are broken as if the centre were moved by (e, e^2)), so no hole and no spike comes of it. Throws Error naming `name`:
// not closed, no cube's centre inside, more than 50 million cubes in the box.
Mesh make_voxels(const Mesh& surface, double side, const std::string& name);

// Tetrahedra inside a closed surface, by Gmsh's library, whose triangles stay; `size` is the longest edge wished for
// inside (m; 0: as the surface suggests). The library (libgmsh.so.4.8, GPL) is looked for when this is called and never
// linked. Throws Error naming `name`: the library is missing, the surface is not closed, what Gmsh complains of.
Mesh make_tetrahedra(const Mesh& surface, double size, const std::string& name);
// Whether the library is there; `why` says what the loader says where it is not.
bool gmsh_is_there(std::string& why);

// The triangles of a mesh, or the boundary of its solids where it has none, with the nodes of the mesh. Throws Error
// naming `name` unless they are closed.
Elements closed_surface(const Mesh& mesh, const std::string& name);

}  // namespace proxima::mesh
