// Copies and zeros, in words of 4 bytes; one thread a word. What several worlds ask for at a time is one launch
// (runtime/device/cuda_batch).

extern "C" __global__ void __launch_bounds__(256) copy_words(int* to, const int* from, long long count) {
  const long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) to[i] = from[i];
}

extern "C" __global__ void __launch_bounds__(256) clear_words(int* to, long long count) {
  const long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) to[i] = 0;
}
