// The runtime's own kernels (kernels/) as machine code for three architectures: that they compile, within registers and
// without spills. Needs NVRTC, no GPU; skipped where there is none.
#include <gtest/gtest.h>

#include "compiler/emit/cuda/worlds.hpp"
#include "compiler/jit/nvrtc.hpp"
#include "compiler/support/error.hpp"
#include "kernels/kernels.hpp"

namespace proxima::device {
namespace {

struct Text {
  const char* name;
  std::string text;
  std::vector<const char*> kernels;
  int registers;  // that each may take
};

std::vector<Text> all_texts() {
  const std::string solve(kernels::asset_solve_cu());
  return {
      {"vector.cu",
       std::string(kernels::asset_vector_cu()),
       {"add_scaled", "scale_and_add", "add_by_difference", "combine", "scale", "weigh_nodes", "imbalance",
        "nodes_to_rows", "rows_to_nodes"},
       32},
      {"sum.cu",
       std::string(kernels::asset_sum_cu()),
       {"dot", "sum", "sum_of_differences", "sum_of_weighed_squares", "potential_difference", "sum_rows", "dot_rows",
        "finish", "finish_step"},
       40},
      {"sum.cu, steps", std::string(kernels::asset_sum_cu()), {"step_sums"}, 72},
      {"conjugate_gradients.cu",
       kernels::conjugate_gradients_text(),
       {"begin_solve", "find_direction", "set_direction", "find_step", "descend", "end_iteration", "clear_after_end"},
       40},
      {"memory.cu", std::string(kernels::asset_memory_cu()), {"copy_words", "clear_words"}, 24},
      {"memory.cu, arguments", std::string(kernels::asset_memory_cu()), {"set_words"}, 64},
      {"gather.cu", std::string(kernels::asset_gather_cu()), {"gather"}, 40},
      {"gather.cu in float", "#define FORCE float\n" + std::string(kernels::asset_gather_cu()), {"gather"}, 40},
      {"strain.cu",
       std::string(kernels::asset_strain_cu()),
       {"strain_at", "strain_forces", "rest_through_strain", "divide_by_weight"},
       48},
      {"step.cu",
       std::string(kernels::asset_step_cu()),
       {"add_force", "add_body_force", "clear_nodes", "pose", "place", "free_flight", "velocities", "motion",
        "share_rows"},
       48},
      {"deflation.cu",
       kernels::deflation_text(),
       {"residual", "begin_smoothing", "end_smoothing", "enter", "add_entered", "leave"},
       48},
      {"deflation.cu, frames", kernels::deflation_text(), {"turn"}, 96},
      {"blocks.cu", std::string(kernels::asset_blocks_cu()), {"add_block_product"}, 40},
      {"columns.cu", std::string(kernels::asset_columns_cu()), {"gather_columns", "scatter_columns", "weigh"}, 48},
      {"dense.cu",
       std::string(kernels::asset_dense_cu()),
       {"multiply_panel", "multiply_transposed_panel", "slip_sides", "slip_forces", "solve_lu"},
       64},
      {"krylov.cu",
       std::string(kernels::asset_krylov_cu()),
       {"dot_vectors", "finish_dots", "add_vectors", "keep_divided", "take_shares", "give_shares"},
       56},
      {"single.cu", std::string(kernels::asset_single_cu()), {"narrow", "narrow_positions"}, 24},
      {"watched.cu", std::string(kernels::asset_watched_cu()), {"add_at_nodes"}, 24},
      {"adjoint.cu", std::string(kernels::asset_adjoint_cu()), {"mass_pull_back", "pass_back"}, 48},
      {"solve.cu in double", "#define STORE double\n" + solve, {"prepare", "solve"}, 128},
      {"solve.cu in float", "#define STORE float\n" + solve, {"prepare", "solve"}, 128},
      {"solve.cu in double for several", "#define WORLDS 8\n" + solve, {"solve"}, 128}};
}

TEST(KernelTexts, CompileWithinTheirRegisters) {
  std::shared_ptr<const jit::Nvrtc> nvrtc;
  try {
    nvrtc = jit::Nvrtc::load();
  } catch (const Error& missing) {
    GTEST_SKIP() << missing.what();
  }
  const auto check = [&](const Text& text, const std::string& words, int more) {
    for (const char* architecture : {"sm_80", "sm_90", "sm_100"}) {
      const std::string log = nvrtc->compile(text.name, words, "", architecture).log;
      for (const char* kernel : text.kernels) {
        const jit::CudaUsage usage = jit::usage_of(log, kernel);
        EXPECT_GT(usage.registers, 0) << kernel;
        EXPECT_LE(usage.registers, text.registers + more) << kernel << " for " << architecture;
        EXPECT_FALSE(usage.spills()) << kernel << " for " << architecture;
      }
    }
  };
  for (const Text& text : all_texts()) {
    check(text, text.text, 0);
    if (std::string_view(text.name).starts_with("solve.cu")) continue;  // has a form of its own for many worlds
    check(text, emit::for_worlds(text.text), 8);
  }
}

}  // namespace
}  // namespace proxima::device
