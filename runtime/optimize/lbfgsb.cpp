#include "runtime/optimize/lbfgsb.hpp"

#include <algorithm>
#include <cmath>

// The library ships no header. gfortran passes all by address and the lengths of strings at the end.
extern "C" void setulb_(const int* n, const int* m, double* x, const double* l, const double* u, const int* nbd,
                        const double* f, const double* g, const double* factr, const double* pgtol, double* wa,
                        int* iwa, char* task, const int* iprint, char* csave, int* lsave, int* isave, double* dsave,
                        std::size_t task_length, std::size_t csave_length);

namespace proxima::optimize {
namespace {

class Lbfgsb final : public Method {
 public:
  Lbfgsb(std::span<const double> start, const Box& box, const MethodSettings& settings)
      : n_(static_cast<int>(start.size())),
        m_(settings.memory),
        x_(start.begin(), start.end()),
        g_(start.size()),
        iterate_(x_),
        box_(box) {
    for (std::size_t i = 0; i < x_.size(); ++i) {
      const bool below = std::isfinite(box.lower[i]), above = std::isfinite(box.upper[i]);
      kind_.push_back(below ? (above ? 2 : 1) : (above ? 3 : 0));
    }
    const auto n = x_.size(), m = static_cast<std::size_t>(m_);
    real_.resize(2 * m * n + 5 * n + 11 * m * m + 8 * m);
    integer_.resize(3 * n);
    std::fill(std::begin(task_), std::end(task_), ' ');
    std::copy_n("START", 5, task_);
  }

  Next next() override {
    // Its own stopping tests are off: they take the value to be of order one.
    const double off = 0;
    const int silent = -1;
    setulb_(&n_, &m_, x_.data(), box_.lower.data(), box_.upper.data(), kind_.data(), &f_, g_.data(), &off, &off,
            real_.data(), integer_.data(), task_, &silent, csave_, lsave_, isave_, dsave_, sizeof task_, sizeof csave_);
    const std::string_view task(task_, sizeof task_);
    if (task.starts_with("FG")) return Next::trial;
    if (!task.starts_with("NEW_X")) return task.starts_with("CONV") ? Next::converged : Next::stuck;
    keep_iterate();
    return Next::iterate;
  }
  std::span<const double> trial() const override { return x_; }

  void tell(double value, std::span<const double> gradient) override {
    f_ = value;
    g_.assign(gradient.begin(), gradient.end());
    if (iterate_gradient_.empty()) keep_iterate();
  }
  void tell_failure() override {
    double slope = 0;
    for (std::size_t i = 0; i < x_.size(); ++i) {
      slope += iterate_gradient_[i] * (x_[i] - iterate_[i]);
      g_[i] = -3 * iterate_gradient_[i];
    }
    f_ = iterate_value_ + std::abs(slope);
  }

 private:
  void keep_iterate() {
    iterate_ = x_;
    iterate_value_ = f_;
    iterate_gradient_ = g_;
  }

  int n_, m_;
  std::vector<double> x_, g_;
  double f_ = 0;
  std::vector<double> iterate_, iterate_gradient_;  // the last one accepted
  double iterate_value_ = 0;
  Box box_;
  std::vector<double> real_;
  std::vector<int> kind_, integer_;
  char task_[60], csave_[60] = {};
  int lsave_[4] = {}, isave_[44] = {};
  double dsave_[29] = {};
};

}  // namespace

std::unique_ptr<Method> make_lbfgsb(std::span<const double> start, const Box& box, const MethodSettings& settings) {
  return std::make_unique<Lbfgsb>(start, box, settings);
}

}  // namespace proxima::optimize
