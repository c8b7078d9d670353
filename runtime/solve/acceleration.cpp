#include "runtime/solve/acceleration.hpp"

#include "runtime/solve/anderson.hpp"
#include "runtime/solve/lbfgs.hpp"
#include "runtime/solve/lbfgs_loops.hpp"

namespace proxima::solve {
namespace {

class AndersonMixing : public Acceleration {
 public:
  explicit AndersonMixing(int window) : mixing_(window) {}
  std::vector<double> direction(std::span<const double> x, std::span<const double> f,
                                std::span<const double>) override {
    return mixing_.direction(x, f).value_or(std::vector<double>{});
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
    std::vector<double> left = last_r_, result = last_f_;
    const auto shares = take_shares(pairs_, left);
    // A^-1 of what is left, without an application.
    device::negate(result);
    for (std::size_t k = pairs_.size(); k-- > 0;) device::add_scaled(result, -shares[k], pairs_[k].image);
    give_shares(pairs_, shares, result);
    device::negate(result);
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
    if (!complete(next)) return;
    if (pairs_.size() == window_) pairs_.erase(pairs_.begin());
    pairs_.push_back(std::move(next));
  }

  std::size_t window_;
  std::vector<Pair> pairs_;  // oldest first
  std::vector<double> last_x_, last_f_, last_r_;
};

}  // namespace

std::unique_ptr<Acceleration> anderson_mixing(int window) {
  return std::make_unique<AndersonMixing>(window > 0 ? window : Anderson<Potential>::default_window);
}

std::unique_ptr<Acceleration> quasi_newton(int window) {
  return std::make_unique<QuasiNewton>(window > 0 ? window : Lbfgs<Potential>::default_window);
}

}  // namespace proxima::solve
