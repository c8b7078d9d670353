// The elements of one region as the kernels see them: one item for each quadrature point, with its nodes and, by name,
// the field of everything but positions that a kernel may ask for. Knows neither kernels nor time.
#pragma once

#include <array>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "runtime/device/launch.hpp"
#include "runtime/model/model.hpp"

namespace proxima::solve {

class ElementSet {
 public:
  // Fields "gradients", "volume", "rest_length", "rest_positions" where the shape has them, "time_step", and
  // "direction:NAME" (unit length; in the frame of the element for triangles). Throws what mesh::rest_geometry throws.
  ElementSet(const model::Model& model, const model::Region& region, int lanes);

  // Other directions, and another rest shape of the same elements; fields keep their names.
  void set_directions(const model::Region& region);
  void set_rest(std::span<const mesh::Vector3> nodes);
  // Fields "shape_gradients" and "quadrature_weight", of elements that are no simplex, for kernels that compute the
  // rest geometry themselves.
  void set_own_coordinates();
  // Of the direction field `field` (in the order of the energy's): adds to `bars`, one vector or one an element as the
  // region gives them, the derivatives by what the region gives, from those by the components that kernels see, 3 an
  // item in a kernel's output field.
  void add_direction_pull_back(std::size_t field, std::span<const double> by_components,
                               std::vector<mesh::Vector3>& bars) const;

  const mesh::Elements& elements() const { return region_.elements; }
  const model::Region& region() const { return region_; }  // as it was given at first
  const mesh::RestGeometry& rest() const { return rest_; }
  const device::Tiling& tiling() const { return tiling_; }
  std::size_t points() const { return static_cast<std::size_t>(rest_.points); }  // of an element
  std::size_t items() const { return rest_.measure.size(); }

  // "tet 12", counted in the mesh, or "hinge 3 of region 'cloth'".
  std::string name_of(std::size_t element) const { return model::element_name(region_, element); }
  // Where each element stands in the mesh's block of that shape; none where the mesh does not list them.
  const std::vector<std::int32_t>& numbers() const { return region_.numbers; }

  void set_uniform(const std::string& name, double value);
  // `components` values an element, which all its points get, or a point.
  void set_of_elements(const std::string& name, std::span<const double> values, int components);
  void set_of_points(const std::string& name, std::span<const double> values, int components);

  // A field as it lies in tiles; of a uniform one `components` is 0 and there is one value. `version`: another one
  // after each change.
  struct Field {
    int components = 0;
    device::AlignedVector<double> values{};
    std::uint64_t version = 0;
  };
  // Throws std::logic_error for a name that nobody has set: a kernel for other elements.
  const Field& find(const std::string& name) const;

  // Base pointer of a field. Throws as find().
  const double* field(const std::string& name) const { return find(name).values.data(); }
  // Component c of the field at an item.
  double value(const std::string& name, std::size_t item, int component) const;
  bool is_uniform(const std::string& name) const { return find(name).components == 0; }

  // One number an item from a kernel's output field, component c of `components`.
  double output(std::span<const double> field, std::size_t item, int component, int components) const {
    return field[tiling_.at(item, component, components)];
  }

 private:
  void set_geometry(std::span<const mesh::Vector3> nodes);
  // The rows of the axes that an element's directions are given in to kernels: the frame of triangles, else of space.
  std::array<mesh::Vector3, 3> axes(std::size_t element) const;

  model::Region region_;                                // its values are in fields_
  std::vector<std::vector<mesh::Vector3>> directions_;  // as given, for each field one vector or one an element
  mesh::RestGeometry rest_;
  device::Tiling tiling_;
  std::map<std::string, Field> fields_;
  std::uint64_t changes_ = 0;
};

}  // namespace proxima::solve
