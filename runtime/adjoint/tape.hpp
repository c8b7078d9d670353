// The states of a rollout for a sweep backward: kept, or found again from those that are. A step is a function of its
// arguments alone, so what is found again has the same bits.
#pragma once

#include <map>
#include <memory>
#include <vector>

#include "runtime/adjoint/checkpoints.hpp"
#include "runtime/solve/step/rollout.hpp"

namespace proxima::adjoint {

class Tape {
 public:
  // Takes model.steps steps from `start`; `each` as in solve::simulate. Objective, model and settings must outlive the
  // tape and stay as they are. Throws what advance() throws, and Error naming the bytes needed where
  // `checkpoints.bytes` is less than three states: the first, and two to read.
  Tape(const solve::Objective& objective, const model::Model& model, const solve::StepSettings& settings,
       const Checkpoints& checkpoints, const solve::State& start, const solve::StepCallback& each = {});
  // States that are there already, states[0] where the model starts; they must outlive the tape.
  explicit Tape(const std::vector<solve::State>& states);

  int steps() const { return steps_; }
  // The state after `frame` steps, 0 <= frame <= steps(). The reference holds until the call after the next one, so
  // that both ends of a step can be looked at. Any order is allowed; one after the other, in either direction, takes
  // the fewest steps. A call may take steps, so the objective has to enter (Objective::enter_step) what is done
  // with the state after it.
  const solve::State& state(int frame);

  // Steps taken so far, those of the rollout included.
  long advances() const { return advances_; }
  // The most that was held at once; states that were there already count as held. A step takes one state more while it
  // is solved, besides what the solver needs.
  std::size_t peak_states() const { return account_->peak_states; }
  std::size_t peak_bytes() const { return account_->peak_bytes; }

 private:
  using Held = std::shared_ptr<const solve::State>;
  struct Frame {
    int number = -1;
    Held state;
  };
  struct Account {
    std::size_t states = 0, bytes = 0, peak_states = 0, peak_bytes = 0;
  };

  void record(const solve::State& start, const solve::StepCallback& each);
  Held hold(solve::State state);  // on the account until the last one who holds it lets go
  // `count` steps from the state after `step` steps.
  Held advanced(const solve::State& from, int step, int count);
  // Lets go of what only the stretch before needs where the frame is in another one.
  void enter_stretch(int frame);
  // Both look for the last state kept before and keep others on the way.
  Held find_in_stretch(int frame);
  Held find_by_schedule(int frame);

  const solve::Objective* objective_ = nullptr;
  const model::Model* model_ = nullptr;
  solve::StepSettings settings_{};
  Checkpoints checkpoints_{};
  int steps_ = 0;
  int most_kept_ = 0;  // of Keep::binomial
  int stretch_ = 0;    // of the others: between the multiples of `every` all are kept from here to the next
  std::shared_ptr<Account> account_ = std::make_shared<Account>();
  std::map<int, Held> kept_;
  Frame last_, before_last_;                   // what state() gave
  const solve::StepCallback* each_ = nullptr;  // while the rollout is recorded
  long advances_ = 0;
};

}  // namespace proxima::adjoint
