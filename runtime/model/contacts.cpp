#include "runtime/model/contacts.hpp"

#include <algorithm>
#include <limits>

#include "compiler/support/error.hpp"
#include "compiler/support/nearest.hpp"
#include "runtime/mesh/quality.hpp"
#include "runtime/model/obstacle_shapes.hpp"
#include "runtime/model/value_files.hpp"

namespace proxima::model {
namespace {

using Shape = decltype(Obstacle::shape);

// More than any use; a slip of the keyboard must not ask for all memory.
constexpr double most_points = 2e7;

template <std::size_t N>
std::size_t points_of(const std::array<int, N>& points, const std::string& where) {
  double count = 1;
  for (const int along : points) count *= along;
  if (count > most_points)
    fail("{}.points: a grid of {} points is asked for; {} are the most", where, count, most_points);
  return static_cast<std::size_t>(count);
}

struct MakeShape {
  const std::string& where;
  const FunctionLoader& load;
  bool inside;

  AnalyticDistance analytic(std::shared_ptr<const ir::Function> function,
                            std::vector<std::vector<double>> parameters) const {
    return {inside ? inside_out(*function) : std::move(function), std::move(parameters)};
  }

  Shape operator()(const ShapeSource& source) const {
    std::vector<std::vector<double>> parameters;
    parameters.reserve(source.parameters.size());
    for (const double value : source.parameters) parameters.push_back({value});
    return analytic(obstacle_shape(source.shape), std::move(parameters));
  }

  Shape operator()(const FunctionSource& source) const {
    auto function = load(source.file, source.name);
    if (function->inputs.size() != 1 || function->inputs[0].components != 3 || roots_of(*function).size() != 1)
      fail(
          "{}.function: the function '{}' has {} inputs and {} numbers as outputs; a signed distance has one input of "
          "3, the point, and one number",
          where, function->name, function->inputs.size(), roots_of(*function).size());
    auto parameters = function_parameters(source, *function, where + ".function");
    return analytic(std::move(function), std::move(parameters));
  }

  Shape operator()(const HeightFieldSource& source) const {
    HeightField result{source.points,
                       {-source.length / 2, -source.width / 2},
                       {source.length / (source.points[0] - 1), source.width / (source.points[1] - 1)},
                       {}};
    const std::size_t count = points_of(source.points, where + ".height_field");
    if (const auto* expression = std::get_if<Expression>(&source.heights)) {
      std::vector<Vector3> points;
      points.reserve(count);
      for (int j = 0; j < source.points[1]; ++j)
        for (int i = 0; i < source.points[0]; ++i)
          points.push_back({result.lower[0] + i * result.spacing[0], result.lower[1] + j * result.spacing[1], 0});
      result.heights = evaluate(*expression, points, where + ".height_field.expression");
    } else {
      result.heights = numbers(std::get<std::filesystem::path>(source.heights), count, ".height_field");
    }
    return result;
  }

  Shape operator()(const DistanceGridSource& source) const {
    DistanceGrid result{source.points, source.lower, {}, {}};
    const std::size_t count = points_of(source.points, where + ".distance_grid");
    for (std::size_t axis = 0; axis < 3; ++axis) {
      result.spacing[axis] = (source.upper[axis] - source.lower[axis]) / (source.points[axis] - 1);
      if (!(result.spacing[axis] > 0))
        fail("{}.distance_grid: lower and upper are both {} along {}; upper must be above lower", where,
             source.upper[axis], "xyz"[axis]);
    }
    result.distance = numbers(source.file, count, ".distance_grid");
    if (inside)
      for (double& distance : result.distance) distance = -distance;
    return result;
  }

  Shape operator()(const SurfaceSource& source) const {
    auto mesh = mesh::read(source.file);
    mesh::repair(mesh, 0, fmt::format("'{}'", source.file.string()));  // turns the triangles of closed pieces outwards
    const auto triangles = mesh::boundary_faces(mesh).empty() ? mesh::elements(mesh, mesh::Shape::triangle)
                                                              : mesh::boundary_triangles(mesh);
    ClosedSurface result;
    result.nodes = mesh.nodes;
    for (auto& node : result.nodes)
      for (double& x : node) x *= source.scale;
    for (std::size_t t = 0; t < triangles.count(); ++t) {
      const auto corners = triangles.of(t);
      result.triangles.push_back({corners[0], corners[inside ? 2 : 1], corners[inside ? 1 : 2]});
    }
    return result;
  }

  std::vector<double> numbers(const std::filesystem::path& file, std::size_t count, const char* key) const {
    auto values = read_numbers(file);
    if (values.size() != count)
      fail("{}{}: '{}' has {} numbers; its points need {}", where, key, file.string(), values.size(), count);
    return values;
  }
};

// Who a name stands for: a body, or an obstacle.
struct Side {
  bool obstacle = false;
  std::int32_t number = 0;
};

class Names {
 public:
  Names(const Scene& scene, const Model& model) : scene_(scene) {
    for (const auto& body : model.bodies) bodies_.push_back(body.name.empty() ? "body" : body.name);
    for (const auto& obstacle : model.obstacles) {
      if (std::find(bodies_.begin(), bodies_.end(), obstacle.name) != bodies_.end())
        fail("{}: obstacles: '{}' is the name of a body, too", scene.file.string(), obstacle.name);
      obstacles_.push_back(obstacle.name);
    }
  }

  Side find(const std::string& name, std::size_t pair) const {
    for (const auto* list : {&bodies_, &obstacles_}) {
      const auto found = std::find(list->begin(), list->end(), name);
      if (found != list->end()) return {list == &obstacles_, static_cast<std::int32_t>(found - list->begin())};
    }
    auto all = bodies_;
    all.insert(all.end(), obstacles_.begin(), obstacles_.end());
    const auto where = fmt::format("{}: contact.pairs[{}].between", scene_.file.string(), pair);
    const auto nearest = nearest_name(name, all);
    if (!nearest.empty()) fail("{}: there is no body or obstacle '{}'; did you mean '{}'?", where, name, nearest);
    fail("{}: there is no body or obstacle '{}'; there are {}", where, name, fmt::join(all, ", "));
  }

 private:
  const Scene& scene_;
  std::vector<std::string> bodies_, obstacles_;
};

bool same(const ContactPair& a, const ContactPair& b) {
  return a.body == b.body && a.with_obstacle == b.with_obstacle && a.other == b.other;
}

// The two in one order: a body first, of two bodies the earlier one.
ContactPair pair_of(Side a, Side b, const std::string& where) {
  if (a.obstacle && b.obstacle) fail("{}: both are obstacles, which never touch each other", where);
  if (a.obstacle || (!b.obstacle && b.number < a.number)) std::swap(a, b);
  return {a.number, b.obstacle, b.number, 0, 0};
}

// From an obstacle or a pair.
void set_law(const auto& source, ContactPair& pair) {
  pair.friction = source.friction.value_or(pair.friction);
  pair.friction_across = source.friction_across.value_or(pair.friction_across);
  pair.restitution = source.restitution.value_or(pair.restitution);
}

}  // namespace

void add_contacts(const Scene& scene, const FunctionLoader& load, Model& model) {
  for (std::size_t i = 0; i < scene.obstacles.size(); ++i) {
    const auto& source = scene.obstacles[i];
    const auto where = fmt::format("{}: obstacles[{}]", scene.file.string(), i);
    model.obstacles.push_back({source.name, std::visit(MakeShape{where, load, source.inside}, source.shape),
                               source.motion, source.friction_direction});
  }
  const auto& contact = scene.contact;
  const auto bodies = static_cast<std::int32_t>(std::max<std::size_t>(1, model.bodies.size()));
  for (std::int32_t body = 0; body < bodies; ++body)
    for (std::size_t o = 0; o < scene.obstacles.size(); ++o) {
      ContactPair pair{body, true, static_cast<std::int32_t>(o), contact.friction, contact.restitution};
      set_law(scene.obstacles[o], pair);
      model.contacts.push_back(pair);
    }
  for (std::int32_t body = 0; body < bodies; ++body)
    for (std::int32_t other = body; other < bodies; ++other)
      if (other == body ? contact.self : contact.bodies)
        model.contacts.push_back({body, false, other, contact.friction, contact.restitution, contact.thickness});
  const Names names(scene, model);
  const bool penalty = scene.solver.contact == "penalty";
  if (penalty != contact.penalty.has_value())
    fail("{}: contact.penalty: {}", scene.file.string(),
         penalty ? "solver.contact is \"penalty\", which needs its stiffness"
                 : "is of solver.contact \"penalty\" only, which is \"" + scene.solver.contact + "\"");
  for (std::size_t i = 0; i < contact.pairs.size(); ++i) {
    const auto& source = contact.pairs[i];
    auto pair = pair_of(names.find(source.between[0], i), names.find(source.between[1], i),
                        fmt::format("{}: contact.pairs[{}].between", scene.file.string(), i));
    const auto found = std::find_if(model.contacts.begin(), model.contacts.end(),
                                    [&](const ContactPair& other) { return same(pair, other); });
    if (!source.touch) {
      if (found != model.contacts.end()) model.contacts.erase(found);
      continue;
    }
    pair.friction = contact.friction;
    pair.restitution = contact.restitution;
    if (!pair.with_obstacle) pair.thickness = contact.thickness;
    auto& chosen = found != model.contacts.end() ? *found : model.contacts.emplace_back(pair);
    set_law(source, chosen);
    if (source.thickness && pair.with_obstacle)
      fail("{}: contact.pairs[{}].thickness: is of bodies only; an obstacle has the shape that it has",
           scene.file.string(), i);
    chosen.friction_direction = source.friction_direction;
    chosen.other_direction = source.other_direction;
    // Those of bodies are in the order of the names, the pair in that of the bodies.
    if (!pair.with_obstacle && names.find(source.between[0], i).number != pair.body)
      std::swap(chosen.friction_direction, chosen.other_direction);
    chosen.friction_crossed = source.friction_crossed.value_or(0);
    chosen.thickness = source.thickness.value_or(chosen.thickness);
  }
  for (auto& pair : model.contacts) pair.penalty = contact.penalty;
}

}  // namespace proxima::model
