# Settings shared by every target, and the two helpers that make a room (a library) and its tests.

option(PROXIMA_TESTS "Build the tests" ON)
option(PROXIMA_BENCH "Build the benchmarks" ON)
option(PROXIMA_SANITIZE "Address and undefined-behaviour sanitizers" OFF)
option(PROXIMA_FUZZ "Fuzzers of what is read from files; needs Clang" OFF)
option(PROXIMA_WERROR "Treat warnings as errors" ON)

if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "" FORCE)
endif()
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR})

# Flags every target of ours gets. Contraction stays off, so that a result does not depend on which
# multiply-adds a compiler chose to fuse; where a fused operation is wanted it is written as one.
add_library(proxima_settings INTERFACE)
target_include_directories(proxima_settings INTERFACE ${PROJECT_SOURCE_DIR})
target_compile_options(proxima_settings INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wnon-virtual-dtor -Wimplicit-fallthrough
  $<$<BOOL:${PROXIMA_WERROR}>:-Werror> -ffp-contract=off)
if(PROXIMA_SANITIZE)
  # g++ 12 sees uninitialised values in the standard library that are none once code is instrumented.
  # No check of dynamic types: what the files beside LLVM make has no RTTI (see ProximaCodegen.cmake).
  target_compile_options(proxima_settings INTERFACE
    -O1 -Wno-maybe-uninitialized -fsanitize=address,undefined -fno-sanitize=vptr -fno-sanitize-recover=undefined -fno-omit-frame-pointer)
  target_link_options(proxima_settings INTERFACE -fsanitize=address,undefined)
endif()
if(PROXIMA_FUZZ)
  target_compile_options(proxima_settings INTERFACE
    -O1 -g -fsanitize=fuzzer-no-link,address,undefined -fno-sanitize=vptr -fno-sanitize-recover=undefined)
  target_link_options(proxima_settings INTERFACE -fsanitize=address,undefined)
endif()

include(ProximaPrecompiled)

# proxima_room(NAME SOURCES a.cpp ... [DEPENDS room-or-library ...] [PRIVATE_DEPENDS ...] [PRECOMPILED headers])
# One library target a room; DEPENDS are what its headers need, PRIVATE_DEPENDS what only its sources need.
function(proxima_room NAME)
  cmake_parse_arguments(ROOM "" "PRECOMPILED" "SOURCES;DEPENDS;PRIVATE_DEPENDS" ${ARGN})
  if(NOT ROOM_PRECOMPILED)
    set(ROOM_PRECOMPILED proxima_room_headers)
  endif()
  add_library(${NAME} STATIC ${ROOM_SOURCES})
  # fmt is among the precompiled headers, whether or not the room uses it.
  target_link_libraries(${NAME} PUBLIC proxima_settings ${ROOM_DEPENDS} PRIVATE ${ROOM_PRIVATE_DEPENDS} fmt::fmt)
  target_precompile_headers(${NAME} REUSE_FROM ${ROOM_PRECOMPILED})
endfunction()

# proxima_test(NAME SOURCES a.cpp ... DEPENDS room ...): a GoogleTest program whose cases ctest knows one by one. Its
# options and precompiled headers are those of tests/CMakeLists.txt.
function(proxima_test NAME)
  cmake_parse_arguments(TEST "" "TIMEOUT" "SOURCES;DEPENDS" ${ARGN})
  if(NOT TEST_TIMEOUT)
    set(TEST_TIMEOUT 120)
  endif()
  if(PROXIMA_SANITIZE)
    math(EXPR TEST_TIMEOUT "${TEST_TIMEOUT} * 10")
  endif()
  add_executable(${NAME} ${TEST_SOURCES})
  target_compile_options(${NAME} PRIVATE ${PROXIMA_TEST_OPTIONS})
  target_precompile_headers(${NAME} REUSE_FROM proxima_test_headers)
  foreach(source ${TEST_SOURCES})
    set_property(GLOBAL APPEND PROPERTY PROXIMA_TEST_SOURCES ${CMAKE_CURRENT_SOURCE_DIR}/${source})
  endforeach()
  target_link_libraries(${NAME} PRIVATE proxima_settings ${TEST_DEPENDS} fmt::fmt GTest::gtest GTest::gmock GTest::gtest_main)
  target_compile_definitions(${NAME} PRIVATE
    PROXIMA_SOURCE_DIR="${PROJECT_SOURCE_DIR}" PROXIMA_BINARY_DIR="${PROJECT_BINARY_DIR}")
  set_target_properties(${NAME} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/tests)
  # Kernels that tests compile are cached with the build, not with the user's own.
  # Every parameterised test names its cases, so the values need not be in the name.
  gtest_discover_tests(${NAME} DISCOVERY_MODE PRE_TEST NO_PRETTY_VALUES DISCOVERY_TIMEOUT 120
    PROPERTIES TIMEOUT ${TEST_TIMEOUT} ENVIRONMENT PROXIMA_CACHE=${PROJECT_BINARY_DIR}/test_cache)
endfunction()
