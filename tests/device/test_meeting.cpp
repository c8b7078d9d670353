// Threads that wait for each other: who is waited for, how many run at a time, what is thrown.
#include <gtest/gtest.h>

#include <atomic>
#include <stdexcept>
#include <thread>

#include "runtime/device/meeting.hpp"

namespace proxima::device {
namespace {

// `body` on as many threads, each with a seat and its number.
template <class Body>
void run_all(Meeting& meeting, int members, const Body& body) {
  std::vector<std::jthread> threads;
  for (int k = 0; k < members; ++k)
    threads.emplace_back([&, k] {
      Meeting::Seat seat(meeting);
      body(seat, k);
    });
}

TEST(Meeting, DoesForAllWhatEachAsksFor) {
  for (const int at_a_time : {1, 2, 5}) {
    std::vector<int> asked;
    std::vector<std::size_t> together;
    std::atomic<int> running = 0;
    Meeting meeting(5, at_a_time, [&] {
      together.push_back(asked.size());
      asked.clear();
    });
    run_all(meeting, 5, [&](Meeting::Seat& seat, int k) {
      for (int round = 0; round < 20 + k; ++round) {  // some end before others
        EXPECT_LE(++running, at_a_time);
        --running;
        seat.wait([&] { asked.push_back(k); });
      }
    });
    std::vector<std::size_t> expected(20, 5);
    for (const std::size_t left : {4, 3, 2, 1}) expected.push_back(left);
    EXPECT_EQ(together, expected);
  }
}

TEST(Meeting, WaitsForNobodyWhoHasLeftThrownOrNeverComes) {
  int calls = 0;
  Meeting meeting(4, 2, [&] { ++calls; });
  std::atomic<bool> on = false;
  {
    std::jthread absent([&] { meeting.dismiss(); });
    run_all(meeting, 3, [&](Meeting::Seat& seat, int k) {
      if (k == 0) return;  // as one that has thrown
      seat.wait();
      if (k == 1) {
        seat.leave();
        while (!on) std::this_thread::yield();  // runs while the other goes on
        return;
      }
      seat.wait();
      on = true;
    });
  }
  EXPECT_EQ(calls, 2);
}

TEST(Meeting, ThrowsWhatWasThrownInEachThatWaits) {
  int calls = 0;
  Meeting meeting(3, 1, [&] {
    if (++calls == 2) throw std::runtime_error("broken");
  });
  std::atomic<int> thrown = 0;
  run_all(meeting, 3, [&](Meeting::Seat& seat, int) {
    seat.wait();
    try {
      seat.wait();
    } catch (const std::runtime_error& error) {
      EXPECT_STREQ(error.what(), "broken");
      ++thrown;
    }
    seat.wait();
  });
  EXPECT_EQ(thrown, 3);
  EXPECT_EQ(calls, 3);
}

}  // namespace
}  // namespace proxima::device
