#!/usr/bin/env bash
# Usage: bench/run.sh [regex] [Google Benchmark options]
# Runs the benchmark programs of build/bench whose name matches the regex (default: all), nine times each, and shows
# median and spread. Those that measure whole runs repeat what they need to themselves and take no options from here.
set -euo pipefail
cd "$(dirname "$0")/.."
pattern=${1:-.}
[ $# -gt 0 ] && shift
found=0
for program in build/bench/bench_*; do
  [ -x "$program" ] && [[ $(basename "$program") =~ $pattern ]] || continue
  found=1
  echo "== $(basename "$program")"
  case $(basename "$program") in
    bench_solve | bench_reference | bench_contrast | bench_scale | bench_memory | bench_identify | bench_adjoint | bench_contact_steps | bench_diffpd_contact) "$program" ;;
    *)
      "$program" --benchmark_repetitions=9 --benchmark_report_aggregates_only=true \
        --benchmark_enable_random_interleaving=true --benchmark_min_time=0.1 "$@"
      ;;
  esac
done
[ $found = 1 ] || { echo "no benchmark program matches '$pattern' in build/bench: build them first" >&2; exit 1; }
