// The bodies of a scene, and what they are made of.
#include <algorithm>
#include <set>

#include "runtime/model/scene_values.hpp"

namespace proxima::model {
namespace {

using Json = SceneValues::Json;

class BodyReader {
 public:
  explicit BodyReader(const SceneValues& values) : values_(values) {}

  BodySource read(Json& value, const std::string& name, const std::string& key) {
    BodySource body;
    body.name = name;
    body.key = key;
    body.mesh = mesh(value["mesh"], key + "mesh");
    Json& list = value["materials"];
    if (list.empty()) values_.refuse(key + "materials", "is empty, a body needs at least one");
    for (std::size_t i = 0; i < list.size(); ++i)
      body.materials.push_back(material(list[i], fmt::format("{}materials[{}]", key, i)));
    return body;
  }

 private:
  BoxMesh box(const Json& shape, const std::string& where) const {
    const auto corners = values_.box(shape, where);
    for (int i = 0; i < 3; ++i)
      if (corners.lower[i] == corners.upper[i]) values_.refuse(where, "has no extent along {}", "xyz"[i]);
    BoxMesh result{shape["cells"], corners.lower, corners.upper, shape["elements"] == "hexahedra"};
    if (shape.contains("where")) result.where = Expression{shape["where"].get<std::string>()};
    return result;
  }

  MeshSource mesh(Json& value, const std::string& where) const {
    MeshSource result;
    result.scale = value["scale"];
    if (value.contains("file")) {
      result.source = values_.path(value["file"]);
    } else if (value.contains("box")) {
      result.source = box(value["box"], where + ".box");
    } else if (value.contains("ball")) {
      const Json& shape = value["ball"];
      result.source = BallMesh{shape["layers"], shape["centre"], shape["radius"]};
    } else {
      const Json& shape = value["grid"];
      result.source = GridMesh{shape["cells"], shape["origin"], shape["along"], shape["across"]};
    }
    return result;
  }

  std::array<Expression, 3> formulas(const Json& texts, const std::string& where) const {
    if (texts.size() != 3)
      values_.refuse(where + ".expression", "has {} formulas, needed are three, of x, y and z", texts.size());
    std::array<Expression, 3> result;
    for (std::size_t i = 0; i < 3; ++i) result[i] = {texts[i].get<std::string>()};
    return result;
  }

  EnergySource energy(Json& value, const std::string& where) const {
    EnergySource result{values_.path(value["energy"]), value["energy_name"], value["form"] == "proximal", {}, {}};
    for (auto& [name, entry] : value["parameters"].items()) {
      auto& target = result.parameters.emplace_back(name, 0.0).second;
      if (entry.is_object() && entry.contains("keyframes"))
        target = values_.signal(entry["keyframes"], fmt::format("{}.parameters.{}.keyframes", where, name));
      else
        std::visit([&](const auto& given) { target = given; }, values_.element_values(entry));
    }
    for (auto& [name, entry] : value["directions"].items()) {
      if (!entry.is_object())
        result.directions.emplace_back(name, entry.get<Vector3>());
      else if (entry.contains("file"))
        result.directions.emplace_back(name, values_.path(entry["file"]));
      else
        result.directions.emplace_back(name,
                                       formulas(entry["expression"], fmt::format("{}.directions.{}", where, name)));
    }
    return result;
  }

  MaterialSource material(Json& value, const std::string& where) {
    MaterialSource result;
    result.name = value["name"];
    if (!names_.insert(result.name).second)
      values_.refuse(where, "a material named '{}' is there already", result.name);
    result.listed = value.contains("energies");
    result.region = values_.element_selection(value["region"], where + ".region");
    if (value.contains("density")) result.density = values_.element_values(value["density"]);
    result.mass_damping = value["damping"]["mass"];
    result.stiffness_damping = values_.element_values(value["damping"]["stiffness"]);
    read_shape(value, where, result);
    if (!result.listed) {
      result.energies.push_back(energy(value, where));
      return result;
    }
    const Json defaults = {
        {"energy_name", ""}, {"form", "as_written"}, {"parameters", Json::object()}, {"directions", Json::object()}};
    for (const auto& [key, absent] : defaults.items())
      if (value[key] != absent)
        values_.refuse(where, "'{}' is beside 'energies'; give it inside the list, to the energy it belongs to", key);
    if (value["energies"].empty()) values_.refuse(where + ".energies", "is empty, at least one is needed");
    for (std::size_t k = 0; k < value["energies"].size(); ++k)
      result.energies.push_back(energy(value["energies"][k], fmt::format("{}.energies[{}]", where, k)));
    return result;
  }

  void read_shape(const Json& value, const std::string& where, MaterialSource& result) const {
    if (value.contains("elements")) {
      using enum mesh::Shape;
      static constexpr mesh::Shape shapes[] = {tetrahedron, hexahedron, triangle, edge, hinge};  // as the key allows
      result.shape = *std::find_if(std::begin(shapes), std::end(shapes), [&](mesh::Shape shape) {
        return value["elements"] == mesh::shape_row(shape).plural;
      });
    }
    if (!value.contains("stencils")) return;
    if (result.shape)
      values_.refuse(where, "'stencils' is beside 'elements'; one of them says what the material is of");
    if (!std::holds_alternative<All>(result.region))
      values_.refuse(where, "'stencils' is beside 'region'; the list says where");
    const Json& list = value["stencils"];
    if (list.empty()) values_.refuse(where + ".stencils", "is empty, at least one is needed");
    for (std::size_t i = 0; i < list.size(); ++i) {
      const auto here = fmt::format("{}.stencils[{}]", where, i);
      if (list[i].empty()) values_.refuse(here, "is empty, at least one node is needed");
      if (list[i].size() != list[0].size())
        values_.refuse(here, "has {} nodes, the first has {}; all need as many", list[i].size(), list[0].size());
      result.stencils.push_back(list[i].get<std::vector<std::int32_t>>());
    }
    result.shape = mesh::Shape::stencil;
  }

  const SceneValues& values_;
  std::set<std::string> names_;  // of materials, over all bodies
};

}  // namespace

std::vector<BodySource> read_bodies(Json& scene, const SceneValues& values) {
  BodyReader reader(values);
  if (scene.contains("mesh")) {
    if (!scene.contains("materials")) values.refuse("materials", "is missing; it is needed beside 'mesh'");
    return {reader.read(scene, "", "")};
  }
  if (scene.contains("materials"))
    values.refuse("materials", "is beside 'bodies'; give it inside the list, to the body it belongs to");
  std::vector<BodySource> result;
  Json& list = scene["bodies"];
  if (list.empty()) values.refuse("bodies", "is empty, at least one is needed");
  for (std::size_t b = 0; b < list.size(); ++b) {
    const auto key = fmt::format("bodies[{}]", b);
    const std::string name = list[b]["name"];
    if (name.empty()) values.refuse(key + ".name", "is empty");
    if (std::any_of(result.begin(), result.end(), [&](const BodySource& body) { return body.name == name; }))
      values.refuse(key, "a body named '{}' is there already", name);
    result.push_back(reader.read(list[b], name, key + "."));
    const Json& place = list[b]["place"];
    result.back().place = {place["scale"], place["rotate"], place["translate"]};
    result.back().velocity = list[b]["initial"]["velocity"];
    result.back().angular_velocity = list[b]["initial"]["angular_velocity"];
  }
  return result;
}

}  // namespace proxima::model
