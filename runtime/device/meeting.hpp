// Threads that have to wait for each other now and then: what they ask for is done for all at once. In between they do
// what they like; no more than some of them run at the same time.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <exception>
#include <functional>
#include <mutex>
#include <vector>

namespace proxima::device {

class Meeting {
 public:
  // `members`: as many seats will be taken, each on a thread of its own. No more than `at_a_time` of these run at a
  // time. `together` does what all who wait have asked for, whoever's thread it runs on.
  Meeting(int members, int at_a_time, std::function<void()> together);

  class Seat {
   public:
    explicit Seat(Meeting& meeting);  // waits for its turn
    ~Seat();
    Seat(const Seat&) = delete;
    Seat& operator=(const Seat&) = delete;

    // Calls `ask`, while nobody else asks for something, nor `together` runs; waits until all who still take part wait
    // and `together` has been called, once, or more often if `until` is not true then; and until it is this seat's
    // turn. Throws what `together` threw. After each call somebody has to go on.
    void wait(const std::function<void()>& ask = {}, std::function<bool()> until = {});
    // Goes on running, but nobody waits for this seat any more. May be called again.
    void leave();

   private:
    friend class Meeting;
    void wait_for_turn(std::unique_lock<std::mutex>& lock);

    Meeting* meeting_;
    std::condition_variable called_;
    std::function<bool()> until_;
    bool runs_ = false, takes_part_ = true;
  };

  void dismiss();  // one member fewer: of a seat that will not be taken

 private:
  void go_on();  // calls together() if all wait, and hands out turns; under the lock

  const std::function<void()> together_;
  std::mutex mutex_;
  std::size_t present_;      // members who are waited for
  int turns_;                // how many more may run
  std::vector<Seat*> wait_;  // for the others
  std::deque<Seat*> ready_;  // wait for their turn only, in this order
  std::exception_ptr thrown_;
};

}  // namespace proxima::device
