#include "runtime/model/select.hpp"

#include <algorithm>
#include <numeric>
#include <set>

#include "compiler/support/error.hpp"
#include "compiler/support/nearest.hpp"
#include "runtime/model/shapes.hpp"

namespace proxima::model {
namespace {

using Numbers = std::vector<std::int32_t>;

void make_increasing(Numbers& numbers) {
  std::sort(numbers.begin(), numbers.end());
  numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
}

// Nothing where the body has no such group.
const Numbers* group_nodes(const Body& body, const Group& group) {
  if (const auto* name = std::get_if<std::string>(&group.id)) {
    const auto found = body.groups.find(*name);
    return found == body.groups.end() ? nullptr : &body.group_nodes.at(found->second);
  }
  for (int dimension = 3; dimension > 0; --dimension)
    if (const auto found = body.group_nodes.find({dimension, std::get<std::int32_t>(group.id)});
        found != body.group_nodes.end())
      return &found->second;
  return nullptr;
}

class NodeSelector {
 public:
  NodeSelector(const Model& model, std::vector<const Body*> bodies, const std::string& where)
      : model_(model), bodies_(std::move(bodies)), where_(where) {}

  Numbers operator()(const All&) const {
    Numbers result;
    for (const auto* body : bodies_) {
      const auto begin = result.insert(result.end(), static_cast<std::size_t>(body->nodes), 0);
      std::iota(begin, result.end(), body->first_node);
    }
    return result;
  }

  Numbers operator()(const Group& group) const {
    Numbers result;
    for (const auto* body : bodies_)
      if (const auto* nodes = group_nodes(*body, group)) result.insert(result.end(), nodes->begin(), nodes->end());
    if (result.empty()) refuse(group);
    make_increasing(result);
    return result;
  }

  Numbers operator()(const Numbers& numbers) const {
    if (numbers.empty()) fail("{}: the list of nodes is empty", where_);
    if (bodies_.size() > 1) fail("{}: numbers of nodes are those of one body; 'body' says of which", where_);
    const auto& map = bodies_[0]->node_map;
    const auto of_which = of_body(bodies_[0]->name);
    Numbers result;
    for (const auto number : numbers) {
      if (static_cast<std::size_t>(number) >= map.size())
        fail("{}: node {}{} does not exist, the mesh has nodes 0 to {}", where_, number, of_which, map.size() - 1);
      if (map[number] < 0)
        fail("{}: node {}{} belongs to no element with a material and was left out", where_, number, of_which);
      result.push_back(map[number]);
    }
    make_increasing(result);
    return result;
  }

  Numbers operator()(const auto& shape) const {
    const auto bounds = mesh::bounding_box(model_.mesh);
    const auto inside = points_inside(shape, model_.mesh.nodes, bounds);
    Numbers result;
    for (const auto* body : bodies_) {
      const auto first = std::lower_bound(inside.begin(), inside.end(), body->first_node);
      result.insert(result.end(), first, std::lower_bound(first, inside.end(), body->first_node + body->nodes));
    }
    if (result.empty())
      fail("{}: no node{} {}", where_, bodies_.size() == 1 ? of_body(bodies_[0]->name) : "",
           outside_text(shape, bounds));
    return result;
  }

 private:
  [[noreturn]] void refuse(const Group& group) const {
    if (const auto* name = std::get_if<std::string>(&group.id)) {
      std::map<std::string, mesh::Group> known;
      for (const auto* body : bodies_) known.insert(body->groups.begin(), body->groups.end());
      named_group(known, *name, where_);
      fail("{}: the group '{}' has no node of an element with a material", where_, *name);
    }
    std::set<std::int32_t> known;
    for (const auto* body : bodies_)
      for (const auto& entry : body->group_nodes) known.insert(entry.first.tag);
    fail("{}: no element has tag {}; the tags of this mesh are {}", where_, std::get<std::int32_t>(group.id),
         fmt::join(known, ", "));
  }

  const Model& model_;
  std::vector<const Body*> bodies_;
  const std::string& where_;
};

std::vector<const Body*> chosen_bodies(const std::string& name, const Model& model, const std::string& where) {
  std::vector<const Body*> result;
  std::vector<std::string> known;
  for (const auto& body : model.bodies) {
    if (name.empty() || body.name == name) result.push_back(&body);
    if (!body.name.empty()) known.push_back(body.name);
  }
  if (!result.empty()) return result;
  if (known.empty()) fail("{}: there is no body '{}'; the only one has no name", where, name);
  const auto nearest = nearest_name(name, known);
  if (!nearest.empty()) fail("{}: there is no body '{}'; did you mean '{}'?", where, name, nearest);
  fail("{}: there is no body '{}'; there are {}", where, name, fmt::join(known, ", "));
}

}  // namespace

const mesh::Group& named_group(const std::map<std::string, mesh::Group>& groups, const std::string& name,
                               const std::string& where) {
  const auto found = groups.find(name);
  if (found != groups.end()) return found->second;
  if (groups.empty()) fail("{}: there is no group '{}'; the groups of this mesh have no names", where, name);
  std::vector<std::string> known;
  known.reserve(groups.size());
  for (const auto& entry : groups) known.push_back(entry.first);
  const auto nearest = nearest_name(name, known);
  if (!nearest.empty()) fail("{}: there is no group '{}' in the mesh; did you mean '{}'?", where, name, nearest);
  fail("{}: there is no group '{}' in the mesh; it has {}", where, name, fmt::join(known, ", "));
}

std::vector<std::int32_t> select_nodes(const Selection& selection, const Model& model, const std::string& where) {
  return std::visit(NodeSelector(model, chosen_bodies(selection.body, model, where), where), selection.what);
}

}  // namespace proxima::model
