// The runtime's own GPU kernels, as CUDA C++ that needs no headers: each text is one file of this folder, whose
// comments say what arguments mean. Compiled by NVRTC for the GPU it runs on; the tests compile the same text for the
// host. What depends on the material is not here: the compiler prints it (compiler/emit/cuda).
#pragma once

#include <string>
#include <string_view>

namespace proxima::kernels {

std::string_view asset_vector_cu();
std::string_view asset_sum_cu();
std::string_view asset_gather_cu();
std::string_view asset_memory_cu();
std::string_view asset_strain_cu();
std::string_view asset_solve_cu();
std::string_view asset_step_cu();
std::string_view asset_adjoint_cu();
std::string_view asset_deflation_cu();
std::string_view asset_krylov_cu();
std::string_view asset_watched_cu();
std::string_view asset_single_cu();
std::string_view asset_blocks_cu();
std::string_view asset_columns_cu();
std::string_view asset_dense_cu();
std::string_view asset_conjugate_gradients_cu();
std::string_view asset_matrix3_hpp();

// deflation.cu with what it needs before it.
inline std::string deflation_text() {
  return "#define PROXIMA_INLINE static __device__\n" + std::string(asset_matrix3_hpp()) +
         std::string(asset_deflation_cu());
}

// conjugate_gradients.cu, likewise.
inline std::string conjugate_gradients_text() {
  return std::string(asset_sum_cu()) + std::string(asset_conjugate_gradients_cu());
}

// As the kernels are written for.
inline constexpr int vector_block = 256, gather_block = 128, gather_lanes = 4, strain_block = 128, solve_block = 128,
                     tile_block = 128, turn_block = 128, column_block = 128, piece_block = 256, share_block = 32,
                     panel_column_block = 128, lu_block = 256;
inline constexpr int panel_rows = 32, lu_width = 32;      // of dense.cu
inline constexpr int piece_pivots = 32;                   // of columns.cu
inline constexpr int vectors_at_once = 4;                 // at_once of krylov.cu
inline constexpr int words_at_once = 32;                  // of memory.cu
inline constexpr int sum_block = 256, sum_chunk = 4096;   // threads that add so many terms
inline constexpr int tile_rows = 128, tile_columns = 32;  // of a factor's block
inline constexpr int solve_worlds = 8;                    // WORLDS of solve.cu, where there are several

}  // namespace proxima::kernels
