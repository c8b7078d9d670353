#include "runtime/solve/worlds.hpp"

#include <exception>
#include <thread>

#include "compiler/support/error.hpp"
#include "runtime/device/parallel.hpp"
#include "runtime/solve/contacts.hpp"
#include "runtime/solve/preconditioner.hpp"
#include "runtime/solve/shared_solve.hpp"

namespace proxima::solve {
namespace {

void require_like(const World& world, const World& first) {
  const Preconditioner& own = world.objective->preconditioner();
  const Preconditioner& shared = first.objective->preconditioner();
  if (own.matrix().first != shared.matrix().first || own.matrix().row != shared.matrix().row)
    fail("{}: worlds that run together have one mesh and the same held nodes; these are not those of {}", world.name,
         first.name);
  if (own.factor().storage() != shared.factor().storage())
    fail("{}: worlds that run together store the factor in one precision; {} has the other", world.name, first.name);
  if (!world.objective->contacts().none()) fail("{}: worlds with contact or ties do not run together", world.name);
  if (world.objective->gpu() != nullptr) fail("{}: worlds run together on the CPU, not on a GPU", world.name);
}

}  // namespace

void require_alike(std::span<const World> worlds) {
  for (const World& world : worlds) require_like(world, worlds.front());
}

SharedWork run_worlds(std::span<const World> worlds) {
  if (worlds.empty()) return {};
  require_alike(worlds);
  SharedSolve shared(worlds.front().objective->preconditioner().shared_factor(), static_cast<int>(worlds.size()),
                     device::threads());
  std::vector<std::exception_ptr> thrown(worlds.size());
  const auto run = [&](std::size_t k) {
    SharedSolve::Seat seat(shared);
    worlds[k].objective->share(&seat);
    try {
      worlds[k].run();
    } catch (...) {
      thrown[k] = std::current_exception();
    }
    worlds[k].objective->share(nullptr);
  };
  {
    std::vector<std::jthread> threads;
    threads.reserve(worlds.size());
    for (std::size_t k = 0; k < worlds.size(); ++k) threads.emplace_back(run, k);
  }
  for (std::size_t k = 0; k < worlds.size(); ++k) {
    if (!thrown[k]) continue;
    try {
      std::rethrow_exception(thrown[k]);
    } catch (const Error& error) {
      fail("{}: {}", worlds[k].name, error.what());
    }
  }
  return {shared.applications(), shared.passes()};
}

}  // namespace proxima::solve
