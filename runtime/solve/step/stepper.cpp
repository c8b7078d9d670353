#include "runtime/solve/step/stepper.hpp"

#include <optional>
#include <utility>

#include "runtime/solve/step/advance.hpp"
#include "runtime/solve/step/cuda_place.hpp"
#include "runtime/solve/step/host_place.hpp"
#include "runtime/solve/step/state_stream.hpp"

namespace proxima::solve {
namespace {

class HostStepper : public Stepper {
 public:
  HostStepper(const Objective& objective, const model::Model& model, StepSettings settings, State start)
      : place_(objective, model), settings_(settings), state_(std::move(start)) {}

  StepReport advance(int step) override { return advance_at(place_, step, settings_, state_); }
  std::function<State()> state() override {
    return [state = state_]() mutable { return std::move(state); };
  }
  bool streams() const override { return false; }

 private:
  HostPlace place_;
  StepSettings settings_;
  State state_;
};

class CudaStepper : public Stepper {
 public:
  CudaStepper(CudaObjective& objective, const model::Model& model, StepSettings settings, const State& start)
      : place_(objective, model), stream_(objective), settings_(settings), state_(uploaded(objective, start)) {}

  StepReport advance(int step) override { return advance_at(place_, step, settings_, state_); }
  std::function<State()> state() override { return stream_.send(state_); }
  bool streams() const override { return true; }

 private:
  CudaPlace place_;
  StateStream stream_;
  StepSettings settings_;
  CudaState state_;
};

}  // namespace

std::unique_ptr<Stepper> make_stepper(const Objective& objective, const model::Model& model,
                                      const StepSettings& settings, const State& start) {
  if (CudaObjective* gpu = objective.gpu()) return std::make_unique<CudaStepper>(*gpu, model, settings, start);
  return std::make_unique<HostStepper>(objective, model, settings, start);
}

void run_steps(Stepper& stepper, int first, int last, const StepCallback& each) {
  struct Pending {
    int done;
    std::function<State()> state;
    StepReport report;
  };
  std::optional<Pending> pending;
  const auto deliver = [&] {
    if (!pending) return;
    const Pending now = *std::exchange(pending, std::nullopt);
    each(now.done, now.state(), now.report);
  };
  for (int step = first; step < last; ++step) {
    StepReport report;
    try {
      report = stepper.advance(step);
    } catch (...) {
      deliver();
      throw;
    }
    deliver();
    pending = Pending{step + 1, stepper.state(), report};
    if (!stepper.streams()) deliver();
  }
  deliver();
}

}  // namespace proxima::solve
