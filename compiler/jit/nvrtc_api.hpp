// What is used of NVRTC's C interface, declared here so that neither building nor starting needs the CUDA toolkit; the
// same since CUDA 11.2. Internal to this room. (NVRTC documentation, https://docs.nvidia.com/cuda/nvrtc)
#pragma once

#include <cstddef>

namespace proxima::jit::nvrtc {

using Result = int;  // 0: success
using Program = struct OpaqueProgram*;

struct Functions {
  const char* (*error_string)(Result);
  Result (*version)(int* major, int* minor);
  Result (*supported_count)(int* count);
  Result (*supported)(int* architectures);  // 90 for sm_90
  Result (*create)(Program* program, const char* text, const char* name, int headers, const char* const* texts,
                   const char* const* names);
  Result (*destroy)(Program* program);
  Result (*compile)(Program program, int count, const char* const* options);
  Result (*log_size)(Program program, std::size_t* size);  // with a zero at the end
  Result (*log)(Program program, char* log);
  Result (*cubin_size)(Program program, std::size_t* size);
  Result (*cubin)(Program program, char* image);
  Result (*ptx_size)(Program program, std::size_t* size);  // with a zero at the end
  Result (*ptx)(Program program, char* image);
};

}  // namespace proxima::jit::nvrtc
