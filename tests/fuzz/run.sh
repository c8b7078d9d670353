#!/usr/bin/env bash
# Runs each fuzzer, one after the other, from the corpus in the repository: tests/fuzz/run.sh [SECONDS each] [TARGET ...]
# What it finds lies in build-fuzz/found; an input that is new and interesting in build-fuzz/corpus.
set -euo pipefail
cd "$(dirname "$(readlink -f "$0")")/../.."
seconds=${1:-600}
shift || true
cmake --preset fuzz >/dev/null
cmake --build build-fuzz --target fuzzers
for target in ${*:-scene markers msh vtk vtu tetgen obj stl}; do
  mkdir -p build-fuzz/corpus/"$target" build-fuzz/found
  seeds=(tests/fuzz/corpus/"$target") options=()
  if [ "$target" = scene ]; then
    seeds+=(dsl_examples/scenes)
    # The keys and names that scenes use, as words to put in.
    grep -hoE '"[A-Za-z_0-9.]{2,30}"' dsl_examples/scenes/* tests/fuzz/corpus/scene/* | sort -u | sed 's/"/\\"/g; s/.*/"&"/' >build-fuzz/scene.dict
    options+=(-dict=build-fuzz/scene.dict)
  fi
  nice build-fuzz/fuzz_"$target" -max_total_time="$seconds" -timeout=5 -rss_limit_mb=1024 -malloc_limit_mb=512 -max_len=16384 \
    -print_final_stats=1 -artifact_prefix=build-fuzz/found/"$target"- "${options[@]}" build-fuzz/corpus/"$target" "${seeds[@]}"
done
