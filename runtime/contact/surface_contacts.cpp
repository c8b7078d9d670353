#include "runtime/contact/surface_contacts.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "compiler/support/error.hpp"
#include "runtime/contact/pair_functions.hpp"
#include "runtime/contact/search.hpp"
#include "runtime/contact/surface_direction.hpp"
#include "runtime/device/parallel.hpp"
#include "runtime/mesh/vectors.hpp"

namespace proxima::contact {

using mesh::add_at;
using mesh::vector_at;
using model::ContactKey;

namespace {

// m: what is nearest to what is asked by fourth powers of distances, which numbers reach from here. A guess that has
// left everything is farther.
constexpr double farthest = 1e60;

bool is_near_by(std::span<const double> x) {
  return std::ranges::all_of(x, [](double coordinate) { return std::abs(coordinate) < farthest; });
}

// A contact of a list that is between surfaces.
struct Seen {
  std::size_t number;  // in the list
  std::size_t search;
  const SurfacePair* pair;
  Four x, start;
  Feature feature;
};

Vector3 combined(const std::array<double, 4>& weights, const Four& nodes) {
  Vector3 sum{};
  for (std::size_t k = 0; k < 4; ++k) mesh::add(sum, weights[k], nodes[k]);
  return sum;
}

Four minus(const Four& a, const Four& b) {
  Four result;
  for (std::size_t k = 0; k < 4; ++k) result[k] = mesh::minus(a[k], b[k]);
  return result;
}

}  // namespace

struct SurfaceContacts::State {
  explicit State(jit::Engine& engine) : functions(engine) {}

  // Of the friction of a pair's surfaces; empty where they have none.
  struct Directions {
    bool any = false;
    SurfaceDirection first, second;
  };

  std::map<std::int32_t, SweptSurface> surfaces;  // by body
  std::vector<Search> searches;                   // one a pair, without a step
  std::vector<char> held;
  std::vector<Directions> directions;  // one a search
  PairFunctions functions;

  const Search* search_of(const ContactKey& key) const {
    const auto found = std::ranges::lower_bound(searches, key.pair, {}, &Search::number);
    return !model::between_bodies(key) || found == searches.end() || found->number != key.pair ? nullptr : &*found;
  }
  std::vector<Seen> see(const StepSpan& span, std::span<const ContactKey> keys, std::span<const double> x) const;
  void set_directions(const Seen& seen, const ContactKey& key, std::span<const double> start, Geometry& contact) const;
  // Of each node: its number in the contact, the sign of its weight in its side's direction, the derivative by that
  // direction, and the one that the node's surface has.
  template <class Visit>
  void each_node(const Seen& seen, const ContactKey& key, const Geometry& bars, Visit visit) const {
    if (!directions[seen.search].any) return;
    for (std::size_t k = 0; k < 4; ++k) {
      const bool own = k < model::first_nodes(key);
      visit(k, own ? 1.0 : -1.0, own ? bars.own_direction : bars.direction, direction_of(seen, key.nodes[k]));
    }
  }
  // From the bars of the directions adds those by the start (empty: not wanted) and returns those by the weights.
  std::array<double, 4> pull_back_directions(const Seen& seen, const ContactKey& key,
                                             const std::array<double, 4>& weights, const Geometry& bars,
                                             std::span<const double> start, std::span<double> by_start) const;

 private:
  // Whose node it is.
  const SurfaceDirection& direction_of(const Seen& seen, std::int32_t node) const {
    const auto& both = directions[seen.search];
    return seen.pair->first->has(node) ? both.first : both.second;
  }
};

// The weights of the other side are negative.
void SurfaceContacts::State::set_directions(const Seen& seen, const ContactKey& key, std::span<const double> start,
                                            Geometry& contact) const {
  if (!directions[seen.search].any) return;
  for (std::size_t k = 0; k < 4; ++k) {
    const bool own = k < model::first_nodes(key);
    mesh::add(own ? contact.own_direction : contact.direction, own ? contact.weights[k] : -contact.weights[k],
              direction_of(seen, key.nodes[k]).at(key.nodes[k], start));
  }
}

std::array<double, 4> SurfaceContacts::State::pull_back_directions(const Seen& seen, const ContactKey& key,
                                                                   const std::array<double, 4>& weights,
                                                                   const Geometry& bars, std::span<const double> start,
                                                                   std::span<double> by_start) const {
  std::array<double, 4> result{};
  each_node(seen, key, bars, [&](std::size_t k, double sign, const Vector3& bar, const SurfaceDirection& direction) {
    result[k] = sign * mesh::dot(bar, direction.at(key.nodes[k], start));
    if (!by_start.empty()) direction.pull_back(key.nodes[k], mesh::scaled(sign * weights[k], bar), by_start);
  });
  return result;
}

std::vector<Seen> SurfaceContacts::State::see(const StepSpan& span, std::span<const ContactKey> keys,
                                              std::span<const double> x) const {
  std::vector<Seen> all;
  all.reserve(keys.size());
  for (std::size_t k = 0; k < keys.size(); ++k)
    if (const auto* search = search_of(keys[k]))
      all.push_back({k,
                     static_cast<std::size_t>(search - searches.data()),
                     &search->pair,
                     nodes_at(keys[k], x),
                     nodes_at(keys[k], span.start),
                     {}});
  device::parallel_chunks(all.size(), 64, [&](std::size_t begin, std::size_t end) {
    for (std::size_t c = begin; c < end; ++c) {
      Seen& seen = all[c];
      const auto& key = keys[seen.number];
      seen.feature = feature_of(*seen.pair, key, nearest(key.kind, seen.x), span.start, x);
    }
  });
  return all;
}

SurfaceContacts::SurfaceContacts(const model::Model& model, jit::Engine& engine)
    : state_(std::make_unique<State>(engine)) {
  state_->held = model::held_nodes(model);
  std::vector<mesh::BoundaryFace> boundary;
  const auto surface_of = [&](std::int32_t body) -> const SweptSurface& {
    const auto found = state_->surfaces.find(body);
    if (found != state_->surfaces.end()) return found->second;
    if (state_->surfaces.empty()) boundary = mesh::boundary_faces(model.mesh);
    return state_->surfaces.try_emplace(body, Surface(model, boundary, body), model.mesh.nodes).first->second;
  };
  const auto box = mesh::bounding_box(model.mesh);
  const double size = mesh::norm(mesh::minus(box.upper, box.lower));
  for (std::size_t k = 0; k < model.contacts.size(); ++k) {
    const auto& pair = model.contacts[k];
    if (pair.with_obstacle) continue;
    Search search;
    search.number = static_cast<std::int32_t>(k);
    search.first = &surface_of(pair.body);
    search.second = &surface_of(pair.other);
    search.pair = {&search.first->surface(), &search.second->surface(), pair.thickness, size};
    search.held = state_->held;
    auto& [any, first, second] = state_->directions.emplace_back();
    const auto& other = pair.other == pair.body ? pair.friction_direction : pair.other_direction;
    any = pair.friction_direction != Vector3{} || other != Vector3{};
    if (pair.friction_direction != Vector3{})
      first = SurfaceDirection(*search.pair.first, model.mesh.nodes, pair.friction_direction);
    if (other != Vector3{}) second = SurfaceDirection(*search.pair.second, model.mesh.nodes, other);
    for (const auto& [body, surface] : {std::pair{pair.body, search.pair.first}, {pair.other, search.pair.second}})
      if (surface->has_sheets() && !(pair.thickness > 0)) {
        const auto names = model::pair_names(model, pair);
        fail(
            "contact of '{}' with '{}': the surface{} has no solid behind it, so the thickness of the contact must be "
            "above 0; it is {} m (contact.thickness, or that of the pair)",
            names[0], names[1],
            model.bodies.empty() ? "" : model::of_body(model.bodies[static_cast<std::size_t>(body)].name),
            pair.thickness);
      }
    state_->searches.push_back(search);
  }
}

SurfaceContacts::~SurfaceContacts() = default;

void SurfaceContacts::candidates(const StepSpan& span, std::span<const double> x, double margin,
                                 std::vector<ContactKey>& keys) {
  if (!is_near_by(x)) return;
  std::vector<ContactKey> found;
  double thickest = 0;
  for (const auto& search : state_->searches) thickest = std::max(thickest, search.pair.thickness);
  for (auto& [body, surface] : state_->surfaces) surface.fit(span.start, x, margin + thickest);
  for (auto search : state_->searches) {
    search.start = span.start;
    search.x = x;
    search.reach = margin + search.pair.thickness;
    find_vertex_faces(search, *search.first, *search.second, found);
    if (search.first != search.second) find_vertex_faces(search, *search.second, *search.first, found);
    find_edge_edges(search, found);
  }
  std::ranges::sort(found);
  found.erase(std::unique(found.begin(), found.end()), found.end());
  keys.insert(keys.end(), found.begin(), found.end());
}

void SurfaceContacts::missed(const StepSpan& span, std::span<const ContactKey> known, std::span<const double> x,
                             double tolerance, std::vector<ContactKey>& keys) {
  std::vector<ContactKey> sorted(known.begin(), known.end()), found;
  std::ranges::sort(sorted);
  candidates(span, x, 0, found);
  std::erase_if(found, [&](const ContactKey& key) { return std::ranges::binary_search(sorted, key); });
  std::vector<Geometry> contacts(found.size());
  evaluate(span, found, x, contacts);
  for (std::size_t k = 0; k < found.size(); ++k)
    if (contacts[k].gap < -tolerance) keys.push_back(found[k]);
}

void SurfaceContacts::evaluate(const StepSpan& span, std::span<const ContactKey> keys, std::span<const double> x,
                               std::span<Geometry> contacts) const {
  for (const auto& seen : state_->see(span, keys, x)) {
    Geometry& contact = contacts[seen.number];
    contact = geometry_of(seen.feature, seen.x);
    contact.gap -= seen.pair->thickness;
    contact.slip = combined(contact.weights, minus(seen.x, seen.start));
    state_->set_directions(seen, keys[seen.number], span.start, contact);
  }
}

void SurfaceContacts::pull_back(const StepSpan& span, std::span<const ContactKey> keys, std::span<const double> x,
                                std::span<const Geometry> bars, std::span<double> by_x, std::span<double> by_start,
                                Places places) const {
  const auto all = state_->see(span, keys, x);
  std::vector<std::array<double, 4>> turning;  // by the weights of each, through the directions
  turning.reserve(all.size());
  for (const auto& seen : all) {  // by the slip at fixed weights; by the gap where the normal is fixed
    const auto& key = keys[seen.number];
    const auto contact = geometry_of(seen.feature, seen.x);
    const bool fixed = seen.feature.kind == FormulaKind::touching;
    for (std::size_t k = 0; k < 4; ++k) {
      const std::size_t place = place_of(places, key, seen.number, k);
      add_at(by_x, place, contact.weights[k], bars[seen.number].slip);
      if (!by_start.empty()) add_at(by_start, key.nodes[k], -contact.weights[k], bars[seen.number].slip);
      if (fixed) add_at(by_x, place, contact.weights[k] * bars[seen.number].gap, contact.normal);
    }
    turning.push_back(
        state_->pull_back_directions(seen, key, contact.weights, bars[seen.number], span.start, by_start));
  }
  std::vector<double> points, numbers;
  for (const auto kind : {FormulaKind::plane, FormulaKind::lines, FormulaKind::line, FormulaKind::point}) {
    points.clear();
    numbers.clear();
    for (std::size_t c = 0; c < all.size(); ++c) {
      const auto& seen = all[c];
      const auto& feature = seen.feature;
      if (feature.kind != kind) continue;
      const auto& bar = bars[seen.number];
      const auto moved = minus(seen.x, seen.start);
      numbers.push_back(feature.side * bar.gap);
      for (const double by_normal : bar.normal) numbers.push_back(feature.side * feature.flip * by_normal);
      for (std::size_t k = 0; k < feature.points; ++k) {
        const std::size_t slot = feature.slots[k];
        points.insert(points.end(), seen.x[slot].begin(), seen.x[slot].end());
        numbers.push_back(feature.flip * (bar.weights[slot] + turning[c][slot] + mesh::dot(bar.slip, moved[slot])));
      }
    }
    const auto by_points = state_->functions.of(kind).pull_back(points, {}, numbers).inputs;
    std::size_t next = 0;
    for (const auto& seen : all)
      for (std::size_t k = 0; k < seen.feature.points && seen.feature.kind == kind; ++k)
        add_at(by_x, place_of(places, keys[seen.number], seen.number, seen.feature.slots[k]), 1,
               vector_at(by_points, next++));
  }
}

void SurfaceContacts::pull_back_rest(const StepSpan& span, std::span<const ContactKey> keys, std::span<const double> x,
                                     std::span<const Geometry> bars, std::span<double> by_rest) const {
  for (const auto& seen : state_->see(span, keys, x)) {
    const auto& key = keys[seen.number];
    const auto weights = geometry_of(seen.feature, seen.x).weights;
    state_->each_node(seen, key, bars[seen.number],
                      [&](std::size_t k, double sign, const Vector3& bar, const SurfaceDirection& direction) {
                        direction.pull_back_rest(key.nodes[k], mesh::scaled(sign * weights[k], bar), span.start,
                                                 by_rest);
                      });
  }
}

void SurfaceContacts::set_rest(std::span<const Vector3> nodes) {
  for (auto& [any, first, second] : state_->directions) {
    first.set_rest(nodes);
    second.set_rest(nodes);
  }
}

}  // namespace proxima::contact
