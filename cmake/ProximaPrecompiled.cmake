# Headers that nearly every file includes, read once by the compiler instead of once a file: a fifth of what seven files
# of rooms took to compile. A file still includes what it uses, and builds without: -DCMAKE_DISABLE_PRECOMPILE_HEADERS=ON.

# proxima_precompiled(NAME HEADERS <a> ... [DEPENDS library ...] [OPTIONS option ...] [PROGRAM])
# The compiler takes them where it is called with the same options only: those of a library, or with PROGRAM of an
# executable, and OPTIONS.
function(proxima_precompiled NAME)
  cmake_parse_arguments(PRE "PROGRAM" "" "HEADERS;DEPENDS;OPTIONS" ${ARGN})
  set(source ${PROJECT_BINARY_DIR}/precompiled/${NAME}.cpp)
  if(PRE_PROGRAM)
    file(CONFIGURE OUTPUT ${source} CONTENT "int main() {}\n")
    add_executable(${NAME} ${source})
    set_target_properties(${NAME} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/precompiled)
  else()
    file(CONFIGURE OUTPUT ${source} CONTENT "")
    add_library(${NAME} OBJECT ${source})
  endif()
  target_link_libraries(${NAME} PRIVATE proxima_settings ${PRE_DEPENDS})
  target_compile_options(${NAME} PRIVATE ${PRE_OPTIONS})
  target_precompile_headers(${NAME} PRIVATE ${PRE_HEADERS})
endfunction()

# What is compiled with options of its own cannot take them.
function(proxima_not_precompiled)
  set_source_files_properties(${ARGN} PROPERTIES SKIP_PRECOMPILE_HEADERS ON)
endfunction()

find_package(fmt REQUIRED)
set(PROXIMA_STANDARD_HEADERS <algorithm> <array> <cmath> <cstdint> <cstring> <filesystem> <functional> <limits> <map> <memory>
  <mutex> <numeric> <optional> <set> <span> <stdexcept> <string> <string_view> <utility> <variant> <vector> <fmt/format.h>)
proxima_precompiled(proxima_room_headers HEADERS ${PROXIMA_STANDARD_HEADERS} DEPENDS fmt::fmt)
proxima_precompiled(proxima_program_headers PROGRAM HEADERS ${PROXIMA_STANDARD_HEADERS} DEPENDS fmt::fmt)
