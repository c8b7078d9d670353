// Copies and zeros, in words of 4 bytes, one thread a word: what several worlds ask for at a time is one launch
// (runtime/device/cuda_batch). And a few numbers that the host gives.

extern "C" __global__ void __launch_bounds__(256) copy_words(int* to, const int* from, long long count) {
  const long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) to[i] = from[i];
}

extern "C" __global__ void __launch_bounds__(256) clear_words(int* to, long long count) {
  const long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) to[i] = 0;
}

// Some numbers of 8 bytes that come as an argument, so that nothing is copied from the host.
constexpr int words_at_once = 32;
struct Words {
  long long at[words_at_once];
};

extern "C" __global__ void __launch_bounds__(32) set_words(long long* to, Words words, int count) {
  if ((int)threadIdx.x < count) to[threadIdx.x] = words.at[threadIdx.x];
}
