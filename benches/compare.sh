#!/usr/bin/env bash
# Stereometer and its Python peer side by side, on one model, in one run: the README's speed claims come from here.
#
#   benches/compare.sh MODEL.gguf [--items 48] [--rounds 3] [--threads 2]
#
# Makes a virtual environment under target/bench-venv (a first run downloads PyTorch, a few GB) and builds Stereometer.
# BENCH_PYTHON=/path/to/python uses an environment that already has the packages below.
# What is measured, and how: benches/peers.py.
set -euo pipefail

packages=(torch==2.15.0 transformers==5.24.0 tokenizers==0.23.3 accelerate==1.15.0 gguf==0.19.0 numpy==2.4.6 regex)

if [ $# -eq 0 ]; then
    sed -n '2,8s/^# \{0,1\}//p' "$0"
    exit 2
fi
model=$(realpath "$1")
shift
cd "$(dirname "$0")/.."

python=${BENCH_PYTHON:-target/bench-venv/bin/python}
if [ -z "${BENCH_PYTHON:-}" ]; then
    [ -x "$python" ] || python3 -m venv target/bench-venv
    "$python" -m pip install --quiet --disable-pip-version-check "${packages[@]}"
fi

cargo build --release --quiet --package stereometer
exec "$python" benches/peers.py "$model" --stereometer target/release/stereometer "$@"
