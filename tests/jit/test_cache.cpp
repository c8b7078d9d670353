// The kernel cache: what it saves, and that nothing on the disk can make a run fail or use a wrong kernel.
#include <gtest/gtest.h>

#include <fstream>
#include <functional>
#include <thread>
#include <vector>

#include "compiler/ir/expression.hpp"
#include "compiler/jit/cache.hpp"
#include "compiler/support/error.hpp"
#include "compiler/support/file.hpp"
#include "tests/jit/run_kernel.hpp"

namespace proxima::jit {
namespace {

ir::Kernel scaled(double factor) {
  ir::Kernel kernel;
  kernel.name = "scaled";
  kernel.inputs = {{"x", ir::Access::element, 1}};
  kernel.outputs = {{"y", ir::Access::element, 1}};
  const ir::Expression x{&kernel.graph, kernel.graph.input(0)};
  kernel.results = {(factor * x.apply(ir::Op::exp)).node};
  return kernel;
}

class Cache : public ::testing::Test {
 protected:
  std::filesystem::path cache() const { return folder_.path() / "cache"; }

  // What became of compiling `kernel` with a new engine, after checking its numbers.
  Statistics compile(const ir::Kernel& kernel, Precision precision = Precision::fp64,
                     const Target& target = Target::host()) {
    Engine engine(cache(), target);
    const auto compiled = engine.compile(kernel, precision);
    testing::expect_equals_interpreter(kernel, *compiled, testing::random_batch(kernel, 21, 1, -1, 1), "cache");
    return engine.statistics();
  }
  std::vector<std::filesystem::path> entries() const {
    std::vector<std::filesystem::path> paths;
    for (const auto& entry : std::filesystem::directory_iterator(cache())) paths.push_back(entry.path());
    return paths;
  }

  testing::TemporaryFolder folder_;
};

TEST_F(Cache, ASecondEngineLoadsInsteadOfCompiling) {
  const Statistics first = compile(scaled(2)), second = compile(scaled(2));
  EXPECT_EQ(first.compiled, 1);
  EXPECT_EQ(first.loaded, 0);
  EXPECT_EQ(second.compiled, 0);
  EXPECT_EQ(second.loaded, 1);
  EXPECT_EQ(entries().size(), 1u);
}

TEST_F(Cache, OneEngineCompilesAKernelOnce) {
  Engine engine(cache());
  EXPECT_EQ(engine.compile(scaled(2)), engine.compile(scaled(2)));
  EXPECT_EQ(engine.statistics().compiled, 1);
  EXPECT_EQ(engine.statistics().loaded, 0);
}

TEST_F(Cache, WhateverChangesTheCodeChangesTheEntry) {
  compile(scaled(2));
  EXPECT_EQ(compile(scaled(2 + 1e-15)).compiled, 1);
  EXPECT_EQ(compile(scaled(2), Precision::fp32).compiled, 1);
  EXPECT_EQ(entries().size(), 3u);
  std::size_t expected = entries().size();
  for (const Target& target : testing::targets_here()) {
    if (target == Target::host()) continue;
    EXPECT_EQ(compile(scaled(2), Precision::fp64, target).compiled, 1);
    EXPECT_EQ(entries().size(), ++expected);
  }
}

TEST_F(Cache, ABrokenEntryIsRebuilt) {
  const std::vector<std::function<void(std::string&)>> damages = {
      [](std::string& bytes) { bytes.clear(); },
      [](std::string& bytes) { bytes.resize(20); },
      [](std::string& bytes) { bytes.resize(bytes.size() - 1); },
      [](std::string& bytes) { bytes += "x"; },
      [](std::string& bytes) { bytes[bytes.size() / 2] ^= 1; },
      [](std::string& bytes) { bytes[0] ^= 1; },
      [](std::string& bytes) { bytes.assign(1000, 'x'); },
  };
  compile(scaled(2));
  const auto path = entries().at(0);
  const std::string whole = read_file(path);
  for (const auto& damage : damages) {
    std::string bytes = whole;
    damage(bytes);
    std::ofstream(path, std::ios::binary) << bytes;
    EXPECT_EQ(compile(scaled(2)).compiled, 1);
    EXPECT_EQ(read_file(path), whole);
  }
  EXPECT_EQ(entries().size(), 1u);  // no temporary is left
}

TEST_F(Cache, AWholeEntryThatIsNoObjectIsRebuilt) {
  compile(scaled(2));
  const auto path = entries().at(0);
  const std::string whole = read_file(path);
  const DiskCache disk(cache());
  Hash key;
  ASSERT_EQ(std::sscanf(path.stem().c_str(), "%16lx%16lx", &key.high, &key.low), 2);
  disk.write(key, "kernel", "not an object");
  ASSERT_EQ(disk.read(key, "kernel"), "not an object");
  EXPECT_EQ(compile(scaled(2)).compiled, 1);
  EXPECT_EQ(read_file(path), whole);
}

TEST_F(Cache, AnEntryThatIsAFolderIsNoObstacle) {
  compile(scaled(2));
  const auto path = entries().at(0);
  std::filesystem::remove(path);
  std::filesystem::create_directory(path);
  EXPECT_EQ(compile(scaled(2)).compiled, 1);
}

TEST_F(Cache, AFolderThatCannotBeMadeIsNoObstacle) {
  std::ofstream(folder_.path() / "file") << "in the way";
  Engine engine(folder_.path() / "file" / "cache");
  EXPECT_NO_THROW(engine.compile(scaled(2)));
  EXPECT_NO_THROW(Engine("/proc/nowhere/cache").compile(scaled(2)));
}

TEST_F(Cache, ManyThreadsGetOneKernel) {
  Engine engine(cache());
  std::vector<std::shared_ptr<const CompiledKernel>> compiled(8);
  std::vector<std::thread> threads;
  for (std::size_t t = 0; t < compiled.size(); ++t)
    threads.emplace_back([&, t] { compiled[t] = engine.compile(scaled(static_cast<double>(t % 2))); });
  for (std::thread& thread : threads) thread.join();
  for (std::size_t t = 2; t < compiled.size(); ++t) EXPECT_EQ(compiled[t], compiled[t % 2]);
  EXPECT_EQ(engine.statistics().compiled, 2);
}

TEST_F(Cache, TwoEnginesMayWriteOneEntry) {
  // Stands for two processes: they share nothing but the folder.
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) threads.emplace_back([&] { Engine(cache()).compile(scaled(2)); });
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(entries().size(), 1u);
  EXPECT_EQ(compile(scaled(2)).loaded, 1);
}

TEST_F(Cache, ATargetThisProcessorLacksIsRefused) { EXPECT_THROW(Engine(cache(), Target{"x86-64-v9", 1024}), Error); }

TEST(Kernel, OutlivesItsEngine) {
  const testing::TemporaryFolder folder;
  const ir::Kernel kernel = scaled(2);
  std::shared_ptr<const CompiledKernel> compiled;
  {
    Engine engine(folder.path());
    compiled = engine.compile(kernel);
  }
  testing::expect_equals_interpreter(kernel, *compiled, testing::random_batch(kernel, 9, 1, -1, 1), "alone");
}

}  // namespace
}  // namespace proxima::jit
