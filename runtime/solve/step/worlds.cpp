#include "runtime/solve/step/worlds.hpp"

#include <exception>
#include <system_error>
#include <thread>

#include "compiler/support/error.hpp"
#include "runtime/device/cuda_batch.hpp"
#include "runtime/device/parallel.hpp"
#include "runtime/solve/objective/contacts.hpp"
#include "runtime/solve/objective/cuda_objective.hpp"
#include "runtime/solve/precondition/preconditioner.hpp"
#include "runtime/solve/precondition/shared_solve.hpp"

namespace proxima::solve {
namespace {

const device::CudaEngine* engine_of(const World& world) {
  const CudaObjective* gpu = world.objective->gpu();
  return gpu == nullptr ? nullptr : &gpu->algebra().engine();
}

void require_like(const World& world, const World& first) {
  const Preconditioner& own = world.objective->preconditioner();
  const Preconditioner& shared = first.objective->preconditioner();
  if (own.matrix().first != shared.matrix().first || own.matrix().row != shared.matrix().row)
    fail("{}: worlds that run together have one mesh and the same held nodes; these are not those of {}", world.name,
         first.name);
  if (own.factor().storage() != shared.factor().storage())
    fail("{}: worlds that run together store the factor in one precision; {} has the other", world.name, first.name);
  if (engine_of(world) != engine_of(first))
    fail("{}: worlds that run together run on one device; {} is on {}", world.name, first.name,
         engine_of(first) == nullptr ? "the CPU" : "the GPU");
}

}  // namespace

SharedWork& SharedWork::operator+=(const SharedWork& other) {
  applications += other.applications;
  passes += other.passes;
  requests += other.requests;
  launches += other.launches;
  return *this;
}

void require_alike(std::span<const World> worlds) {
  for (const World& world : worlds) require_like(world, worlds.front());
}

namespace {

using Thrown = std::vector<std::exception_ptr>;  // by each world

// Runs each world on a thread of its own that has a seat of `shared`, and calls take_part before it.
template <class Shared>
void run_all(std::span<const World> worlds, Shared& shared, Thrown& thrown,
             const std::function<void(const World&, typename Shared::Seat&)>& take_part) {
  thrown.resize(worlds.size());
  const auto run = [&](std::size_t k) {
    typename Shared::Seat seat(shared);
    try {
      take_part(worlds[k], seat);
      worlds[k].run();
    } catch (...) {
      thrown[k] = std::current_exception();
    }
    worlds[k].objective->share(nullptr);
  };
  std::vector<std::jthread> threads;
  threads.reserve(worlds.size());
  for (std::size_t k = 0; k < worlds.size(); ++k) try {
      threads.emplace_back(run, k);
    } catch (const std::system_error& error) {
      thrown[k] = std::make_exception_ptr(Error(fmt::format("no thread for it can be started: {}", error.what())));
      shared.dismiss();
    }
}

void rethrow_first(std::span<const World> worlds, const Thrown& thrown) {
  for (std::size_t k = 0; k < worlds.size(); ++k) {
    if (!thrown[k]) continue;
    try {
      std::rethrow_exception(thrown[k]);
    } catch (const Error& error) {
      fail("{}: {}", worlds[k].name, error.what());
    }
  }
}

SharedWork run_on_cpu(std::span<const World> worlds) {
  SharedSolve shared(worlds.front().objective->preconditioner().shared_factor(), static_cast<int>(worlds.size()),
                     device::threads());
  Thrown thrown;
  run_all<SharedSolve>(worlds, shared, thrown, [](const World& world, SharedSolve::Seat& seat) {
    if (world.objective->contacts().none())
      world.objective->share(&seat);
    else
      seat.leave();  // forces of contact are added half-way through a solve, which is the world's own
  });
  rethrow_first(worlds, thrown);
  return {shared.applications(), shared.passes()};
}

SharedWork run_on_gpu(std::span<const World> worlds) {
  const auto count = static_cast<int>(worlds.size());
  device::CudaEngine& engine = worlds.front().objective->gpu()->algebra().engine();
  const auto factor = worlds.front().objective->gpu()->factor_for(count);
  const std::int64_t applications = factor->applications(), passes = factor->passes();
  // What contacts do to one another is of a world's own A.
  const auto& a_of_first = worlds.front().objective->preconditioner().matrix().value;
  for (const World& world : worlds)
    if (world.objective->contacts().none() || world.objective->preconditioner().matrix().value == a_of_first)
      world.objective->gpu()->share(factor);
  device::CudaBatch batch(engine, count, device::threads());
  Thrown thrown;
  run_all<device::CudaBatch>(worlds, batch, thrown, [](const World&, device::CudaBatch::Seat&) {});
  for (const World& world : worlds) world.objective->gpu()->share(nullptr);
  std::exception_ptr at_the_end;
  try {
    batch.finish();
  } catch (...) {
    at_the_end = std::current_exception();
  }
  rethrow_first(worlds, thrown);
  if (at_the_end) std::rethrow_exception(at_the_end);
  return {factor->applications() - applications, factor->passes() - passes, batch.requests(), batch.launches()};
}

}  // namespace

SharedWork run_worlds(std::span<const World> worlds) {
  if (worlds.empty()) return {};
  require_alike(worlds);
  return worlds.front().objective->gpu() == nullptr ? run_on_cpu(worlds) : run_on_gpu(worlds);
}

}  // namespace proxima::solve
