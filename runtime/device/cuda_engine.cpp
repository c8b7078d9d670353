#include "runtime/device/cuda_engine.hpp"

#include "compiler/ir/serialize.hpp"

namespace proxima::device {

CudaEngine::CudaEngine(const std::filesystem::path& cache)
    : device_(CudaDevice::open()),
      store_(cache),
      architecture_(store_.nvrtc().architecture_for(device_->capability())) {}

std::shared_ptr<const CudaKernel> CudaEngine::compile(const ir::Kernel& kernel, emit::Precision precision) {
  const std::string key =
      kernel.name + (precision == emit::Precision::fp64 ? " fp64 " : " fp32 ") + ir::key_bytes(kernel);
  const std::scoped_lock lock(mutex_);
  auto& entry = kernels_[key];
  if (!entry)
    entry = std::make_shared<const CudaKernel>(
        device_->load(
            kernel.name, store_.get(kernel, precision, architecture_),
            [this, kernel, precision] { return store_.get(kernel, precision, architecture_, emit::Worlds::many); }),
        kernel, precision);
  return entry;
}

std::shared_ptr<const CudaArray> CudaEngine::constant(std::span<const std::byte> values) {
  const Hash hash = hash_bytes({reinterpret_cast<const char*>(values.data()), values.size()});
  const std::scoped_lock lock(mutex_);
  auto& entry = constants_[hash];
  std::shared_ptr<const CudaArray> array = entry.lock();
  if (array) return array;
  std::erase_if(constants_, [&](const auto& one) { return one.first != hash && one.second.expired(); });
  array = std::make_shared<const CudaArray>(device_->upload(values));
  entry = array;
  return array;
}

std::shared_ptr<const CudaModule> CudaEngine::compile_text(const std::string& name, std::string_view text) {
  const std::scoped_lock lock(mutex_);
  auto& entry = texts_[name];
  if (!entry)
    entry = device_->load(name, store_.get_text(name, std::string(text), architecture_),
                          [this, name, text = std::string(text)] {
                            return store_.get_text(name, text, architecture_, emit::Worlds::many);
                          });
  return entry;
}

}  // namespace proxima::device
