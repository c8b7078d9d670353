#include "compiler/emit/cuda/print.hpp"

#include <fmt/format.h>

#include <map>
#include <set>
#include <string_view>
#include <vector>

#include "compiler/emit/cuda/prologue.hpp"
#include "compiler/emit/lower.hpp"
#include "compiler/emit/remake.hpp"
#include "compiler/emit/schedule.hpp"
#include "compiler/emit/text/function.hpp"
#include "compiler/emit/text/graph_text.hpp"

namespace proxima::emit {

// A hash of the sources that decide the text, written while building.
std::string_view cuda_emitter_fingerprint();

namespace {

using ir::Access;

// Values that the schedule tries to keep alive at most. Half of what a thread can have in fp64; ptxas schedules anew
// and decides in the end.
constexpr int registers = 64;

// Steps between two uses of a value after which it is made again, in a style that does so. Of 30, 60, 120 and 200 the
// last two leave the fewest kernels that spill; of these the first makes more kernels of long formulas fit.
constexpr int far = 120;

// There is no <math.h> to have them from.
constexpr std::string_view not_finite =
    "#define INFINITY __int_as_float(0x7f800000)\n#define NAN __int_as_float(0x7fffffff)\n\n";

std::vector<std::string> own_names(const ir::Kernel& kernel) {
  std::vector<std::string> names = {"element", "elements", "stride",   "nodes",    "none1",
                                    "none2",   "blockIdx", "blockDim", "threadIdx"};
  for (std::uint32_t corner = 0; corner < kernel.corners; ++corner) names.push_back(fmt::format("node{}", corner));
  return names;
}

class CudaText : public GraphText {
 public:
  CudaText(Writer& writer, const ScheduledKernel& scheduled, const CudaStyle& style)
      : GraphText(writer, scheduled.kernel->graph, scheduled.loops, {scheduled.once, scheduled.each_tile}, {}),
        writer_(writer),
        scheduled_(scheduled),
        style_(style),
        kernel_(*scheduled.kernel),
        names_(field_names(kernel_, own_names(kernel_))) {
    for (const std::string& name : own_names(kernel_)) writer.reserve(name);
    for (const std::string& name : names_) writer.reserve(name);
    for (const ir::Field& field : kernel_.inputs) {
      scalars_.emplace_back();
      const std::string& name = names_[scalars_.size() - 1];
      for (std::uint32_t k = 0; k < kernel_.scalars(field); ++k) {
        const bool whole = field.access == Access::uniform && field.components == 1;
        const std::string scalar = field.access == Access::nodal
                                       ? fmt::format("{}{}_{}", name, k / field.components, k % field.components)
                                       : fmt::format("{}_{}", name, k);
        scalars_.back().push_back(whole ? name : writer.unused(scalar));
      }
    }
  }

  // The comment and the head of the function.
  std::string signature() const {
    std::string comment = fmt::format("// {}, one thread an element.\n", kernel_.name), arguments;
    const auto argument = [&](const std::string& words) { arguments += (arguments.empty() ? "" : ", ") + words; };
    const auto describe = [&](const std::string& name, std::uint32_t numbers, std::string_view what) {
      comment += fmt::format("//   {}: {} number{} {}\n", name, numbers, numbers == 1 ? "" : "s", what);
    };
    for (std::size_t f = 0; f < kernel_.inputs.size(); ++f) {
      const ir::Field& field = kernel_.inputs[f];
      if (field.access == Access::uniform) {
        describe(names_[f], field.components, "for all elements");
        for (const std::string& scalar : scalars_[f]) argument(fmt::format("{} {}", writer_.number, scalar));
        continue;
      }
      const bool nodal = field.access == Access::nodal;
      describe(names_[f], field.components, nodal ? "a node, [node][component]" : "an element, [component][element]");
      argument(fmt::format("const {} *__restrict__ {}", writer_.number, names_[f]));
    }
    for (std::size_t f = 0; f < kernel_.outputs.size(); ++f) {
      const std::string& name = names_[kernel_.inputs.size() + f];
      describe(name, kernel_.outputs[f].components, "an element, [component][element], the result");
      argument(fmt::format("{} *__restrict__ {}", writer_.number, name));
    }
    if (kernel_.corners > 0) {
      comment += fmt::format("//   nodes: {} of an element, [corner][element]\n", kernel_.corners);
      argument("const int *__restrict__ nodes");
    }
    comment += "//   elements: how many; stride: from one component or corner to the next\n";
    argument("int elements");
    argument("long long stride");
    return fmt::format("{}extern \"C\" __global__ void __launch_bounds__({}{}) {}({}) {{\n", comment, cuda_block,
                       style_.all_registers ? ", 1" : "", cuda_symbol(kernel_), arguments);
  }

  void begin() {
    writer_.line("const int element = (int)(blockIdx.x * blockDim.x + threadIdx.x);");
    writer_.line("if (element >= elements) return;");
    if (!style_.made_again) return;
    writer_.line("const int none1 = elements >> 31;  // 0, which no compiler knows: what is loaded by it is not what");
    writer_.line("const int none2 = (int)(stride >> 63);  // was loaded before, so that need not be kept");
  }

 protected:
  Spelling input(std::uint32_t slot) override {
    const Source& source = scheduled_.sources.at(slot);
    const ir::Field& field = kernel_.inputs[source.field];
    std::string scalar = scalars_[source.field][source.scalar];
    if (field.access == Access::uniform) return atom(scalar);
    const std::string& array = names_[source.field];
    const int loads = loads_[slot]++;
    if (loads > 0) scalar = writer_.unused(scalar);
    const std::string element = place("element", loads);
    std::string at = row(source.scalar, element);
    if (field.access == Access::nodal) {
      const std::uint32_t corner = source.scalar / field.components, component = source.scalar % field.components;
      const std::string node = fmt::format("node{}", corner);
      if (known_nodes_.insert(corner).second)
        writer_.line(fmt::format("const int {} = nodes[{}];", node, row(corner, "element")));
      const std::string again = place(node, loads);
      at = field.components == 1 ? again : fmt::format("{} * {} + {}", field.components, again, component);
    }
    writer_.line(fmt::format("const {} {} = {}[{}];", writer_.number, scalar, array, at));
    return atom(scalar);
  }
  void store(std::uint32_t result, const Spelling& value) override {
    std::size_t field = 0;
    while (result >= kernel_.outputs[field].components) result -= kernel_.outputs[field++].components;
    writer_.line(
        fmt::format("{}[{}] = {};", names_[kernel_.inputs.size() + field], row(result, "element"), value.words));
  }

 private:
  // The element's place in row `k` of an array of rows.
  static std::string row(std::uint32_t k, const std::string& element) {
    return k == 0 ? element : k == 1 ? "stride + " + element : fmt::format("{} * stride + {}", k, element);
  }
  // `index` for the first load, and for later ones a spelling of it that is not that of the load before.
  static std::string place(const std::string& index, int loads) {
    return loads == 0 ? index : fmt::format("({} + none{})", index, 2 - loads % 2);
  }

  Writer& writer_;
  const ScheduledKernel& scheduled_;
  const CudaStyle style_;
  const ir::Kernel& kernel_;
  const std::vector<std::string> names_;           // inputs, then outputs
  std::vector<std::vector<std::string>> scalars_;  // of inputs
  std::set<std::uint32_t> known_nodes_;            // corners
  std::map<std::uint32_t, int> loads_;             // how many there were, by input slot
};

// What is computed before a launch, for a reader.
std::string as_comment(const ir::Kernel& prologue) {
  if (prologue.results.empty()) return "";
  const std::string text =
      function_text(lower(prologue, Precision::fp64, Decompositions::kept), function_name(prologue), Precision::fp64);
  std::string comment = "// Computed before the launch:\n";
  for (std::size_t begin = text.find("void "); begin < text.size();) {
    const std::size_t end = text.find('\n', begin);
    comment += "//   " + text.substr(begin, end - begin) + '\n';
    begin = end + 1;
  }
  return comment + '\n';
}

}  // namespace

std::string cuda_symbol(const ir::Kernel& kernel) { return function_name(kernel); }

std::string cuda_key(Precision precision) {
  return "CUDA emitter " + std::string(cuda_emitter_fingerprint()) +
         (precision == Precision::fp64 ? ", fp64" : ", fp32");
}

std::string kernel_as_cuda(const ir::Kernel& kernel, Precision precision, const CudaStyle& style) {
  const Divided divided = divide(kernel);
  const ir::Kernel readable = lower(divided.kernel, precision, Decompositions::kept);
  ScheduledKernel scheduled = schedule(readable, registers, style.depth_first ? Ordering::depth_first : Ordering::best);
  if (style.made_again) scheduled.each_tile = with_values_made_again(scheduled, far);
  Writer writer(precision, "#pragma unroll 1");
  CudaText text(writer, scheduled, style);
  text.begin();
  text.take(0);
  text.take(1);
  std::string file = as_comment(divided.prologue) +
                     decomposition_functions(readable.graph, precision, "static __device__ __forceinline__") +
                     text.signature() + writer.text() + "}\n";
  for (const std::string_view word : {"INFINITY", "NAN"})
    if (file.find(word) != std::string::npos) return std::string(not_finite) + file;
  return file;
}

}  // namespace proxima::emit
