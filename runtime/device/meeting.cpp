#include "runtime/device/meeting.hpp"

#include <algorithm>

namespace proxima::device {

Meeting::Meeting(int members, int at_a_time, std::function<void()> together)
    : together_(std::move(together)), present_(static_cast<std::size_t>(members)), turns_(std::max(1, at_a_time)) {}

void Meeting::go_on() {
  if (!wait_.empty() && wait_.size() == present_) {
    thrown_ = nullptr;
    try {
      together_();
    } catch (...) {
      thrown_ = std::current_exception();
    }
    std::erase_if(wait_, [&](Seat* seat) {
      if (thrown_ == nullptr && seat->until_ && !seat->until_()) return false;
      ready_.push_back(seat);
      return true;
    });
  }
  for (; turns_ > 0 && !ready_.empty(); --turns_) {
    ready_.front()->runs_ = true;
    ready_.front()->called_.notify_one();
    ready_.pop_front();
  }
}

void Meeting::dismiss() {
  const std::scoped_lock lock(mutex_);
  --present_;
  go_on();
}

Meeting::Seat::Seat(Meeting& meeting) : meeting_(&meeting) {
  std::unique_lock lock(meeting.mutex_);
  meeting.ready_.push_back(this);
  wait_for_turn(lock);
}

Meeting::Seat::~Seat() {
  leave();
  const std::scoped_lock lock(meeting_->mutex_);
  ++meeting_->turns_;
  meeting_->go_on();
}

void Meeting::Seat::wait_for_turn(std::unique_lock<std::mutex>& lock) {
  meeting_->go_on();
  called_.wait(lock, [&] { return runs_; });
}

void Meeting::Seat::wait(const std::function<void()>& ask, std::function<bool()> until) {
  std::unique_lock lock(meeting_->mutex_);
  until_ = std::move(until);
  if (ask) ask();
  meeting_->wait_.push_back(this);
  runs_ = false;
  ++meeting_->turns_;
  wait_for_turn(lock);
  // No other call can have been since: this seat did not wait for it.
  if (meeting_->thrown_) std::rethrow_exception(meeting_->thrown_);
}

void Meeting::Seat::leave() {
  if (!takes_part_) return;
  takes_part_ = false;
  const std::scoped_lock lock(meeting_->mutex_);
  --meeting_->present_;
  meeting_->go_on();
}

}  // namespace proxima::device
