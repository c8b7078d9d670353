#include "runtime/solve/acceleration.hpp"

#include "runtime/device/parallel.hpp"
#include "runtime/solve/anderson.hpp"
#include "runtime/solve/lbfgs.hpp"

namespace proxima::solve {
namespace {

// As for L-BFGS: pairs whose angle has a smaller cosine would spoil the metric.
constexpr double least_cosine = 1e-14;

class AndersonMixing : public Acceleration {
 public:
  explicit AndersonMixing(int window) : mixing_(window) {}
  std::vector<double> direction(std::span<const double> x, std::span<const double> f,
                                std::span<const double>) override {
    return mixing_.direction(x, f);
  }
  void clear() override { mixing_.clear(); }

 private:
  Mixing mixing_;
};

class QuasiNewton : public Acceleration {
 public:
  explicit QuasiNewton(int window) : window_(static_cast<std::size_t>(window)) {}

  std::vector<double> direction(std::span<const double> x, std::span<const double> f,
                                std::span<const double> r) override {
    if (!last_x_.empty()) remember(x, f, r);
    last_x_.assign(x.begin(), x.end());
    last_f_.assign(f.begin(), f.end());
    last_r_.assign(r.begin(), r.end());
    if (pairs_.empty()) return {};
    std::vector<double> left = last_r_, result = last_f_, shares(pairs_.size());
    for (std::size_t k = pairs_.size(); k-- > 0;) {
      shares[k] = device::dot(pairs_[k].step, left) / pairs_[k].product;
      device::add_scaled(left, -shares[k], pairs_[k].change);
      device::add_scaled(result, shares[k], pairs_[k].image);
    }
    for (std::size_t k = 0; k < pairs_.size(); ++k)
      device::add_scaled(result, -shares[k] - device::dot(pairs_[k].change, result) / pairs_[k].product,
                         pairs_[k].step);
    return result;
  }

  void clear() override {
    pairs_.clear();
    last_x_.clear();
  }

 private:
  struct Pair {
    std::vector<double> step, change, image;  // of x and r; A^-1 of the second
    double product = 0;                       // <step, change> > 0
  };

  void remember(std::span<const double> x, std::span<const double> f, std::span<const double> r) {
    Pair next{{x.begin(), x.end()}, {r.begin(), r.end()}, last_f_};
    device::add_scaled(next.step, -1, last_x_);
    device::add_scaled(next.change, -1, last_r_);
    device::add_scaled(next.image, -1, f);
    next.product = device::dot(next.step, next.change);
    if (!(next.product > least_cosine * device::norm(next.step) * device::norm(next.change))) return;
    if (pairs_.size() == window_) pairs_.erase(pairs_.begin());
    pairs_.push_back(std::move(next));
  }

  std::size_t window_;
  std::vector<Pair> pairs_;  // oldest first
  std::vector<double> last_x_, last_f_, last_r_;
};

}  // namespace

std::unique_ptr<Acceleration> anderson_mixing(int window) {
  return std::make_unique<AndersonMixing>(window > 0 ? window : Anderson::default_window);
}

std::unique_ptr<Acceleration> quasi_newton(int window) {
  return std::make_unique<QuasiNewton>(window > 0 ? window : Lbfgs<Potential>::default_window);
}

}  // namespace proxima::solve
