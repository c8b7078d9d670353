#include "runtime/adjoint/tape.hpp"

#include <algorithm>
#include <stdexcept>

#include "compiler/support/error.hpp"

namespace proxima::adjoint {
namespace {

std::size_t bytes_of(const solve::State& state) {
  return sizeof(double) * (state.positions.size() + state.velocities.size() + state.history.size() +
                           state.previous_positions.size() + state.previous_velocities.size());
}

// Of a state after the first step.
std::size_t bytes_later(const model::Model& model, const solve::State& start) {
  const bool two_states = model::integrator_row(model.integrator).before != 0;
  return sizeof(double) *
         ((two_states ? 2 : 1) * (start.positions.size() + start.velocities.size()) + start.history.size());
}

// Two are those that are being read.
int most_kept(const model::Model& model, const solve::State& start, std::size_t budget) {
  const std::size_t each = bytes_later(model, start), steps = static_cast<std::size_t>(model.steps);
  const std::size_t fit = budget / each, needed = std::min<std::size_t>(3, steps + 1);
  if (fit < needed)
    fail(
        "the adjoint may hold {} bytes of states (adjoint.memory); at least {} states of {} bytes, {} bytes, are "
        "needed",
        budget, needed, each, needed * each);
  return static_cast<int>(std::clamp<std::size_t>(fit - 2, 1, std::max<std::size_t>(steps, 1)));
}

}  // namespace

Tape::Tape(const solve::Objective& objective, const model::Model& model, const solve::StepSettings& settings,
           const Checkpoints& checkpoints, const solve::State& start, const solve::StepCallback& each)
    : objective_(&objective), model_(&model), settings_(settings), checkpoints_(checkpoints), steps_(model.steps) {
  if (checkpoints.keep == Keep::all) checkpoints_.every = 1;
  if (checkpoints_.every < 1)
    fail("the adjoint is to keep a state every {} steps; it must be 1 at least", checkpoints.every);
  if (checkpoints.keep == Keep::binomial) most_kept_ = most_kept(model, start, checkpoints.bytes);
  record(start, each);
}

Tape::Tape(const std::vector<solve::State>& states) : steps_(static_cast<int>(states.size()) - 1) {
  for (int frame = 0; frame <= steps_; ++frame) {
    const auto& state = states[static_cast<std::size_t>(frame)];
    kept_.emplace_hint(kept_.end(), frame, Held(Held(), &state));
    account_->peak_bytes += bytes_of(state);
  }
  account_->peak_states = states.size();
}

void Tape::record(const solve::State& start, const solve::StepCallback& each) {
  if (each) each_ = &each;
  kept_.emplace(0, hold(start));
  if (checkpoints_.keep != Keep::binomial) {
    solve::run_steps(*solve::make_stepper(*objective_, *model_, settings_, start), 0, steps_,
                     [&](int frame, const solve::State& state, const solve::StepReport& report) {
                       ++advances_;
                       enter_stretch(frame);
                       kept_.emplace(frame, hold(state));
                       if (each) each(frame, state, report);
                     });
  } else if (steps_ > 0) {
    before_last_ = {steps_ - 1, find_by_schedule(steps_ - 1)};
    last_ = {steps_, advanced(*before_last_.state, steps_ - 1, 1)};
  }
  each_ = nullptr;
}

const solve::State& Tape::state(int frame) {
  if (frame < 0 || frame > steps_) throw std::logic_error("a tape has no such frame");
  if (frame == before_last_.number) std::swap(last_, before_last_);
  if (frame != last_.number) {
    before_last_ = std::move(last_);
    last_ = {};
    last_ = {frame, checkpoints_.keep == Keep::binomial ? find_by_schedule(frame) : find_in_stretch(frame)};
  }
  return *last_.state;
}

Tape::Held Tape::hold(solve::State state) {
  const std::size_t bytes = bytes_of(state);
  Account& account = *account_;
  account.peak_states = std::max(account.peak_states, ++account.states);
  account.peak_bytes = std::max(account.peak_bytes, account.bytes += bytes);
  return {new solve::State(std::move(state)), [held = account_, bytes](const solve::State* done) {
            --held->states;
            held->bytes -= bytes;
            delete done;
          }};
}

Tape::Held Tape::advanced(const solve::State& from, int step, int count) {
  const auto stepper = solve::make_stepper(*objective_, *model_, settings_, from);
  solve::State state;
  for (const int end = step + count; step < end; ++step) {
    const auto report = stepper->advance(step);
    ++advances_;
    if (each_ == nullptr && step + 1 < end) continue;
    state = stepper->state()();
    if (each_ != nullptr) (*each_)(step + 1, state, report);
  }
  return hold(std::move(state));
}

void Tape::enter_stretch(int frame) {
  const int every = checkpoints_.every, first = (frame - 1) / every * every;
  if (first != stretch_) kept_.erase(kept_.upper_bound(stretch_), kept_.lower_bound(stretch_ + every));
  stretch_ = first;
}

Tape::Held Tape::find_in_stretch(int frame) {
  if (const auto found = kept_.find(frame); found != kept_.end()) return found->second;
  enter_stretch(frame);
  auto at = std::prev(kept_.lower_bound(frame));
  while (at->first < frame) at = kept_.emplace_hint(std::next(at), at->first + 1, advanced(*at->second, at->first, 1));
  return at->second;
}

Tape::Held Tape::find_by_schedule(int frame) {
  const auto after = kept_.upper_bound(frame);
  int number = std::prev(after)->first;
  Held state = std::prev(after)->second;
  if (number < frame && before_last_.number == frame - 1) return advanced(*before_last_.state, frame - 1, 1);
  // That may be kept, and the one to start from. Those after the frame make room when there is need.
  int more = most_kept_ - static_cast<int>(std::distance(kept_.begin(), after)) + 1;
  for (int left = frame + 1 - number; left > 1;) {
    const int stretch = stretch_to_next(left, more--);
    state = advanced(*state, number, stretch);
    number += stretch;
    left -= stretch;
    if (left == 1) break;
    if (static_cast<int>(kept_.size()) == most_kept_) kept_.erase(std::prev(kept_.end()));
    kept_.emplace(number, state);
  }
  return state;
}

}  // namespace proxima::adjoint
