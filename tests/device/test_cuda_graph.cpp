// Work that is recorded and queued as CUDA graphs, by a stand-in for the driver (tests/cuda_shim), and what that
// stand-in refuses while it captures, as the driver does.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "runtime/device/cuda_batch.hpp"
#include "runtime/device/cuda_graph.hpp"
#include "tests/cuda_shim/shim.hpp"

namespace proxima::device {
namespace {

using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

using Numbers = std::vector<double>;

class CudaGraphTest : public ::testing::Test {
 protected:
  // y += scale x, z <- y, w <- 0
  void ask(double scale) {
    add_scaled(y_, scale, x_);
    copy(y_, z_);
    set_zero(w_);
  }
  static Numbers values(const CudaVector& of) { return testing::CudaShimEngine::values(of); }

  testing::CudaShimEngine shim_;
  CudaDevice& device_ = shim_.engine.device();
  CudaVector x_ = shim_.vector({1, 2, 3}), y_ = shim_.vector({10, 20, 30}), z_ = shim_.vector({0, 0, 0}),
             w_ = shim_.vector({7, 7, 7});
  CudaGraphs graphs_{device_.shared_from_this()};
};

TEST_F(CudaGraphTest, IsDoneWhenItIsLaunchedAndAsItWasAskedFor) {
  (void)shim_.calls();
  double scale = 2;
  const CudaGraph& graph = graphs_.record([&] { ask(scale); });
  scale = 100;
  EXPECT_EQ(values(y_), (Numbers{10, 20, 30}));
  EXPECT_EQ(values(w_), (Numbers{7, 7, 7}));
  graph.launch();
  EXPECT_EQ(values(y_), (Numbers{12, 24, 36}));
  EXPECT_EQ(values(z_), (Numbers{12, 24, 36}));
  EXPECT_EQ(values(w_), (Numbers{0, 0, 0}));
  graph.launch();
  EXPECT_EQ(values(z_), (Numbers{14, 28, 42}));
  const auto calls = shim_.calls();
  EXPECT_EQ(calls.launches, 0);
  EXPECT_EQ(calls.graphs, 2);
  EXPECT_EQ(calls.made, 1);
}

// Arguments, vectors and how many there are all count.
TEST_F(CudaGraphTest, IsMadeOnceForTheSameLaunches) {
  (void)shim_.calls();
  const CudaGraph* first = &graphs_.record([&] { ask(2); });
  EXPECT_EQ(&graphs_.record([&] { ask(2); }), first);
  EXPECT_EQ(shim_.calls().made, 1);
  graphs_.record([&] { ask(3); });
  graphs_.record([&] { copy(y_, w_); });
  graphs_.record([&] { copy(x_, w_); });
  graphs_.record([&] { ask(2), ask(2); });
  EXPECT_EQ(shim_.calls().made, 4);
  EXPECT_EQ(&graphs_.record([&] { ask(2); }), first);
  EXPECT_EQ(shim_.calls().made, 0);
  for (int k = 10; k < 30; ++k) graphs_.record([&] { ask(k); });  // more than are kept
  (void)shim_.calls();
  graphs_.record([&] { ask(2); });
  EXPECT_EQ(shim_.calls().made, 1);
}

TEST_F(CudaGraphTest, WhatCannotBeRepeatedIsNotRecorded) {
  const auto refused = [&](const std::function<void()>& queue) {
    EXPECT_THAT([&] { graphs_.record(queue); }, ThrowsMessage<std::logic_error>(HasSubstr("is recorded: only")));
  };
  Numbers numbers(3);
  refused([&] { y_.read(numbers); });
  refused([&] { y_.write(numbers); });
  refused([&] { (void)norm(y_); });
  refused([&] { (void)like(y_); });  // memory that might be another's when the graph is launched
  refused([&] { device_.wait(); });
  refused([&] { CudaDownload(device_, 8); });
  refused([&] { shim_.engine.compile_text("new.cu", "extern \"C\" __global__ void new_kernel() {}"); });
  EXPECT_THROW(graphs_.record([&] { graphs_.record([] {}); }), std::logic_error);
  add_scaled(y_, 1, x_);  // and the thread records no more
  EXPECT_EQ(values(y_), (Numbers{11, 22, 33}));
  CudaBatch batch(shim_.engine, 1, 1);
  {
    const CudaBatch::Seat seat(batch);
    EXPECT_THROW(graphs_.record([&] { ask(1); }), std::logic_error);
  }
  batch.finish();
}

TEST_F(CudaGraphTest, ErrorsNameTheGpuAndTheKernel) {
  shim_.set("fake_launch_result", 700);
  EXPECT_THAT([&] { graphs_.record([&] { ask(1); }); },
              ThrowsMessage<std::runtime_error>(
                  ::testing::AllOf(HasSubstr("Fake GPU: vector.cu: launching it"), HasSubstr("illegal memory"))));
  shim_.set("fake_launch_result", 0);
  graphs_.record([&] { ask(1); }).launch();
  EXPECT_EQ(values(y_), (Numbers{11, 22, 33}));
}

TEST_F(CudaGraphTest, ADriverWithoutGraphsGetsLaunchByLaunch) {
  ::setenv("PROXIMA_CUDA_DRIVER", PROXIMA_FAKE_CUDA_WITHOUT_GRAPHS, 1);
  CudaEngine engine(jit::Engine::default_cache());
  const auto algebra = std::make_shared<CudaAlgebra>(engine);
  CudaVector x(algebra, 3), y(algebra, 3), z(algebra, 3);
  x.write(Numbers{1, 2, 3});
  CudaGraphs graphs(engine.device().shared_from_this());
  const CudaGraph& graph = graphs.record([&] {
    add_scaled(y, 2, x);
    copy(y, z);
  });
  EXPECT_EQ(values(z), (Numbers{0, 0, 0}));
  graph.launch();
  graph.launch();
  EXPECT_EQ(values(z), (Numbers{4, 8, 12}));
}

// So that the tests above show that our captures ask for none of it.
TEST_F(CudaGraphTest, TheStandInRefusesWhatTheDriverRefusesWhileItCaptures) {
  void* const driver = dlopen(PROXIMA_FAKE_CUDA, RTLD_NOW);
  const auto function = [&]<class F>(F*, const char* name) { return reinterpret_cast<F*>(dlsym(driver, name)); };
  const auto create = function(static_cast<int (*)(void**, unsigned)>(nullptr), "cuStreamCreate");
  const auto begin = function(static_cast<int (*)(void*, int)>(nullptr), "cuStreamBeginCapture_v2");
  const auto end = function(static_cast<int (*)(void*, void**)>(nullptr), "cuStreamEndCapture");
  const auto wait = function(static_cast<int (*)(void*)>(nullptr), "cuStreamSynchronize");
  const auto allocate = function(static_cast<int (*)(unsigned long long*, std::size_t)>(nullptr), "cuMemAlloc_v2");
  const auto give_back = function(static_cast<int (*)(unsigned long long)>(nullptr), "cuMemFree_v2");
  const auto copy_out =
      function(static_cast<int (*)(void*, unsigned long long, std::size_t)>(nullptr), "cuMemcpyDtoH_v2");
  void *work = nullptr, *copies = nullptr, *captures = nullptr, *graph = nullptr;
  for (void** stream : {&work, &copies, &captures}) ASSERT_EQ(create(stream, 1), 0);
  double number = 0;
  unsigned long long address = 0;
  const std::function<int()> all[] = {[&] { return wait(work); },
                                      [&] { return copy_out(&number, x_.array().address(), sizeof number); },
                                      [&] {
                                        const int result = allocate(&address, 8);
                                        return result == 0 ? give_back(address) : result;
                                      }};
  for (const auto& one : all) {
    ASSERT_EQ(begin(captures, 1), 0);
    EXPECT_EQ(one(), 900);
    EXPECT_EQ(end(captures, &graph), 901);
    EXPECT_EQ(graph, nullptr);
    EXPECT_EQ(one(), 0);
  }
}

}  // namespace
}  // namespace proxima::device
