#include "runtime/optimize/adam.hpp"

#include <algorithm>
#include <cmath>

namespace proxima::optimize {
namespace {

// The paper's choice. Values arrive scaled so that the first gradient is of order one (minimiser.hpp).
constexpr double first_decay = 0.9, second_decay = 0.999, epsilon = 1e-8;

class Adam final : public Method {
 public:
  Adam(std::span<const double> start, const Box& box, const MethodSettings& settings)
      : box_(box),
        rate_(settings.learning_rate),
        decay_(settings.learning_decay),
        iterate_(start.begin(), start.end()),
        trial_(iterate_),
        step_(start.size(), 0.0),
        mean_(start.size(), 0.0),
        square_(start.size(), 0.0) {}

  Next next() override {
    if (accepted_) {
      accepted_ = false;
      iterate_ = trial_;
      make_step();
      return Next::iterate;
    }
    for (std::size_t i = 0; i < trial_.size(); ++i)
      trial_[i] = std::clamp(iterate_[i] - part_ * step_[i], box_.lower[i], box_.upper[i]);
    return Next::trial;
  }
  std::span<const double> trial() const override { return trial_; }
  void tell(double, std::span<const double> gradient) override {
    gradient_.assign(gradient.begin(), gradient.end());
    accepted_ = true;
    part_ = std::min(1.0, 2 * part_);
  }
  void tell_failure() override { part_ /= 4; }

 private:
  void make_step() {
    ++steps_;
    const double mean_share = 1 - std::pow(first_decay, steps_), square_share = 1 - std::pow(second_decay, steps_);
    for (std::size_t i = 0; i < step_.size(); ++i) {
      mean_[i] = first_decay * mean_[i] + (1 - first_decay) * gradient_[i];
      square_[i] = second_decay * square_[i] + (1 - second_decay) * gradient_[i] * gradient_[i];
      step_[i] = rate_ * (mean_[i] / mean_share) / (std::sqrt(square_[i] / square_share) + epsilon);
    }
    rate_ *= decay_;
  }

  Box box_;
  double rate_, decay_, part_ = 1;  // part_: of the step that is tried
  int steps_ = 0;
  bool accepted_ = false;
  std::vector<double> iterate_, trial_, step_, gradient_, mean_, square_;
};

}  // namespace

std::unique_ptr<Method> make_adam(std::span<const double> start, const Box& box, const MethodSettings& settings) {
  return std::make_unique<Adam>(start, box, settings);
}

}  // namespace proxima::optimize
