#include "compiler/check/batch.hpp"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <new>
#include <utility>

#include "compiler/ir/interpreter.hpp"

namespace proxima::check {
namespace {

// Zeroed bytes aligned as kernels want them.
class Buffer {
 public:
  explicit Buffer(std::size_t bytes) : data_(::operator new(std::max<std::size_t>(bytes, 1), alignment)) {
    std::fill_n(static_cast<std::byte*>(data_), bytes, std::byte{});
  }
  ~Buffer() {
    if (data_ != nullptr) ::operator delete(data_, alignment);
  }
  Buffer(Buffer&& other) noexcept : data_(std::exchange(other.data_, nullptr)) {}
  Buffer(const Buffer&) = delete;
  Buffer& operator=(const Buffer&) = delete;
  Buffer& operator=(Buffer&&) = delete;
  template <class T>
  T* as() const {
    return static_cast<T*>(data_);
  }
  void* get() const { return data_; }

 private:
  static constexpr std::align_val_t alignment{64};
  void* data_;
};

// The arrays of one launch, in Real numbers.
template <class Real>
class Launch {
 public:
  Launch(const jit::CompiledKernel& kernel, const Batch& batch)
      : kernel_(kernel),
        batch_(batch),
        lanes_(static_cast<std::size_t>(kernel.lanes)),
        tiles_((batch.elements + lanes_ - 1) / lanes_),
        nodes_(tiles_ * kernel.corners * lanes_ * sizeof(std::int32_t)) {
    for (std::size_t f = 0; f < kernel.inputs.size(); ++f) inputs_.push_back(input(kernel.inputs[f], batch.fields[f]));
    for (const ir::Field& field : kernel.outputs)
      outputs_.emplace_back(tiles_ * field.components * lanes_ * sizeof(Real));
    for (std::size_t t = 0; t < tiles_; ++t)
      for (std::size_t c = 0; c < kernel.corners; ++c)
        for (std::size_t l = 0; l < lanes_; ++l)
          nodes_.as<std::int32_t>()[(t * kernel.corners + c) * lanes_ + l] =
              static_cast<std::int32_t>(element(t, l) * kernel.corners + c);
    for (const Buffer& buffer : inputs_) in_.push_back(buffer.get());
    for (const Buffer& buffer : outputs_) out_.push_back(buffer.get());
  }

  void operator()() const {
    kernel_.function(in_.data(), out_.data(), nodes_.as<std::int32_t>(), 0, static_cast<std::int64_t>(tiles_));
  }

  std::vector<double> output(std::size_t f) const {
    const std::size_t components = kernel_.outputs[f].components;
    std::vector<double> values;
    for (std::size_t e = 0; e < batch_.elements; ++e)
      for (std::size_t c = 0; c < components; ++c)
        values.push_back(outputs_[f].template as<Real>()[((e / lanes_) * components + c) * lanes_ + e % lanes_]);
    return values;
  }

 private:
  std::size_t element(std::size_t tile, std::size_t lane) const {
    return std::min(tile * lanes_ + lane, batch_.elements - 1);
  }
  Buffer input(const ir::Field& field, const std::vector<double>& values) const {
    if (field.access != ir::Access::element) {
      Buffer buffer(values.size() * sizeof(Real));
      std::ranges::transform(values, buffer.as<Real>(), [](double value) { return static_cast<Real>(value); });
      return buffer;
    }
    Buffer buffer(tiles_ * field.components * lanes_ * sizeof(Real));
    for (std::size_t t = 0; t < tiles_; ++t)
      for (std::size_t c = 0; c < field.components; ++c)
        for (std::size_t l = 0; l < lanes_; ++l)
          buffer.as<Real>()[(t * field.components + c) * lanes_ + l] =
              static_cast<Real>(values[element(t, l) * field.components + c]);
    return buffer;
  }

  const jit::CompiledKernel& kernel_;
  const Batch& batch_;
  const std::size_t lanes_, tiles_;
  Buffer nodes_;
  std::vector<Buffer> inputs_, outputs_;
  std::vector<const void*> in_;
  std::vector<void*> out_;
};

template <class Action>
auto in_precision(jit::Precision precision, Action action) {
  return precision == jit::Precision::fp64 ? action(double{}) : action(float{});
}

}  // namespace

std::vector<std::vector<double>> run(const jit::CompiledKernel& kernel, const Batch& batch) {
  return in_precision(kernel.precision, [&](auto real) {
    const Launch<decltype(real)> launch(kernel, batch);
    launch();
    std::vector<std::vector<double>> results(kernel.outputs.size());
    for (std::size_t f = 0; f < results.size(); ++f) results[f] = launch.output(f);
    return results;
  });
}

std::vector<std::vector<double>> interpret(const ir::Kernel& kernel, const Batch& batch, jit::Precision precision) {
  ir::Interpreter<double> interpreter(kernel.graph, kernel.results);
  std::vector<std::vector<double>> results(kernel.outputs.size());
  for (std::size_t e = 0; e < batch.elements; ++e) {
    std::vector<double> inputs;
    for (std::size_t f = 0; f < kernel.inputs.size(); ++f) {
      const std::size_t count = kernel.scalars(kernel.inputs[f]);
      const std::size_t first = kernel.inputs[f].access == ir::Access::uniform ? 0 : e * count;
      for (std::size_t k = 0; k < count; ++k) {
        const double value = batch.fields[f].at(first + k);
        inputs.push_back(precision == jit::Precision::fp64 ? value : static_cast<double>(static_cast<float>(value)));
      }
    }
    const auto values = interpreter(inputs);
    std::size_t next = 0;
    for (std::size_t f = 0; f < kernel.outputs.size(); ++f)
      for (std::size_t c = 0; c < kernel.outputs[f].components; ++c) results[f].push_back(values[next++]);
  }
  return results;
}

double nanoseconds(const jit::CompiledKernel& kernel, const Batch& batch) {
  using Clock = std::chrono::steady_clock;
  return in_precision(kernel.precision, [&](auto real) {
    const Launch<decltype(real)> launch(kernel, batch);
    const auto time = [&](int repeats) {
      const auto start = Clock::now();
      for (int k = 0; k < repeats; ++k) launch();
      return std::chrono::duration<double, std::nano>(Clock::now() - start).count();
    };
    constexpr double long_enough = 1e6;  // 1 ms
    constexpr int runs = 5;
    int repeats = 1;
    while (time(repeats) < long_enough && repeats < 1 << 20) repeats *= 2;
    double best = time(repeats);
    for (int k = 1; k < runs; ++k) best = std::min(best, time(repeats));
    return best / repeats / static_cast<double>(batch.elements);
  });
}

}  // namespace proxima::check
