#!/usr/bin/env bash
# ./dev gpu-check [OPTIONS]        checks and times kernels, solves and steps on this machine's GPU (options: tests/gpu/main.cpp)
# ./dev gpu-check --bundle [FILE]  packs the program and its libraries for a GPU machine that cannot build it
# Where it cannot be built, the program comes from the bundle $PROXIMA_GPU_BUNDLE, else build/gpu-check.tar.xz.
# $XZ_OPT is how it is packed; a bundle that is packed faster may be too large.
# $PROXIMA_GPU_CHECK is a program that was built already; $PROXIMA_CUDA_DRIVER stands for the GPU's driver.
set -euo pipefail
bundle=${PROXIMA_GPU_BUNDLE:-build/gpu-check.tar.xz}
most_bytes=$((64 * 1024 * 1024))  # that a bundle may have

has_gpu() {
  if [ -n "${PROXIMA_CUDA_DRIVER:-}" ]; then [ -e "$PROXIMA_CUDA_DRIVER" ]; return; fi
  [ -e /dev/nvidia0 ] || { command -v nvidia-smi >/dev/null && nvidia-smi -L 2>/dev/null | grep -q '^GPU'; }
}
can_build() { [ -n "${PROXIMA_GPU_CHECK:-}" ] || { [ -f CMakeLists.txt ] && command -v llvm-config-19 >/dev/null; }; }

build() {  # sets `program`
  program=${PROXIMA_GPU_CHECK:-}
  [ -z "$program" ] || return 0
  ./dev setup
  [ -f build/build.ninja ] || cmake --preset release
  cmake --build build --target gpu_check
  program=build/gpu_check
}

temporary_folder() {
  folder=$(mktemp -d)
  trap 'rm -rf "$folder"' EXIT
}

pack() {  # FILE
  build
  temporary_folder
  mkdir -p "$folder/gpu-check/lib" "$(dirname "$1")"
  strip -o "$folder/gpu-check/gpu_check" "$program"
  # The C and C++ libraries are those of the machine that it runs on.
  ldd "$program" | awk '$3 ~ /^\// { print $3 }' |
    { grep -vE '/(libc|libm|libdl|librt|libpthread|libgcc_s|libstdc\+\+)\.so' || true; } |
    xargs -r -d '\n' cp -L -t "$folder/gpu-check/lib"
  # The twist's mesh, which is not Proxima's, goes along where it is at hand.
  local meshes=${PROXIMA_SHARED_DATA:-../shared/data}
  if [ -f "$meshes/armadillo_10k.node" ]; then
    mkdir "$folder/gpu-check/meshes"
    cp "$meshes/armadillo_10k.node" "$meshes/armadillo_10k.ele" "$folder/gpu-check/meshes"
  fi
  cat > "$folder/gpu-check/run" <<'RUN'
#!/bin/sh
here=$(dirname "$(readlink -f "$0")")
export PROXIMA_SHARED_DATA=${PROXIMA_SHARED_DATA:-$here/meshes}
LD_LIBRARY_PATH=$here/lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH} exec "$here/gpu_check" "$@"
RUN
  chmod +x "$folder/gpu-check/run"
  local own_compression=${XZ_OPT:-}
  XZ_OPT=${XZ_OPT:--6 -T0} tar -C "$folder" -cJf "$1" gpu-check
  local bytes
  bytes=$(stat -c %s "$1")
  echo "gpu-check: $1 has $((bytes / 1024 / 1024)) MiB; there, ./dev gpu-check runs it, or unpack it: gpu-check/run"
  [ -n "$own_compression" ] || [ "$bytes" -le $most_bytes ] || { echo "gpu-check: that is more than 64 MiB" >&2; exit 1; }
}

if [ "${1:-}" = --bundle ]; then
  can_build || { echo "gpu-check: a bundle is made where Proxima can be built" >&2; exit 2; }
  pack "${2:-build/gpu-check.tar.xz}"
elif ! has_gpu; then
  echo "gpu-check: SKIPPED, no NVIDIA GPU with a working driver on this machine: NOTHING was checked"
elif can_build; then
  build
  "$program" "$@"
elif [ -f "$bundle" ]; then
  temporary_folder
  tar -C "$folder" -xJf "$bundle"
  "$folder/gpu-check/run" "$@"
else
  echo "gpu-check: there is a GPU, but neither what building needs nor a bundle ($bundle): make one with" \
    "'./dev gpu-check --bundle' where Proxima can be built. NOTHING was checked" >&2
  exit 2
fi
