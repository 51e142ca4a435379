#!/usr/bin/env bash
# Stereometer and its Python peers side by side, on the same weights, in one run: the speed claims of README.md and
# docs/performance.md come from here.
#
#   benches/compare.sh [MODEL.gguf ...] [--items 48] [--rounds 5] [--threads 2]
#
# Without a model: Gemma 3 270M and SmolLM2-135M, fetched by name. Makes a virtual environment with the peers under
# target/bench-venv (a first run downloads PyTorch, a few GB) and builds Stereometer. BENCH_PYTHON=/path/to/python uses an
# environment that already has the packages below. What is measured, and how: benches/compare.py, peers.py, work.py.
set -euo pipefail

packages=(torch==2.15.0 transformers==5.24.0 tokenizers==0.23.3 accelerate==1.15.0 gguf==0.19.0 numpy==2.4.6 regex
    lm_eval==0.4.13 minicons==0.3.39)

if [ "${1:-}" = --help ]; then
    sed -n '2,9s/^# \{0,1\}//p' "$0"
    exit 0
fi
models=()
while [ $# -gt 0 ] && [ "${1#--}" = "$1" ]; do
    models+=("$(realpath "$1")")
    shift
done
cd "$(dirname "$0")/.."

cargo build --release --quiet --package stereometer
cargo build --release --quiet --package stereometer-engine --example peak
program=target/release/stereometer
if [ ${#models[@]} -eq 0 ]; then
    models=("$("$program" model pull gemma-3-270m)" "$("$program" model pull smollm2-135m-instruct)")
fi

python=${BENCH_PYTHON:-target/bench-venv/bin/python}
if [ -z "${BENCH_PYTHON:-}" ]; then
    [ -x "$python" ] || python3 -m venv target/bench-venv
    "$python" -m pip install --quiet --disable-pip-version-check "${packages[@]}"
fi
exec "$python" benches/compare.py "${models[@]}" --program "$program" --peak target/release/examples/peak "$@"
