#include "tests/derive/measures.hpp"

#include <Eigen/Dense>
#include <array>
#include <cmath>
#include <random>

#include "compiler/ir/closest_point.hpp"
#include "compiler/ir/expression.hpp"
#include "compiler/ir/interpreter.hpp"

namespace proxima::test {
namespace {

using ir::Expression;
using ir::Input;
using ir::InputKind;
using ir::Measure;
using ir::Op;
using Vector = std::vector<Expression>;
using Matrix = Eigen::Matrix<long double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

// Declares an energy's inputs in order; `strain` first.
class Writer {
 public:
  Writer(std::string name, Measure measure, std::uint32_t stencil = 0) {
    energy_.name = std::move(name);
    energy_.measure = measure;
    energy_.stencil = stencil;
    for (std::uint32_t k = 0; k < energy_.strain_components(); ++k) strain.push_back(next());
  }
  Expression parameter(const std::string& name, double value) {
    energy_.parameters.push_back(
        {.name = name, .unit = "", .default_value = value, .lower = -INFINITY, .upper = INFINITY, .where = {}});
    return next();
  }
  Vector input(InputKind kind, const std::string& name, std::uint32_t components) {
    energy_.inputs.push_back(
        {.kind = kind, .name = name, .components = components, .initial = {}, .update = {}, .where = {}});
    Vector nodes;
    for (std::uint32_t k = 0; k < components; ++k) nodes.push_back(next());
    return nodes;
  }
  void update(const Vector& values) {
    for (const Expression& value : values) energy_.inputs.back().update.push_back(value.node);
  }
  void project(Expression weight, const Vector& closest) {
    energy_.projection.emplace();
    energy_.projection->weight = weight.node;
    for (const Expression& value : closest) energy_.projection->closest.push_back(value.node);
  }
  void dissipates() { energy_.dissipation = true; }
  ir::Energy finish(Expression density) {
    energy_.graph = graph_;
    energy_.density = density.node;
    return energy_;
  }
  Vector strain;

 private:
  Expression next() { return {&graph_, graph_.input(slot_++)}; }
  ir::Graph graph_;
  ir::Energy energy_;
  std::uint32_t slot_ = 0;
};

Expression dot(const Vector& a, const Vector& b) {
  Expression sum = a[0] * b[0];
  for (std::size_t k = 1; k < a.size(); ++k) sum = sum + a[k] * b[k];
  return sum;
}
Expression square(Expression x) { return x * x; }
Expression norm(const Vector& a) { return dot(a, a).apply(Op::sqrt); }
Vector minus(const Vector& a, const Vector& b) {
  Vector result;
  for (std::size_t k = 0; k < a.size(); ++k) result.push_back(a[k] - b[k]);
  return result;
}
Vector cross(const Vector& a, const Vector& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}
// F^T F of F with 3 rows, row by row.
Vector right_cauchy_green(const Vector& F) {
  const std::size_t columns = F.size() / 3;
  Vector C;
  for (std::size_t i = 0; i < columns; ++i)
    for (std::size_t j = 0; j < columns; ++j)
      C.push_back(F[i] * F[j] + F[columns + i] * F[columns + j] + F[2 * columns + i] * F[2 * columns + j]);
  return C;
}
Vector times(const Vector& F, const Vector& a) {
  const std::size_t columns = F.size() / 3;
  Vector result;
  for (std::size_t i = 0; i < 3; ++i) {
    Expression sum = F[columns * i] * a[0];
    for (std::size_t j = 1; j < columns; ++j) sum = sum + F[columns * i + j] * a[j];
    result.push_back(sum);
  }
  return result;
}
Expression determinant(const Vector& F) {
  return dot({F[0], F[1], F[2]}, cross({F[3], F[4], F[5]}, {F[6], F[7], F[8]}));
}

// Neo-Hookean matrix, a fibre with its own rest stretch, and a viscous branch whose strain is a history.
ir::Energy solid_with_inputs() {
  Writer w("solid_with_inputs", Measure::deformation_gradient);
  const Expression mu = w.parameter("mu", 3), fibre = w.parameter("fibre", 2);
  const Vector viscous = w.input(InputKind::history, "viscous", 9);
  const Vector a = w.input(InputKind::direction, "a", 3);
  const Vector C = right_cauchy_green(w.strain);
  const Expression J = determinant(w.strain);
  const Vector apart = minus(C, viscous);
  const Vector Fa = times(w.strain, a);
  const Expression density = 0.5 * mu * (C[0] + C[4] + C[8] - 3) - mu * J.apply(Op::log) + 2 * square(J - 1) +
                             0.25 * fibre * square(dot(Fa, Fa) - 1) + 0.3 * dot(apart, apart);
  ir::Energy energy = w.finish(density);
  // The viscous strain follows C by half; the update's nodes belong to the same graph.
  for (std::size_t k = 0; k < 9; ++k)
    energy.inputs[0].update.push_back(
        (0.5 * (Expression{&energy.graph, C[k].node} + Expression{&energy.graph, viscous[k].node})).node);
  return energy;
}

// Dissipation of the rate of the Green strain: nothing happens to a body that turns.
ir::Energy kelvin_voigt() {
  Writer w("kelvin_voigt", Measure::deformation_gradient);
  const Expression eta = w.parameter("eta", 4);
  const Vector previous = w.input(InputKind::previous_strain, "previous", 9);
  const Expression h = w.input(InputKind::time_step, "h", 1)[0];
  const Vector change = minus(right_cauchy_green(w.strain), right_cauchy_green(previous));
  w.dissipates();
  return w.finish(0.125 * eta * dot(change, change) / square(h));
}

// Logarithmic strain in a metric that the fibre direction is a part of: parameters inside a decomposed matrix.
ir::Energy stretched_fibres() {
  Writer w("stretched_fibres", Measure::deformation_gradient);
  const Expression k = w.parameter("k", 3), share = w.parameter("share", 0.3);
  const Vector a = w.input(InputKind::direction, "a", 3);
  const Vector Fa = times(w.strain, a);
  std::vector<ir::NodeId> entries;
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 3; ++j) entries.push_back((w.strain[3 * i + j] + share * Fa[i] * a[j]).node);
  ir::Graph& graph = *k.graph;
  const ir::NodeId svd = graph.apply(Op::svd, entries);
  const auto log_stretch = [&](std::uint32_t i) { return Expression{&graph, graph.part(svd, i)}.apply(Op::log); };
  const Expression volume = log_stretch(0) + log_stretch(1) + log_stretch(2);
  return w.finish(k * (square(log_stretch(0)) + square(log_stretch(1)) + square(log_stretch(2))) + square(volume));
}

// Half the squared distance to the matrices of a given determinant.
ir::Energy given_volume() {
  Writer w("given_volume", Measure::deformation_gradient);
  const Expression k = w.parameter("k", 3), volume = w.parameter("volume", 0.8);
  std::vector<ir::NodeId> F;
  for (const Expression& entry : w.strain) F.push_back(entry.node);
  Vector closest;
  for (const ir::NodeId node : ir::closest_with_determinant(*k.graph, F, volume.node))
    closest.push_back({k.graph, node});
  w.project(k, closest);
  Expression sum = w.strain[0].apply(Op::gap, {closest[0]});
  for (std::size_t i = 1; i < 9; ++i) sum = sum + w.strain[i].apply(Op::gap, {closest[i]});
  return w.finish(k * sum);
}

ir::Energy membrane() {
  Writer w("membrane", Measure::surface_deformation_gradient);
  const Expression k = w.parameter("k", 5), warp = w.parameter("warp", 3);
  const Vector a = w.input(InputKind::direction, "a", 3);
  const Vector C = right_cauchy_green(w.strain);
  const Vector Fa = times(w.strain, {a[0], a[1]});
  return w.finish(0.25 * k * (square(C[0] - 1) + square(C[3] - 1) + 2 * square(C[1])) +
                  0.1 * k * square(C[0] + C[3] - 2) + 0.25 * warp * square(dot(Fa, Fa) - a[0] * a[0] - a[1] * a[1]));
}

ir::Energy spring() {
  Writer w("spring", Measure::edge_vector);
  const Expression k = w.parameter("k", 7);
  const Expression L = w.input(InputKind::rest_length, "L", 1)[0];
  return w.finish(0.5 * k * L * square(norm(w.strain) / L - 1));
}

// The spring again, as half the squared distance to the sphere of its rest length.
ir::Energy projected_spring() {
  Writer w("projected_spring", Measure::edge_vector);
  const Expression k = w.parameter("k", 7);
  const Expression L = w.input(InputKind::rest_length, "L", 1)[0];
  const Expression length = norm(w.strain);
  Vector closest;
  for (const Expression& x : w.strain) closest.push_back(L * x / length);
  w.project(k, closest);
  const auto gap = [&](std::size_t i) { return w.strain[i].apply(Op::gap, {closest[i]}); };
  return w.finish(k * (gap(0) + gap(1) + gap(2)));
}

Expression hinge_angle(const Vector& x) {
  const auto node = [&](std::size_t s) { return Vector{x[3 * s], x[3 * s + 1], x[3 * s + 2]}; };
  const Vector edge = minus(node(1), node(0));
  const Vector n1 = cross(edge, minus(node(2), node(0))), n2 = cross(minus(node(3), node(0)), edge);
  return (dot(cross(n1, n2), edge) / norm(edge)).apply(Op::atan2, {dot(n1, n2)});
}

ir::Energy hinge() {
  Writer w("hinge", Measure::node_positions, 4);
  const Expression k = w.parameter("k", 2);
  const Vector rest = w.input(InputKind::rest_positions, "rest", 12);
  const Vector edge = minus({rest[3], rest[4], rest[5]}, {rest[0], rest[1], rest[2]});
  return w.finish(0.5 * k * norm(edge) * square(hinge_angle(w.strain) - hinge_angle(rest)));
}

Extended derivatives_of_hexahedron(const std::array<long double, 3>& xi) {
  constexpr int corner[8][3] = {{-1, -1, -1}, {1, -1, -1}, {1, 1, -1}, {-1, 1, -1},
                                {-1, -1, 1},  {1, -1, 1},  {1, 1, 1},  {-1, 1, 1}};
  Extended result;
  for (int s = 1; s < 8; ++s)
    for (int a = 0; a < 3; ++a) {
      long double d = 0.125L * corner[s][a];
      for (std::size_t b = 0; b < 3; ++b)
        if (static_cast<int>(b) != a) d *= 1 + corner[s][b] * xi[b];
      result.push_back(d);
    }
  return result;
}

Fields element(const Extended& rest, unsigned seed) {
  Fields fields;
  fields["rest"] = rest;
  // A stretch, a shear and a shift, and a little of its own for each corner.
  const Extended jitter = random_vector(rest.size(), seed), more = random_vector(rest.size(), seed + 1);
  Extended x, previous;
  for (std::size_t s = 0; s < rest.size() / 3; ++s) {
    const long double X = rest[3 * s], Y = rest[3 * s + 1], Z = rest[3 * s + 2];
    const Extended at = {1.1L * X + 0.2L * Y + 3, 0.9L * Y - 0.1L * Z - 1, 0.15L * X + 1.05L * Z + 2};
    for (std::size_t i = 0; i < 3; ++i) {
      x.push_back(at[i] + 0.06L * jitter[3 * s + i]);
      previous.push_back(at[i] - 0.1L + 0.05L * more[3 * s + i]);
    }
  }
  fields["positions"] = x;
  fields["previous"] = previous;
  fields["direction"] = random_vector(rest.size(), seed + 2);
  return fields;
}

const Extended tetrahedron = {0.1L, 0.2L, 0, 1.1L, 0.1L, 0.3L, 0, 1.3L, 0.1L, 0.2L, 0.1L, 0.9L};
const Extended hexahedron = {0,    0, 0, 1.1L, 0.1L, 0, 1,    0.9L, 0.1L, -0.1L, 1, 0,
                             0.1L, 0, 1, 1,    0,    1, 1.2L, 1.1L, 0.9L, 0,     1, 1.1L};
const Extended triangle = {0.2L, 0.1L, 0, 1.3L, 0.3L, 0.2L, 0.4L, 1.1L, -0.3L};
const Extended quadrilateral = {0.2L, 0.1L, 0, 1.3L, 0.3L, 0.2L, 1.2L, 1.3L, 0.1L, 0.1L, 1.1L, -0.2L};
const Extended edge = {0.3L, -0.2L, 0.5L, 1, 0.4L, -0.1L};
const Extended hinge_nodes = {0, 0, 0, 1, 0.1L, 0, 0.4L, 0.9L, 0.2L, 0.6L, -0.8L, 0.3L};

}  // namespace

std::vector<Sample> samples() {
  std::vector<Sample> result;
  const auto add = [&](std::string name, ir::Energy energy, derive::Shape shape, const Extended& rest) -> Fields& {
    Fields fields = element(rest, static_cast<unsigned>(result.size()) * 10 + 1);
    for (const ir::Parameter& parameter : energy.parameters)
      fields["parameter:" + parameter.name] = {parameter.default_value};
    for (const Input& input : energy.inputs) {
      if (input.kind == InputKind::direction) fields["direction:" + input.name] = {0.6L, 0.64L, 0.48L};
      if (input.kind == InputKind::history)
        fields["history:" + input.name] = random_vector(input.components, static_cast<unsigned>(result.size()));
    }
    fields["time_step"] = {0.1L};
    result.push_back({std::move(name), std::move(energy), shape, fields, true});
    return result.back().fields;
  };
  add("solid_on_tetrahedron", solid_with_inputs(), {4, 3}, tetrahedron);
  const auto at_a_gauss_point = [](Fields& fields) {
    fields["shape_gradients"] = derivatives_of_hexahedron({-0.577L, 0.577L, 0.577L});
    fields["quadrature_weight"] = {1};
  };
  at_a_gauss_point(add("solid_on_hexahedron", solid_with_inputs(), {8, 3}, hexahedron));
  add("dissipation_on_tetrahedron", kelvin_voigt(), {4, 3}, tetrahedron);
  at_a_gauss_point(add("dissipation_on_hexahedron", kelvin_voigt(), {8, 3}, hexahedron));
  add("stretched_fibres_on_tetrahedron", stretched_fibres(), {4, 3}, tetrahedron);
  result.back().free_of_stress_at_rest = false;
  add("given_volume_on_tetrahedron", given_volume(), {4, 3}, tetrahedron);
  result.back().free_of_stress_at_rest = false;
  add("membrane_on_triangle", membrane(), {3, 2}, triangle);
  Fields& quad = add("membrane_on_quadrilateral", membrane(), {4, 2}, quadrilateral);
  quad["shape_gradients"] = {0.25L, -0.15L, 0.3L, 0.2L, -0.25L, 0.3L};  // of (1 +- xi)(1 +- eta)/4 at a point
  quad["quadrature_weight"] = {1.5L};
  add("spring_on_edge", spring(), {2, 1}, edge);
  add("projected_spring_on_edge", projected_spring(), {2, 1}, edge);
  add("hinge_on_stencil", hinge(), {4, 0}, hinge_nodes);
  return result;
}

const Sample& sample_named(const std::string& name) {
  static const std::vector<Sample> all = samples();
  for (const Sample& sample : all)
    if (sample.name == name) return sample;
  throw std::logic_error("no sample " + name);
}

Fields completed(const derive::Shape& shape, Fields fields) {
  const auto corners = static_cast<Eigen::Index>(shape.corners), dimension = static_cast<Eigen::Index>(shape.dimension);
  const Matrix X = Eigen::Map<const Matrix>(fields["rest"].data(), corners, 3);
  fields["rest_positions"] = fields["rest"];
  if (corners == 2) fields["rest_length"] = {(X.row(1) - X.row(0)).norm()};
  if (dimension < 2) return fields;
  Matrix own = Matrix::Identity(corners - 1, dimension);
  long double weight = dimension == 3 ? 1.0L / 6 : 0.5L;
  if (!shape.simplex()) {
    own = Eigen::Map<const Matrix>(fields["shape_gradients"].data(), corners - 1, dimension);
    weight = fields["quadrature_weight"][0];
  }
  const Matrix edges = X.bottomRows(corners - 1).rowwise() - X.row(0);
  Matrix tangents = edges.transpose() * own;  // 3 x dimension
  if (dimension == 2) {
    const Eigen::Vector3<long double> t = tangents.col(0), n = t.cross(Eigen::Vector3<long double>(tangents.col(1)));
    Matrix frame(2, 3);
    frame.row(0) = t.normalized().transpose();
    frame.row(1) = n.normalized().cross(t.normalized()).transpose();
    tangents = (frame * tangents).eval();
  }
  const Matrix gradients = own * tangents.inverse();
  fields["gradients"] = {gradients.data(), gradients.data() + gradients.size()};
  fields["volume"] = {weight * tangents.determinant()};
  return fields;
}

template <class Number>
Fields run(const ir::Kernel& kernel, const Fields& fields) {
  std::vector<Number> inputs;
  for (const ir::Field& field : kernel.inputs) {
    const Extended& values = fields.at(field.name);
    if (values.size() != kernel.scalars(field)) throw std::logic_error("field " + field.name + " has another size");
    for (long double value : values) inputs.push_back(static_cast<Number>(value));
  }
  const auto values = ir::evaluate<Number>(kernel, inputs);
  Fields result;
  std::size_t first = 0;
  for (const ir::Field& field : kernel.outputs) {
    for (std::uint32_t k = 0; k < field.components; ++k) result[field.name].push_back(values[first + k]);
    first += field.components;
  }
  if (first != values.size()) throw std::logic_error("outputs do not add up");
  return result;
}
template Fields run<double>(const ir::Kernel&, const Fields&);
template Fields run<long double>(const ir::Kernel&, const Fields&);

ir::Kernel element_kernel(const Sample& sample, derive::Quantity quantity) {
  return derive::element_kernel(sample.energy, quantity, sample.shape,
                                std::vector<bool>(sample.energy.parameters.size(), false));
}

Extended strain_at(const Sample& sample, const Fields& complete, const Extended& x) {
  const auto corners = static_cast<Eigen::Index>(sample.shape.corners);
  const auto dimension = static_cast<Eigen::Index>(sample.shape.dimension);
  if (sample.energy.measure == Measure::node_positions) return x;
  const Matrix X = Eigen::Map<const Matrix>(x.data(), corners, 3);
  Matrix strain = (X.bottomRows(corners - 1).rowwise() - X.row(0)).transpose();
  if (dimension > 1)
    strain = (strain * Eigen::Map<const Matrix>(complete.at("gradients").data(), corners - 1, dimension)).eval();
  return {strain.data(), strain.data() + strain.size()};
}

long double dot(const Extended& a, const Extended& b) {
  long double sum = 0;
  for (std::size_t k = 0; k < a.size(); ++k) sum += a[k] * b.at(k);
  return sum;
}

Extended moved(Extended x, const Extended& direction, long double h) {
  for (std::size_t k = 0; k < x.size(); ++k) x[k] += h * direction.at(k);
  return x;
}

Extended random_vector(std::size_t size, unsigned seed) {
  std::mt19937 random(seed);
  Extended result;
  for (std::size_t k = 0; k < size; ++k) result.push_back(std::uniform_real_distribution<>(-1, 1)(random));
  return result;
}

}  // namespace proxima::test
