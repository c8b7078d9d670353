// One energy on the elements of one region, on a GPU: the fields of its RegionKernels copied there, its kernels
// compiled for it, element results gathered to nodes.
#pragma once

#include <map>
#include <optional>

#include "runtime/device/cuda_vector.hpp"
#include "runtime/solve/region/region.hpp"

namespace proxima::solve {

class CudaSingle;  // cuda_single.hpp

// Kernels are compiled when they are first needed. One thread of callers at a time.
class CudaRegion {
 public:
  // `held`: one flag a node; those get nothing from a gather. `region` must stay where it is.
  CudaRegion(std::shared_ptr<device::CudaAlgebra> algebra, RegionKernels& region, const std::vector<char>& held);

  // Queue y += the gradient at x, and y += H direction, but for held nodes. `previous`: positions where the step
  // starts.
  struct At {
    const device::CudaVector& x;
    const device::CudaVector& previous;
  };
  void add_gradient(const At& at, device::CudaVector& y);
  void add_hessian_vector(derive::Quantity product, const At& at, const device::CudaVector& direction,
                          device::CudaVector& y);
  // The second in single precision, at what `at` has; narrow_fields() sets what else it depends on, as it is then.
  void narrow_fields(derive::Quantity product);
  void add_hessian_vector(derive::Quantity product, const CudaSingle& at, device::CudaVector& y);
  // Alternating directions, as of RegionKernels; only where kernels().has_proximal_step().
  device::CudaVector zero_dual() const;
  void set_equilibrium_dual(const At& at, device::CudaVector& dual);
  void add_proximal_force(const At& at, device::CudaVector& dual, device::CudaVector& y);
  const RegionKernels& kernels() const { return *region_; }

  // A number or several at each item for each history of the energy, in its order; rows as kernels see them.
  using Histories = std::vector<device::CudaVector>;
  Histories histories() const;          // of zeros
  std::size_t history_numbers() const;  // of all of them, padding included
  // From and to history_size() numbers as RegionKernels has them, on the host: the rows of all histories, and those
  // added.
  void append_rows(std::span<const double> points, std::vector<double>& rows) const;
  void add(std::span<const double> from_rows, std::span<double> points) const;
  // Those that the step entered begins with: given there, or those that the RegionKernels have.
  void enter_history(const Histories& history);
  void follow_history();
  // Those after it, by the energy's update rules at x.
  void update_history(const At& at, Histories& result);
  // Pull-backs, as of RegionKernels; all nodes get theirs, held ones too.
  void add_full_hessian_vector(const At& at, const device::CudaVector& direction, device::CudaVector& y);
  // Of a sum over pull-backs what is one an element, and by directions, item by item: it stays there until it is added
  // to the rest of the gradient, which goes to `total` at once.
  struct ItemGradient {
    std::vector<std::optional<device::CudaVector>> parameters{};  // none where there is one value for the region
    std::vector<device::CudaVector> directions{};
  };
  ItemGradient zero_item_gradient() const;
  void add(const ItemGradient& items, RegionGradient& total) const;
  void add_pull_back(const At& at, const device::CudaVector& direction, RegionGradient& total, ItemGradient& items);
  // `rest`: positions there.
  void add_rest_pull_back(const At& at, const device::CudaVector& direction, const device::CudaVector& rest,
                          device::CudaVector& y);
  void add_carried_pull_back(const At& at, const device::CudaVector& direction, device::CudaVector& previous,
                             Histories& history);
  // `rest_shape`: null where that is not wanted.
  void add_history_pull_back(const At& at, const Histories& bars, RegionGradient& total, ItemGradient& items,
                             device::CudaVector& y, device::CudaVector& previous, Histories& history,
                             device::CudaVector* rest_shape);
  // Of all items; J.
  double energy(const At& at);
  // Queue the same as so many partial sums of a larger sum, and with the gradient.
  std::size_t energy_chunks() const { return device::sum_chunks(static_cast<std::size_t>(items_)); }
  void add_energy(const At& at, device::CudaPartials& sum);
  void add_energy_and_gradient(const At& at, device::CudaPartials& sum, device::CudaVector& y);
  // Item by item: queue the gradient with the energies, and the second energies less the first.
  device::CudaArray item_energies() const;
  void add_gradient(const At& at, device::CudaArray& energies, device::CudaVector& y);
  void add_energy_difference(const device::CudaArray& first, const device::CudaArray& second,
                             device::CudaPartials& sum) const;

 private:
  void forget_old_kernels();  // where parameters have become per element, or no longer are
  const device::CudaKernel& kernel(derive::Quantity quantity);
  // The fields that a launch does not find in the region, by name.
  using Given = std::map<std::string, const device::CudaArray*>;
  void launch(const device::CudaKernel& kernel, const Given& given, std::span<const device::CudaArray* const> outputs);
  void run(derive::Quantity quantity, const At& at, const device::CudaVector* direction,
           std::span<const device::CudaArray* const> outputs);
  void run(derive::Quantity quantity, const At& at, const device::CudaVector* direction,
           const device::CudaArray& output);
  // All outputs of a kernel, by name, which stay until its next launch. `given` beside positions and previous.
  using Outputs = std::map<std::string, device::CudaVector>;
  const Outputs& run_to_rows(derive::Quantity quantity, const At& at, Given given);
  // Of those of a pull-back, those by parameters and directions.
  void add_values(const Outputs& outputs, RegionGradient& total, ItemGradient& items);
  void add_histories(const Outputs& outputs, Histories& history) const;
  // Adds -F(x)^T by_positions, corner by corner.
  void add_rest_through_strain(const device::CudaVector& x, const device::CudaVector& by_positions,
                               device::CudaVector& y);
  // Rows of one number an item.
  device::CudaVector rows(std::size_t components) const;
  // Loaded when first asked for: not every method takes proximal steps, nor products in single precision.
  struct Proximal;
  Proximal& proximal();
  struct Single;
  Single& single();
  const device::CudaKernel& single_kernel(derive::Quantity product);
  void set_strain(const device::CudaVector& x, device::CudaVector& strain);
  // Which element vectors go to which nodes.
  struct Gather {
    std::shared_ptr<const device::CudaArray> first{}, offset{}, nodes{};
    int count = 0;  // nodes
  };
  Gather make_gather(const std::vector<std::vector<std::int64_t>>& pairs, const std::vector<char>& held,
                     bool of_held) const;
  void gather(const Gather& to, const device::CudaArray& forces, device::CudaVector& y);
  void gather_to_free(device::CudaVector& y) { gather(free_, forces_, y); }
  void gather_to_all(const device::CudaVector& forces, device::CudaVector& y);
  const device::CudaArray& field(const std::string& name);
  const device::CudaArray& input(const std::string& name);  // a field, or a history of the step

  // The values that a field has first are those of other worlds, too, more often than not.
  struct Copy {
    std::shared_ptr<const device::CudaArray> first;
    device::CudaArray later{};
    std::uint64_t version = 0;
    const device::CudaArray& array() const { return first ? *first : later; }
  };
  std::shared_ptr<device::CudaAlgebra> algebra_;
  RegionKernels* region_;
  std::vector<bool> per_element_;  // what the kernels were compiled for
  std::map<derive::Quantity, std::shared_ptr<const device::CudaKernel>> kernels_;
  std::shared_ptr<const device::CudaKernel> proximal_step_;
  std::map<std::string, Copy> fields_;
  std::vector<std::string> history_names_;  // of the fields
  Histories history_;
  std::shared_ptr<Proximal> proximal_;
  std::shared_ptr<Single> single_;
  device::CudaFunction gather_;
  int items_;  // elements of a launch
  std::int64_t stride_;
  Gather free_, held_;
  std::map<derive::Quantity, Outputs> outputs_;
  std::shared_ptr<const device::CudaArray> nodes_;
  device::CudaArray forces_, energies_;
};

}  // namespace proxima::solve
