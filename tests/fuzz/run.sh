#!/usr/bin/env bash
# Runs each fuzzer, one after the other, from the corpus in the repository: tests/fuzz/run.sh [SECONDS each] [TARGET ...]
# What it finds lies in build-fuzz/found; an input that is new and interesting in build-fuzz/corpus.
set -euo pipefail
cd "$(dirname "$(readlink -f "$0")")/../.."
seconds=${1:-600}
shift || true
cmake --preset fuzz >/dev/null
cmake --build build-fuzz --target fuzzers
for target in ${*:-scene msh vtk vtu tetgen obj stl}; do
  mkdir -p build-fuzz/corpus/"$target" build-fuzz/found
  nice build-fuzz/fuzz_"$target" -max_total_time="$seconds" -timeout=5 -rss_limit_mb=1024 -malloc_limit_mb=512 -max_len=16384 \
    -print_final_stats=1 -artifact_prefix=build-fuzz/found/"$target"- build-fuzz/corpus/"$target" tests/fuzz/corpus/"$target"
done
