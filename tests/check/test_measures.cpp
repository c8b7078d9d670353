// The same checks for membranes, edges, stencils, dissipation and histories, on energies written down as graphs.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "compiler/check/check.hpp"
#include "compiler/check/text.hpp"
#include "compiler/ir/expression.hpp"

namespace proxima::check {
namespace {

using ir::Expression;
using ir::InputKind;
using ir::Measure;
using testing::HasSubstr;
using testing::IsEmpty;
using Json = nlohmann::json;

class Author {
 public:
  Author(std::string name, Measure measure, std::uint32_t stencil = 0) {
    energy_.name = std::move(name);
    energy_.file = "here.cpp";
    energy_.measure = measure;
    energy_.stencil = stencil;
  }
  Expression strain(std::uint32_t k) { return slot(k); }
  Expression input(InputKind kind, std::string name, std::uint32_t components, std::uint32_t c) {
    if (energy_.find(kind) == nullptr) energy_.inputs.push_back({kind, std::move(name), components, {}, {}, {}});
    return slot(energy_.input_slot(energy_.inputs.size() - 1) + c);
  }
  Expression number(double value) { return {&energy_.graph, energy_.graph.constant(value)}; }
  ir::Energy& finish(Expression density) {
    energy_.density = density.node;
    return energy_;
  }

 private:
  Expression slot(std::uint32_t k) { return {&energy_.graph, energy_.graph.input(k)}; }
  ir::Energy energy_;
};

Expression square(Expression x) { return x * x; }
Expression sqrt(Expression x) { return x.apply(ir::Op::sqrt); }

Report report_of(const ir::Energy& energy) {
  jit::Engine engine;
  return check(energy, engine, {.parameters = {}, .timing = false});
}
Json json_of(const Report& report) { return Json::parse(to_json({&report, 1}))["energies"][0]; }

std::vector<std::string> errors(const Report& report) {
  std::vector<std::string> sentences;
  for (const Finding& finding : report.findings)
    if (finding.severity == Severity::error) sentences.push_back(finding.sentence);
  return sentences;
}

std::vector<std::string> kernels(const Json& json, const char* check) {
  std::vector<std::string> names;
  for (const Json& row : json.at(check).at(check)) names.push_back(row.at("kernel"));
  return names;
}

// mu |E|^2 + lambda/2 tr(E)^2, E = (F^T F - 1)/2 of `vectors` columns; `F(i, k)` is column k's component i.
template <class Gradient>
Expression st_venant_kirchhoff(Author& author, int vectors, Gradient F, double mu, double lambda) {
  Expression norm = author.number(0), trace = author.number(0);
  for (int k = 0; k < vectors; ++k)
    for (int l = 0; l < vectors; ++l) {
      Expression dot = F(0, k) * F(0, l) + F(1, k) * F(1, l) + F(2, k) * F(2, l);
      const Expression E = 0.5 * (k == l ? dot - 1.0 : dot);
      norm = norm + square(E);
      if (k == l) trace = trace + E;
    }
  return mu * norm + 0.5 * lambda * square(trace);
}

TEST(Membrane, LinearisesToPlaneModuli) {
  Author author("membrane", Measure::surface_deformation_gradient);
  const auto F = [&](int i, int k) { return author.strain(static_cast<std::uint32_t>(2 * i + k)); };
  const Report report = report_of(author.finish(st_venant_kirchhoff(author, 2, F, 300, 200)));
  EXPECT_THAT(errors(report), IsEmpty());
  const Json json = json_of(report);
  EXPECT_NEAR(json["rest"]["poissons_ratio"], 200.0 / 800, 1e-12);
  EXPECT_NEAR(json["rest"]["youngs_modulus"], 2 * 300 * 1.25, 1e-9);
  EXPECT_EQ(json["rest"]["hessian_eigenvalues"].size(), 6u);
  EXPECT_TRUE(json["rotations"]["frame_indifferent"]);
  EXPECT_TRUE(json["isotropy"]["isotropic"]);
  EXPECT_FALSE(json["domain"].contains("inverted"));
  EXPECT_EQ(json["curves"].size(), 3u);
  const Json& bar = json["curves"]["uniaxial"][0];
  for (std::size_t k = 0; k < bar["x"].size(); ++k) {
    const double s = bar["x"][k];
    EXPECT_NEAR(bar["y"][k], 375 * (s * s * s - s), 1e-6);
  }
  EXPECT_THAT(kernels(json, "derivatives"), testing::Contains("pull-back to the rest shape"));
  for (const Json& row : json["derivatives"]["derivatives"]) EXPECT_GE(row["lowest_order"], 1.9) << row;
  EXPECT_THAT(report.describes, HasSubstr("of a surface, J/m^2"));
}

ir::Energy spring(Author author, bool finite_length) {
  const auto x = [&](std::uint32_t k) { return author.strain(k); };
  const Expression length = sqrt(square(x(0)) + square(x(1)) + square(x(2)));
  const Expression rest = author.input(InputKind::rest_length, "rest_length", 1, 0);
  return author.finish(finite_length ? 250.0 * square(length - rest) : 250.0 * square(x(0) - rest));
}

TEST(Edge, HasAStiffness) {
  const Report report = report_of(spring({"spring", Measure::edge_vector}, true));
  EXPECT_THAT(errors(report), IsEmpty()) << to_text(report);
  const Json json = json_of(report);
  EXPECT_NEAR(json["rest"]["stiffness"], 500, 1e-10);
  EXPECT_NEAR(json["rest"]["weight"], 500, 1e-10);
  EXPECT_FALSE(json.contains("isotropy"));
  EXPECT_EQ(json["curves"].size(), 1u);
  EXPECT_EQ(json["curves"]["uniaxial"].size(), 2u);
  EXPECT_THAT(json["domain"]["point"], HasSubstr("divided by 0"));  // the direction of an edge of no length
}

TEST(Edge, ThatLooksAtOneAxisIsNotFrameIndifferent) {
  const Report report = report_of(spring({"axis", Measure::edge_vector}, false));
  const Json json = json_of(report);
  EXPECT_FALSE(json["rotations"]["frame_indifferent"]);
}

// The distance of nodes 2 and 3 keeps its rest value; or, wrongly, node 0 its height.
ir::Energy hinge(Author author, bool of_distance) {
  const auto squared_distance = [&](auto at) {
    return square(at(6) - at(9)) + square(at(7) - at(10)) + square(at(8) - at(11));
  };
  const auto x = [&](std::uint32_t k) { return author.strain(k); };
  const auto X = [&](std::uint32_t k) { return author.input(InputKind::rest_positions, "rest_positions", 12, k); };
  return author.finish(of_distance ? 5.0 * square(squared_distance(x) - squared_distance(X)) : square(x(2) - X(2)));
}

TEST(Stencil, IsCheckedForMotionsToo) {
  const Report right = report_of(hinge({"hinge", Measure::node_positions, 4}, true));
  EXPECT_THAT(errors(right), IsEmpty());
  const Json json = json_of(right);
  EXPECT_LE(json["rotations"]["translation_error"], 1e-9);
  EXPECT_FALSE(json.contains("growth"));
  EXPECT_TRUE(json["curves"].empty());
  EXPECT_THAT(right.describes, HasSubstr("node positions, J"));

  const Report wrong = report_of(hinge({"height", Measure::node_positions, 4}, false));
  EXPECT_THAT(errors(wrong), testing::Contains(HasSubstr("depends on where the body is")));
}

// eta/(2 h^2) |E(F) - E(F_previous)|^2, or without the Green strain, or of the wrong sign.
ir::Energy dashpot(Author author, bool of_green_strain, double eta) {
  const auto F = [&](int i, int k) { return author.strain(static_cast<std::uint32_t>(3 * i + k)); };
  const auto before = [&](int i, int k) {
    return author.input(InputKind::previous_strain, "previous_strain", 9, static_cast<std::uint32_t>(3 * i + k));
  };
  const auto entry = [&](auto of, int k, int l) {
    return of_green_strain ? 0.5 * (of(0, k) * of(0, l) + of(1, k) * of(1, l) + of(2, k) * of(2, l)) : of(k, l);
  };
  Expression sum = author.number(0);
  for (int k = 0; k < 3; ++k)
    for (int l = 0; l < 3; ++l) sum = sum + square(entry(F, k, l) - entry(before, k, l));
  ir::Energy energy = author.finish(sum);
  Expression h{&energy.graph, energy.graph.input(energy.slots())};
  energy.inputs.push_back({InputKind::time_step, "time_step", 1, {}, {}, {}});
  energy.density = (0.5 * eta * Expression{&energy.graph, sum.node} / square(h)).node;
  energy.dissipation = true;
  return energy;
}

TEST(Dissipation, MayOnlyTakeEnergyOutAndLeaveRotationsAlone) {
  const Author author("dashpot", Measure::deformation_gradient);
  const Report right = report_of(dashpot(author, true, 20));
  EXPECT_THAT(errors(right), IsEmpty());
  const Json json = json_of(right);
  EXPECT_FALSE(json.contains("growth"));
  EXPECT_TRUE(json["curves"].empty());
  EXPECT_EQ(json["dissipation"]["least"], 0);
  EXPECT_THAT(kernels(json, "derivatives"), testing::Contains("pull-back to the previous step"));
  for (const Json& row : json["derivatives"]["derivatives"]) EXPECT_GE(row["lowest_order"], 1.9) << row;

  EXPECT_THAT(errors(report_of(dashpot(author, false, 20))),
              testing::Contains(HasSubstr("a rotation within a time step counts as deformation")));
  EXPECT_THAT(errors(report_of(dashpot(author, true, -20))),
              testing::Contains(HasSubstr("the dissipation is negative")));
}

// The author's rule gives a point that is not the closest: the stress, which takes it for that, is not the derivative.
TEST(Projection, ToAPointThatIsNotTheClosestIsFound) {
  for (const double share : {0.0, 0.25}) {
    Author author("rule", Measure::edge_vector);
    const auto x = [&](std::uint32_t k) { return author.strain(k); };
    const Expression length = sqrt(square(x(0)) + square(x(1)) + square(x(2)));
    Expression sum = author.number(0);
    ir::Projection projection{.weight = author.number(40).node, .closest = {}};
    for (std::uint32_t k = 0; k < 3; ++k) {
      const Expression on_sphere = x(k) / length;
      const Expression p = on_sphere + share * (x(k) - on_sphere);
      projection.closest.push_back(p.node);
      sum = sum + x(k).apply(ir::Op::gap, {p});
    }
    ir::Energy energy = author.finish(40.0 * sum);
    energy.projection = projection;
    const Report report = report_of(energy);
    if (share == 0)
      EXPECT_THAT(errors(report), IsEmpty());
    else
      EXPECT_THAT(errors(report), testing::Contains(HasSubstr("the stress is not the derivative of the energy")));
    EXPECT_THAT(kernels(json_of(report), "compiled"), testing::Contains("projective local step"));
  }
}

TEST(History, IsHeldAtItsStartAndItsKernelsAreTried) {
  Author author("creep", Measure::deformation_gradient);
  const auto F = [&](int i, int k) { return author.strain(static_cast<std::uint32_t>(3 * i + k)); };
  const Expression h = author.input(InputKind::history, "set", 1, 0);
  Expression I1 = author.number(-3);
  for (int k = 0; k < 9; ++k) I1 = I1 + square(author.strain(static_cast<std::uint32_t>(k)));
  const Expression update = h + 0.1 * (I1 - h);
  ir::Energy energy = author.finish(st_venant_kirchhoff(author, 3, F, 300, 200) + 40.0 * square(I1 - h));
  energy.inputs[0].initial = {0};
  energy.inputs[0].update = {update.node};
  const Report report = report_of(energy);
  EXPECT_THAT(errors(report), IsEmpty());
  const Json json = json_of(report);
  EXPECT_THAT(kernels(json, "compiled"), testing::Contains("histories after a step"));
  EXPECT_THAT(kernels(json, "derivatives"), testing::Contains("pull-back to the previous step"));
  EXPECT_THAT(kernels(json, "derivatives"), testing::Contains("pull-back of the histories"));
  for (const Json& row : json["derivatives"]["derivatives"]) EXPECT_GE(row["lowest_order"], 1.9) << row;
  for (const Json& row : json["compiled"]["compiled"]) EXPECT_LE(row["fp64_error"], 1e-10) << row;
}

}  // namespace
}  // namespace proxima::check
