#include "runtime/factor/large_array.hpp"

#ifdef __linux__
#include <sys/mman.h>
#endif

#include <cstdlib>
#include <cstring>
#include <new>

namespace proxima::factor {
namespace {

constexpr std::size_t huge_page = std::size_t{2} << 20;
// Sweeps prefetch a little past the end of a block; the room keeps these addresses in the array.
constexpr std::size_t slack = 4096;

}  // namespace

LargeArray::LargeArray(std::size_t bytes) {
  const std::size_t size = (bytes + slack + huge_page - 1) / huge_page * huge_page;
  memory_.reset(std::aligned_alloc(huge_page, size));
  if (!memory_) throw std::bad_alloc();
#ifdef __linux__
  madvise(memory_.get(), size, MADV_HUGEPAGE);  // a wish: without it the array only is slower
#endif
  std::memset(memory_.get(), 0, size);
}

void LargeArray::Free::operator()(void* memory) const { std::free(memory); }

}  // namespace proxima::factor
