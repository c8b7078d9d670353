#!/usr/bin/env bash
# ./dev demo: record the motion of a body, forget its material, identify it from the motion. Everything lands in out/demo.
set -euo pipefail
cd "$(dirname "$0")/.."
out=out/demo
mkdir -p $out

echo "1. A soft ball on a plate that jerks: dsl_examples/wobble/recorded.json"
build/proxima run dsl_examples/wobble/recorded.json -o $out/recorded --overwrite
echo
echo "2. The material from the motion alone, the modulus starting a factor of 5 off: dsl_examples/wobble/identify.json"
build/proxima optimize dsl_examples/wobble/identify.json -o $out/identified --overwrite
echo
echo "Look at $out/recorded/motion.pvd in ParaView and at $out/identified/loss.svg in a browser."
