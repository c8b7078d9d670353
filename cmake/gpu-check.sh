#!/usr/bin/env bash
# ./dev gpu-check: says what a GPU machine could check at this stage of the project, and what it found.
set -euo pipefail
if ! command -v nvidia-smi >/dev/null || ! nvidia-smi -L 2>/dev/null | grep -q '^GPU'; then
  echo "gpu-check: SKIPPED, no NVIDIA GPU with a working driver on this machine"
  exit 0
fi
nvidia-smi --query-gpu=name,driver_version,memory.total --format=csv,noheader
echo "gpu-check: the GPU above is ready, but this script does not run the generated kernels yet, so NOTHING was checked on it"
