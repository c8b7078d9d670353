// Memory for the blocks of a factor: aligned for huge pages and asking for them, which spares a solve most of its
// address translation.
#pragma once

#include <cstddef>
#include <memory>

namespace proxima::factor {

class LargeArray {
 public:
  LargeArray() = default;
  explicit LargeArray(std::size_t bytes);  // zero
  void* data() const { return memory_.get(); }

 private:
  struct Free {
    void operator()(void* memory) const;
  };
  std::unique_ptr<void, Free> memory_;
};

}  // namespace proxima::factor
