// A kernel as CUDA C++: one thread an element, self-contained (no headers), readable, with the author's names and
// lines. The text is for NVRTC; behind a few macros it is host C++ too, which is how it is tested where there is no
// GPU.
#pragma once

#include <string>

#include "compiler/emit/target.hpp"
#include "compiler/ir/kernel.hpp"

namespace proxima::emit {

// How a printed kernel is launched: blocks of cuda_block threads, enough of them for all elements. Its arguments are
// the input fields in order, what was computed from the uniform ones (prologue.hpp), the output fields in order, then
// what says where elements lie:
//   uniform field          its `components` numbers, by value, each an argument of its own; so are computed ones
//   element field, output  a pointer, [component][element]: `stride` numbers from one component to the next
//   nodal field            a pointer, [node][component]
//   (kernels with corners) const int *nodes, [corner][element] with the same stride: node numbers; `components` times
//   the
//                          largest must fit in 31 bits
//   int elements           how many; threads beyond do nothing and touch nothing, so padding may hold anything
//   long long stride       at least `elements`; a multiple of cuda_padding aligns every component's row
// Numbers are double or float by the precision. Outputs must not overlap inputs. Not a fast-math kernel: divisions and
// roots are correctly rounded, infinities and NaN are kept, and products that feed a sum may be fused as on the CPU.
inline constexpr int cuda_block = 128;
inline constexpr int cuda_padding = 32;

// How a text is written: what a kernel that needs many registers may try. Which style spills least is for the device's
// compiler to say (jit::CudaStore).
struct CudaStyle {
  // The device's compiler may take all registers that a thread can have. Otherwise it spills a few numbers, if by that
  // one more block runs at a time.
  bool all_registers = false;
  // What costs less to be loaded or computed again than to be kept, is, where its uses are far apart (remake.hpp).
  bool made_again = false;
  bool depth_first = false;  // in this order, whatever the other ones keep alive
};
// In the order in which they are tried.
inline constexpr CudaStyle cuda_styles[] = {
    {}, {.all_registers = true}, {.all_registers = true, .made_again = true}, {true, true, true}};

// The text of a file with one kernel, cuda_symbol.
std::string kernel_as_cuda(const ir::Kernel& kernel, Precision precision, const CudaStyle& style = {});

// "stable_neo_hookean_forces" for the kernel "stable_neo_hookean.forces"; extern "C", so a profiler shows it as it is.
std::string cuda_symbol(const ir::Kernel& kernel);

// Everything besides the kernel that decides the text, as a string: part of a cache key.
std::string cuda_key(Precision precision);

}  // namespace proxima::emit
