#include "tests/dsl/example_references.hpp"

#include <cmath>
#include <functional>

namespace proxima::dsl::examples {
namespace {

const Matrix3d I = Matrix3d::Identity();

struct Lame {
  double mu, lambda;
};
Lame lame(const State& s) {
  const double E = s.number("E"), nu = s.number("nu");
  return {E / (2 * (1 + nu)), E * nu / ((1 + nu) * (1 - 2 * nu))};
}

double hooke(const Lame& m, const Matrix3d& strain) {
  return m.mu * strain.squaredNorm() + 0.5 * m.lambda * std::pow(strain.trace(), 2);
}

// The rotation nearest to F, det F > 0.
Matrix3d rotation(const Matrix3d& F) {
  const Eigen::JacobiSVD<Matrix3d> svd(F, Eigen::ComputeFullU | Eigen::ComputeFullV);
  return svd.matrixU() * svd.matrixV().transpose();
}
Vector3d stretches(const Matrix3d& F) { return Eigen::JacobiSVD<Matrix3d>(F).singularValues(); }

double corotated(const Lame& m, const Matrix3d& F) { return hooke(m, rotation(F).transpose() * F - I); }

double distance_to_rotations(const Matrix3d& F) { return (stretches(F) - Vector3d::Ones()).norm(); }

// By Newton on the conditions of the smallest distance, d + p c(d)/d = s and product d = a, from a scaled s.
double distance_to_determinant(const Matrix3d& F, double a) {
  const Vector3d s = stretches(F);
  Vector3d d = s * std::cbrt(a / s.prod());
  double p = 0;
  for (int k = 0; k < 60; ++k) {
    const double c = d.prod();
    const Vector3d g = c * d.cwiseInverse();
    Eigen::Matrix4d J = Eigen::Matrix4d::Identity();
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j)
        if (i != j) J(i, j) = p * d(3 - i - j);
    J.topRightCorner<3, 1>() = g;
    J.bottomLeftCorner<1, 3>() = g.transpose();
    J(3, 3) = 0;
    Eigen::Vector4d r;
    r << d - s + p * g, c - a;
    const Eigen::Vector4d step = J.fullPivLu().solve(r);
    d -= step.head<3>();
    p -= step(3);
  }
  return (d - s).norm();
}

double simo_miehe(double kappa, double J) { return kappa / 4 * (J * J - 1 - 2 * std::log(J)); }

double ogden(const State& s) {
  const Vector3d x = stretches(s.F());
  const double J = x.prod();
  double psi = simo_miehe(s.number("kappa"), J);
  for (const char* n : {"1", "2", "3"}) {
    const double mu = s.number(std::string("mu") + n), alpha = s.number(std::string("alpha") + n);
    psi += mu / alpha * (std::pow(J, -alpha / 3) * x.array().pow(alpha).sum() - 3);
  }
  return psi;
}

double holzapfel_gasser_ogden(const State& s) {
  const Matrix3d C = s.F().transpose() * s.F();
  const double J = s.F().determinant();
  double psi = s.number("c") / 2 * (C.trace() * std::pow(J, -2.0 / 3) - 3) + simo_miehe(s.number("kappa"), J);
  for (const char* name : {"fibre1", "fibre2"}) {
    const Vector3d a = s.vector(name);
    const double I4 = a.dot(C * a), k1 = s.number("k1"), k2 = s.number("k2");
    if (I4 > 1) psi += k1 / (2 * k2) * (std::exp(k2 * (I4 - 1) * (I4 - 1)) - 1);
  }
  return psi;
}

double muscle_fibre(const State& s) {
  const double l = (s.F() * s.vector("fibre")).norm(), r = (1 - s.number("activation")) / l;
  return s.number("w") / 2 * std::pow((1 - r) * l, 2);
}

Matrix3d green_strain(const Matrix3d& F) { return 0.5 * (F.transpose() * F - I); }

double membrane(const State& s) {
  const Eigen::Matrix2d G = 0.5 * (s.surface_F().transpose() * s.surface_F() - Eigen::Matrix2d::Identity());
  const double E = s.number("E"), nu = s.number("nu");
  // Stress of plane stress, then half of stress times strain.
  const Eigen::Matrix2d S = E / (1 - nu * nu) * ((1 - nu) * G + nu * G.trace() * Eigen::Matrix2d::Identity());
  return s.number("thickness") * 0.5 * S.cwiseProduct(G).sum();
}

double orthotropic_membrane(const State& s) {
  const Eigen::Matrix2d G = 0.5 * (s.surface_F().transpose() * s.surface_F() - Eigen::Matrix2d::Identity());
  const Vector3d warp = s.vector("warp");
  const double angle = std::atan2(warp.y(), warp.x());
  const Eigen::Matrix2d R = Eigen::Rotation2Dd(angle).toRotationMatrix(), L = R.transpose() * G * R;
  // Compliances of the principal axes (Jones, chapter 2), inverted numerically.
  Eigen::Matrix3d compliance = Eigen::Matrix3d::Zero();
  compliance(0, 0) = 1 / s.number("E_warp");
  compliance(1, 1) = 1 / s.number("E_weft");
  compliance(0, 1) = compliance(1, 0) = -s.number("nu") / s.number("E_warp");
  compliance(2, 2) = 1 / s.number("G");
  const Vector3d strain(L(0, 0), L(1, 1), 2 * L(0, 1));
  return s.number("thickness") * 0.5 * strain.dot(compliance.inverse() * strain);
}

Vector3d node(const std::vector<double>& x, std::size_t k) { return Eigen::Map<const Vector3d>(x.data() + 3 * k); }

// Signed angle between the normals, by the angle's cosine and the side on which node 3 lies.
double dihedral_angle(const std::vector<double>& x) {
  const Vector3d n1 = (node(x, 1) - node(x, 0)).cross(node(x, 2) - node(x, 0)).normalized();
  const Vector3d n2 = (node(x, 0) - node(x, 1)).cross(node(x, 3) - node(x, 1)).normalized();
  const double side = n1.dot(node(x, 3) - node(x, 0));
  return (side > 0 ? 1 : -1) * std::acos(std::fmin(1, n1.dot(n2)));
}

double discrete_shell_bending(const State& s) {
  const std::vector<double>& X = s.inputs.at("rest_positions");
  const Vector3d edge = node(X, 1) - node(X, 0);
  const double l = edge.norm();
  const double h1 = edge.cross(node(X, 2) - node(X, 0)).norm() / l, h2 = edge.cross(node(X, 3) - node(X, 0)).norm() / l;
  const double third_of_mean_height = (h1 + h2) / 6;
  return s.number("k") * l / third_of_mean_height * std::pow(dihedral_angle(s.strain) - dihedral_angle(X), 2);
}

double kelvin_voigt(const State& s) {
  const Matrix3d D = (green_strain(s.F()) - green_strain(s.matrix("previous_strain"))) / s.number("time_step");
  const Matrix3d dev = D - D.trace() / 3 * I;
  return s.number("eta") * dev.squaredNorm() + 0.5 * s.number("zeta") * D.trace() * D.trace();
}

// The two terms of the step at the viscous strain that makes their sum smallest.
double standard_linear_solid(const State& s) {
  const Matrix3d A = s.matrix("viscous_strain"), strain = green_strain(s.F()), after = reference_viscous_strain(s);
  const double mu = s.number("mu_v"), eta = mu * s.number("tau"), h = s.number("time_step");
  const double E = s.number("E_relaxed"), nu = s.number("nu_relaxed");
  return hooke({E / (2 * (1 + nu)), E * nu / ((1 + nu) * (1 - 2 * nu))}, strain) + mu * (strain - after).squaredNorm() +
         eta / h * (after - A).squaredNorm();
}

// The return mapping in the principal axes: what Simo (1992) calls the radial return.
struct Return {
  Matrix3d elastic;       // elastic deformation after the step
  Vector3d strain;        // its principal logarithms
  double multiplier = 0;  // of the flow
  Vector3d trial_strain;
};
Return return_mapping(const State& s) {
  const Lame m = lame(s);
  const Eigen::JacobiSVD<Matrix3d> svd(s.F() * s.matrix("plastic_inverse"), Eigen::ComputeFullU | Eigen::ComputeFullV);
  Return result;
  result.trial_strain = svd.singularValues().array().log();
  const double mean = result.trial_strain.mean();
  const Vector3d dev = result.trial_strain - Vector3d::Constant(mean);
  const double K = s.number("hardening"), yield = s.number("yield_stress") + K * s.number("plastic_strain");
  const double f = (2 * m.mu * dev).norm() - std::sqrt(2.0 / 3) * yield;
  result.strain = result.trial_strain;
  if (f > 0) {
    result.multiplier = f / (2 * m.mu + 2 * K / 3);
    result.strain -= result.multiplier * dev.normalized();
  }
  result.elastic = svd.matrixU() * result.strain.array().exp().matrix().asDiagonal() * svd.matrixV().transpose();
  return result;
}

// Elastic energy after the flow, and the work that the flow takes: the integral of the yield stress.
double von_mises_plasticity(const State& s) {
  const Lame m = lame(s);
  const Return r = return_mapping(s);
  const double elastic = m.mu * r.strain.squaredNorm() + 0.5 * m.lambda * std::pow(r.strain.sum(), 2);
  const double k = s.number("plastic_strain"), dk = std::sqrt(2.0 / 3) * r.multiplier, H = s.number("hardening");
  return elastic + s.number("yield_stress") * dk + 0.5 * H * ((k + dk) * (k + dk) - k * k);
}

using Formula = std::function<double(const State&)>;
const std::map<std::string, Formula>& formulas() {
  static const std::map<std::string, Formula> all = {
      {"linear_elasticity", [](const State& s) { return hooke(lame(s), 0.5 * (s.F() + s.F().transpose()) - I); }},
      {"st_venant_kirchhoff", [](const State& s) { return hooke(lame(s), green_strain(s.F())); }},
      {"corotated", [](const State& s) { return corotated(lame(s), s.F()); }},
      {"arap", [](const State& s) { return s.number("mu") * (s.F() - rotation(s.F())).squaredNorm(); }},
      {"diffpd_corotated", [](const State& s) { return s.number("mu") * std::pow(distance_to_rotations(s.F()), 2); }},
      {"diffpd_volume",
       [](const State& s) { return 1.5 * s.number("lambda") * std::pow(distance_to_determinant(s.F(), 1), 2); }},
      {"diffpd",
       [](const State& s) {
         return lame(s).mu * std::pow(distance_to_rotations(s.F()), 2) +
                1.5 * lame(s).lambda * std::pow(distance_to_determinant(s.F(), 1), 2);
       }},
      {"neo_hookean",
       [](const State& s) {
         const double J = s.F().determinant();
         return lame(s).mu / 2 * (s.F().squaredNorm() - 3) - lame(s).mu * std::log(J) +
                lame(s).lambda / 2 * std::pow(std::log(J), 2);
       }},
      {"stable_neo_hookean",
       [](const State& s) {
         const double mu = lame(s).mu, lambda = lame(s).lambda + mu;
         return mu / 2 * (s.F().squaredNorm() - 3) + lambda / 2 * std::pow(s.F().determinant() - 1 - mu / lambda, 2);
       }},
      {"mooney_rivlin",
       [](const State& s) {
         const Matrix3d C = s.F().transpose() * s.F();
         const double J = s.F().determinant(), c1 = s.number("c1"), c2 = s.number("c2");
         const double I2 = 0.5 * (C.trace() * C.trace() - (C * C).trace());
         return s.number("c") * (J - 1) * (J - 1) - (2 * c1 + 4 * c2) * std::log(J) + c1 * (C.trace() - 3) +
                c2 * (I2 - 3);
       }},
      {"fung",
       [](const State& s) {
         const double J = s.F().determinant(), b = s.number("b");
         const double I1 = s.F().squaredNorm() * std::pow(J, -2.0 / 3);
         return s.number("mu") / (2 * b) * (std::exp(b * (I1 - 3)) - 1) +
                s.number("kappa") / 2 * std::pow(std::log(J), 2);
       }},
      {"ogden", ogden},
      {"hencky",
       [](const State& s) {
         const Vector3d e = stretches(s.F()).array().log();
         return lame(s).mu * e.squaredNorm() + 0.5 * lame(s).lambda * e.sum() * e.sum();
       }},
      {"holzapfel_gasser_ogden", holzapfel_gasser_ogden},
      {"volume_barrier",
       [](const State& s) { return 0.5 * s.number("lambda") * std::pow(std::log(s.F().determinant()), 2); }},
      {"corotated_with_barrier",
       [](const State& s) {
         return lame(s).mu * std::pow(distance_to_rotations(s.F()), 2) +
                0.5 * lame(s).lambda * std::pow(std::log(s.F().determinant()), 2);
       }},
      {"muscle_fibre", muscle_fibre},
      {"muscle", [](const State& s) { return muscle_fibre(s) + corotated(lame(s), s.F()); }},
      {"contractile_spring",
       [](const State& s) {
         return s.number("k") / 2 * std::pow(s.edge().norm() / (s.number("action") * s.number("rest_length")) - 1, 2);
       }},
      {"pneumatic_cell",
       [](const State& s) {
         return s.number("k") / 2 * std::pow(distance_to_determinant(s.F(), s.number("inflation")), 2);
       }},
      {"pneumatic_body",
       [](const State& s) {
         return s.number("k") / 2 * std::pow(distance_to_determinant(s.F(), s.number("inflation")), 2) +
                s.number("mu") * std::pow(distance_to_rotations(s.F()), 2);
       }},
      {"mass_spring",
       [](const State& s) {
         const double l0 = s.number("rest_length");
         return s.number("EA") / (2 * l0) * std::pow(s.edge().norm() - l0, 2);
       }},
      {"spring_damping",
       [](const State& s) {
         const double rate = (s.edge().norm() - s.vector("previous_strain").norm()) / s.number("time_step");
         return s.number("c") / 2 * rate * rate;
       }},
      {"membrane", membrane},
      {"orthotropic_membrane", orthotropic_membrane},
      {"discrete_shell_bending", discrete_shell_bending},
      {"kelvin_voigt", kelvin_voigt},
      {"standard_linear_solid", standard_linear_solid},
      {"von_mises_plasticity", von_mises_plasticity},
  };
  return all;
}

}  // namespace

Matrix3d reference_viscous_strain(const State& s) {
  const double ratio = s.number("time_step") / s.number("tau");
  return (s.matrix("viscous_strain") + ratio * green_strain(s.F())) / (1 + ratio);
}

std::vector<double> State::slots(const ir::Energy& energy) const {
  std::vector<double> all = strain;
  const auto add = [&](const std::string& name) {
    all.insert(all.end(), inputs.at(name).begin(), inputs.at(name).end());
  };
  for (const ir::Parameter& parameter : energy.parameters) add(parameter.name);
  for (const ir::Input& input : energy.inputs) add(input.name);
  return all;
}

State default_state(const ir::Energy& energy, std::vector<double> strain) {
  State state{std::move(strain), {}};
  for (const ir::Parameter& parameter : energy.parameters) state.inputs[parameter.name] = {parameter.default_value};
  for (const ir::Input& input : energy.inputs) {
    std::vector<double>& value = state.inputs[input.name];
    switch (input.kind) {
      case ir::InputKind::direction:
      case ir::InputKind::history:
        value = input.initial;
        break;
      case ir::InputKind::previous_strain:
        value = state.strain;
        break;
      case ir::InputKind::time_step:
        value = {0.02};
        break;
      case ir::InputKind::rest_length:
        value = {0.8};
        break;
      case ir::InputKind::rest_positions:
        value = {0, 0, 0, 0, 0.2, 0, 0.1, 0.1, 0, -0.15, 0.05, 0.03};
        break;
    }
  }
  return state;
}

double reference_density(const std::string& energy, const State& state) { return formulas().at(energy)(state); }

std::map<std::string, std::vector<double>> reference_plastic_update(const State& s) {
  const Return r = return_mapping(s);
  const Eigen::Matrix<double, 3, 3, Eigen::RowMajor> inverse = s.F().inverse() * r.elastic;
  return {{"plastic_inverse", {inverse.data(), inverse.data() + 9}},
          {"plastic_strain", {s.number("plastic_strain") + std::sqrt(2.0 / 3) * r.multiplier}}};
}

}  // namespace proxima::dsl::examples
