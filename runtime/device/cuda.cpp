#include "runtime/device/cuda.hpp"

#include <algorithm>
#include <cstring>
#include <stdexcept>
#include <utility>

#include "compiler/support/error.hpp"
#include "runtime/device/cuda_driver.hpp"
#include "runtime/device/cuda_lane.hpp"
#include "runtime/device/cuda_recorder.hpp"

namespace proxima::device {
std::shared_ptr<CudaDevice> CudaDevice::open() {
  return std::shared_ptr<CudaDevice>(new CudaDevice(std::make_shared<const Driver>()));
}

CudaDevice::CudaDevice(std::shared_ptr<const Driver> driver) : driver_(std::move(driver)), name_("the GPU") {
  const cuda::Functions& f = driver_->f;
  int count = 0;
  const cuda::Result started = f.init(0);
  if (started == cuda::no_device) fail("no GPU can be used: the CUDA driver finds none");
  if (started != 0) fail("no GPU can be used: the CUDA driver does not start: {}", driver_->words(started));
  check(f.device_count(&count), "counting GPUs");
  if (count == 0) fail("no GPU can be used: the CUDA driver finds none");
  cuda::DeviceNumber device = 0;
  check(f.device(&device, 0), "the first GPU");
  char name[256] = {};
  check(f.device_name(name, sizeof name, device), "its name");
  name_ = name;
  int major = 0, minor = 0;
  check(f.device_attribute(&major, cuda::capability_major, device), "its compute capability");
  check(f.device_attribute(&minor, cuda::capability_minor, device), "its compute capability");
  capability_ = 10 * major + minor;
  check(f.device_attribute(&multiprocessors_, cuda::multiprocessors, device), "its multiprocessors");
  cuda::Context context = nullptr;
  check(f.retain_context(&context, device), "its context");
  context_ = context;
  enter();
  for (void** kept : {&stream_, &copies_, &captures_}) {
    cuda::Stream stream = nullptr;
    check(f.create_stream(&stream, cuda::stream_non_blocking), "a stream");
    *kept = stream;
  }
  memory_ = std::make_unique<CudaMemory>(CudaMemory::Driver{[this](std::size_t bytes) {
                                                              cuda::Address address = 0;
                                                              enter();
                                                              const cuda::Result result =
                                                                  driver_->f.allocate(&address, bytes);
                                                              if (result == cuda::out_of_memory)
                                                                return std::uint64_t{0};
                                                              check(result, fmt::format("memory for {} bytes", bytes));
                                                              return std::uint64_t{address};
                                                            },
                                                            [this](std::uint64_t address) {
                                                              driver_->f.set_context(handle<cuda::Context>(context_));
                                                              driver_->f.free(address);
                                                            }});
}

CudaDevice::~CudaDevice() {
  // The primary context is left to the driver: other code of the process may use it.
  driver_->f.set_context(handle<cuda::Context>(context_));
  memory_.reset();
  for (void* stream : {stream_, copies_, captures_})
    if (stream != nullptr) driver_->f.destroy_stream(handle<cuda::Stream>(stream));
}

void CudaDevice::enter() const {
  if (CudaRecorder::of(*this) != nullptr)
    throw std::logic_error("while work for a GPU is recorded: only launches, copies within it and clearing can be");
  check(driver_->f.set_context(handle<cuda::Context>(context_)), "its context");
}

void CudaDevice::check(int result, const std::string& what) const {
  if (result != 0) throw std::runtime_error(fmt::format("{}: {}: {}", name_, what, driver_->words(result)));
}

void CudaDevice::wait() {
  if (CudaLane* lane = CudaLane::of(*this)) lane->wait();
  wait_for_stream();
}

void CudaDevice::wait_for_stream() {
  enter();
  check(driver_->f.wait(handle<cuda::Stream>(stream_)), "what was launched before");
}

double CudaDevice::milliseconds(const std::function<void()>& queue) {
  const cuda::Functions& f = driver_->f;
  enter();
  const auto destroy = [&](cuda::Event event) { f.destroy_event(event); };
  const auto event = [&] {
    cuda::Event created = nullptr;
    check(f.create_event(&created, 0), "an event");
    return std::unique_ptr<cuda::OpaqueEvent, decltype(destroy)>(created, destroy);
  };
  const auto before = event(), after = event();
  check(f.record(before.get(), handle<cuda::Stream>(stream_)), "an event");
  queue();
  check(f.record(after.get(), handle<cuda::Stream>(stream_)), "an event");
  wait();
  float milliseconds = 0;
  check(f.elapsed(&milliseconds, before.get(), after.get()), "the time between two events");
  return double{milliseconds};
}

CudaArray CudaDevice::allocate(std::size_t bytes) { return {shared_from_this(), bytes}; }

CudaArray CudaDevice::upload(std::span<const std::byte> values) {
  CudaArray result = allocate(values.size());
  if (values.empty()) return result;
  // Not by a lane: nothing that any lane has yet to do knows of this memory.
  check(driver_->f.copy_in(result.address_, values.data(), values.size(), handle<cuda::Stream>(stream_)),
        "copying to it");
  return result;
}

CudaArray CudaDevice::upload_own(std::span<const std::byte> values) {
  if (CudaLane::of(*this) == nullptr || !CudaLane::takes(values.size())) return upload(values);
  CudaArray result = allocate(values.size());
  result.write(values);
  return result;
}

std::shared_ptr<const CudaModule> CudaDevice::load(const std::string& name, const jit::CudaCode& code,
                                                   std::function<jit::CudaCode()> for_worlds) {
  return std::shared_ptr<const CudaModule>(new CudaModule(shared_from_this(), name, code, std::move(for_worlds)));
}

CudaArray::CudaArray(std::shared_ptr<CudaDevice> device, std::size_t bytes)
    : device_(std::move(device)), bytes_(bytes) {
  if (bytes == 0) return;
  device_->enter();
  address_ = device_->memory_->take(bytes);
  if (address_ != 0) return;
  std::size_t free = 0, total = 0;
  device_->check(device_->driver_->f.memory(&free, &total), "its memory");
  fail("{} has no {} bytes of memory left, {} of its {} are free; a smaller mesh, or fewer worlds at a time, may fit",
       device_->name(), bytes, free, total);
}

CudaArray::CudaArray(CudaArray&& other) noexcept
    : device_(std::move(other.device_)),
      bytes_(std::exchange(other.bytes_, 0)),
      address_(std::exchange(other.address_, 0)) {}

CudaArray& CudaArray::operator=(CudaArray&& other) noexcept {
  std::swap(device_, other.device_);
  std::swap(bytes_, other.bytes_);
  std::swap(address_, other.address_);
  return *this;
}

CudaArray::~CudaArray() {
  if (address_ != 0) device_->memory_->give(address_, bytes_);
}

void CudaArray::write(std::span<const std::byte> from) {
  if (from.size() != bytes_) throw std::logic_error("CudaArray::write: another size");
  write_first(from);
}

void CudaArray::write_first(std::span<const std::byte> from) {
  if (from.size() > bytes_) throw std::logic_error("CudaArray::write: more than there is");
  if (from.empty()) return;
  if (CudaLane* lane = CudaLane::of(*device_); lane != nullptr && lane->write(address_, from)) return;
  device_->enter();
  device_->check(
      device_->driver_->f.copy_in(address_, from.data(), from.size(), handle<cuda::Stream>(device_->stream_)),
      "copying to it");
}

void CudaArray::read(std::span<std::byte> to, std::size_t first) const {
  if (first > bytes_ || to.size() > bytes_ - first) throw std::logic_error("CudaArray::read: more than there is");
  if (to.empty()) return;
  if (CudaLane* lane = CudaLane::of(*device_); lane != nullptr && lane->read(to, address_ + first)) return;
  device_->wait_for_stream();
  device_->check(device_->driver_->f.copy_out(to.data(), address_ + first, to.size()), "copying from it");
}

void CudaArray::copy(const CudaArray& from) {
  if (from.bytes_ != bytes_) throw std::logic_error("CudaArray::copy: another size");
  if (bytes_ == 0) return;
  if (CudaRecorder* recorder = CudaRecorder::of(*device_)) return recorder->copy(address_, from.address_, bytes_);
  if (CudaLane* lane = CudaLane::of(*device_); lane != nullptr && lane->copy(address_, from.address_, bytes_)) return;
  device_->enter();
  device_->check(
      device_->driver_->f.copy_within(address_, from.address_, bytes_, handle<cuda::Stream>(device_->stream_)),
      "copying within it");
}

void CudaArray::clear() {
  if (bytes_ == 0) return;
  if (CudaRecorder* recorder = CudaRecorder::of(*device_)) return recorder->clear(address_, bytes_);
  if (CudaLane* lane = CudaLane::of(*device_); lane != nullptr && lane->clear(address_, bytes_)) return;
  device_->enter();
  device_->check(device_->driver_->f.fill(address_, 0, bytes_, handle<cuda::Stream>(device_->stream_)), "clearing");
}

CudaStage::CudaStage(CudaDevice& device, std::size_t bytes)
    : CudaStage(device.shared_from_this(), device.allocate(bytes)) {
  const cuda::Functions& f = device_->driver_->f;
  device_->enter();
  if (const cuda::Result result = f.allocate_locked(&here_, std::max<std::size_t>(bytes, 1), 0); result != 0) {
    if (result == cuda::out_of_memory)
      fail("the host has no {} bytes of memory that {} can copy to; a smaller mesh may fit", bytes, device_->name());
    device_->check(result, fmt::format("{} bytes on the host", bytes));
  }
  for (void** kept : {&of_work_, &of_copies_}) {
    cuda::Event event = nullptr;
    device_->check(f.create_event(&event, cuda::event_without_timing), "an event");
    *kept = event;
  }
}

CudaStage::CudaStage(std::shared_ptr<CudaDevice> device, CudaArray staged)
    : device_(std::move(device)), staged_(std::move(staged)) {}

CudaStage::~CudaStage() {
  const cuda::Functions& f = device_->driver_->f;
  f.set_context(handle<cuda::Context>(device_->context_));
  for (void* event : {of_work_, of_copies_}) {
    if (event == nullptr) continue;
    f.wait_for_event(handle<cuda::Event>(event));
    f.destroy_event(handle<cuda::Event>(event));
  }
  if (here_ != nullptr) f.free_locked(here_);
}

void CudaStage::wait_for(void* event) const {
  device_->enter();
  device_->check(device_->driver_->f.wait_for_event(handle<cuda::Event>(event)), "what was to be copied");
}

void CudaDownload::start(std::span<const CudaArray* const> arrays) {
  if (CudaLane* lane = CudaLane::of(*device_)) lane->wait();
  wait();
  const cuda::Functions& f = device_->driver_->f;
  const auto work = handle<cuda::Stream>(device_->stream_), copies = handle<cuda::Stream>(device_->copies_);
  std::size_t at = 0;
  for (const CudaArray* array : arrays) {
    if (array->bytes_ > staged_.bytes_ - at) throw std::logic_error("CudaDownload::start: more than there is room for");
    if (array->bytes_ > 0)
      device_->check(f.copy_within(staged_.address_ + at, array->address_, array->bytes_, work), "copying within it");
    at += array->bytes_;
  }
  device_->check(f.record(handle<cuda::Event>(of_work_), work), "an event");
  device_->check(f.stream_waits(copies, handle<cuda::Event>(of_work_), 0), "waiting for a copy");
  if (at > 0) device_->check(f.copy_out_later(here_, staged_.address_, at, copies), "copying from it");
  device_->check(f.record(handle<cuda::Event>(of_copies_), copies), "an event");
}

std::span<const std::byte> CudaDownload::wait() {
  wait_for(of_copies_);
  return {static_cast<const std::byte*>(here_), staged_.bytes_};
}

// Work that is queued already may still use the memory, which was given back before.
CudaUpload::CudaUpload(CudaDevice& device, std::size_t bytes) : CudaStage(device, bytes) {
  if (CudaLane* lane = CudaLane::of(device)) lane->wait();
  device_->check(device_->driver_->f.record(handle<cuda::Event>(of_work_), handle<cuda::Stream>(device_->stream_)),
                 "an event");
}

std::span<std::byte> CudaUpload::room() {
  wait_for(of_copies_);
  return {static_cast<std::byte*>(here_), staged_.bytes_};
}

void CudaUpload::start() {
  const cuda::Functions& f = device_->driver_->f;
  const auto copies = handle<cuda::Stream>(device_->copies_);
  device_->enter();
  device_->check(f.stream_waits(copies, handle<cuda::Event>(of_work_), 0), "waiting for a copy");
  if (staged_.bytes_ > 0) device_->check(f.copy_in(staged_.address_, here_, staged_.bytes_, copies), "copying to it");
  device_->check(f.record(handle<cuda::Event>(of_copies_), copies), "an event");
}

void CudaUpload::fill(std::span<CudaArray* const> arrays) {
  if (CudaLane* lane = CudaLane::of(*device_)) lane->wait();
  const cuda::Functions& f = device_->driver_->f;
  const auto work = handle<cuda::Stream>(device_->stream_);
  device_->enter();
  device_->check(f.stream_waits(work, handle<cuda::Event>(of_copies_), 0), "waiting for a copy");
  std::size_t at = 0;
  for (const CudaArray* array : arrays) {
    if (array->bytes_ > staged_.bytes_ - at) throw std::logic_error("CudaUpload::fill: more than there is");
    if (array->bytes_ > 0)
      device_->check(f.copy_within(array->address_, staged_.address_ + at, array->bytes_, work), "copying within it");
    at += array->bytes_;
  }
  device_->check(f.record(handle<cuda::Event>(of_work_), work), "an event");
}

CudaModule::CudaModule(std::shared_ptr<CudaDevice> device, const std::string& name, const jit::CudaCode& code,
                       std::function<jit::CudaCode()> for_worlds)
    : device_(std::move(device)), name_(name), for_worlds_(std::move(for_worlds)) {
  device_->enter();
  cuda::Module module = nullptr;
  device_->check(device_->driver_->f.load_module(&module, code.image.c_str()), name_ + ": loading its code");
  module_ = module;
}

CudaModule::~CudaModule() {
  if (module_ == nullptr) return;
  device_->driver_->f.set_context(handle<cuda::Context>(device_->context_));
  device_->driver_->f.unload_module(handle<cuda::Module>(module_));
}

class CudaModule::WorldsLaunch : public CudaTask {
 public:
  explicit WorldsLaunch(CudaFunction function) : function_(std::move(function)) {}
  void run(std::uint64_t table, std::size_t rows, std::size_t blocks, std::size_t threads) const override {
    function_.launch_now(blocks, rows, threads, std::array<const void*, 1>{&table});
  }

 private:
  const CudaFunction function_;
};

std::shared_ptr<const CudaTask> CudaModule::task(const std::string& symbol) const {
  const std::scoped_lock lock(mutex_);
  auto& task = tasks_[symbol];
  if (task) return task;
  if (!of_worlds_) {
    if (!for_worlds_) throw std::logic_error(name_ + ": loaded without its form for many worlds");
    of_worlds_ = device_->load(name_ + ", for worlds", for_worlds_());
  }
  return task = std::make_shared<const WorldsLaunch>(of_worlds_->function(symbol));
}

CudaFunction::CudaFunction(std::shared_ptr<const CudaModule> module, const std::string& symbol)
    : module_(std::move(module)), name_(module_->name_), symbol_(symbol) {
  const CudaDevice& device = *module_->device_;
  const cuda::Functions& f = device.driver_->f;
  device.enter();
  cuda::Function function = nullptr;
  device.check(f.function(&function, handle<cuda::Module>(module_->module_), symbol.c_str()),
               name_ + ": finding " + symbol);
  device.check(f.function_attribute(&registers_, cuda::function_registers, function), name_ + ": its registers");
  device.check(f.function_attribute(&local_bytes_, cuda::function_local_bytes, function), name_ + ": its memory");
  function_ = function;
}

int CudaFunction::resident_blocks(int threads) const {
  const CudaDevice& device = *module_->device_;
  device.enter();
  int blocks = 0;
  device.check(device.driver_->f.occupancy(&blocks, handle<cuda::Function>(function_), threads, 0),
               name_ + ": its occupancy");
  return blocks * device.multiprocessors();
}

bool CudaFunction::diverted() const {
  return CudaRecorder::of(*module_->device_) != nullptr || CudaLane::of(*module_->device_) != nullptr;
}

void CudaFunction::divert(std::size_t blocks, std::size_t threads, const Row& row) const {
  if (CudaRecorder* recorder = CudaRecorder::of(*module_->device_))
    return recorder->launch({module_, name_, function_, blocks, threads, row.numbers, row.first});
  std::vector<std::uint64_t> numbers{blocks};
  numbers.insert(numbers.end(), row.numbers.begin(), row.numbers.end());
  CudaLane::of(*module_->device_)->launch(module_->task(symbol_), blocks, threads, numbers);
}

void CudaFunction::Row::append(const void* argument, std::size_t bytes) {
  const std::size_t begin = numbers.size();
  first.push_back(begin);
  numbers.resize(begin + (bytes + sizeof(std::uint64_t) - 1) / sizeof(std::uint64_t));
  std::memcpy(&numbers[begin], argument, bytes);
}

void CudaFunction::launch(std::size_t blocks, std::size_t threads, std::span<const std::uint64_t> arguments) const {
  if (diverted()) {
    Row row;
    for (const std::uint64_t& argument : arguments) row.append(&argument, sizeof argument);
    return divert(blocks, threads, row);
  }
  std::vector<const void*> pointers;
  pointers.reserve(arguments.size());
  for (const std::uint64_t& argument : arguments) pointers.push_back(&argument);
  launch_now(blocks, 1, threads, pointers);
}

void CudaFunction::launch_now(std::size_t blocks, std::size_t rows, std::size_t threads,
                              std::span<const void* const> arguments) const {
  const CudaDevice& device = *module_->device_;
  // The driver takes a pointer to each argument and copies as many bytes as the kernel says it has.
  std::vector<void*> pointers;
  pointers.reserve(arguments.size());
  for (const void* argument : arguments) pointers.push_back(const_cast<void*>(argument));
  device.enter();
  device.check(device.driver_->f.launch(handle<cuda::Function>(function_), static_cast<unsigned>(blocks),
                                        static_cast<unsigned>(rows), 1, static_cast<unsigned>(threads), 1, 1, 0,
                                        handle<cuda::Stream>(device.stream_), pointers.data(), nullptr),
               name_ + ": launching it");
}

}  // namespace proxima::device
