#!/bin/sh
# Compiles the kernels that "go run ./tools/device -ptx DIR -sm SM" has written, lists their SASS
# and runs them on the first NVIDIA GPU of this machine:
#
#	sh tools/device/measure.sh DIR SM
#
# It needs ptxas and nvdisasm of the CUDA toolkit, the GPU's driver, and Python 3.
set -eu
if [ $# -ne 2 ]; then
	echo "usage: measure.sh DIR SM" >&2
	exit 2
fi
dir=$1 sm=$2 missing=
for tool in ptxas nvdisasm python3; do
	command -v "$tool" >/dev/null 2>&1 || missing="$missing $tool"
done
if [ -n "$missing" ]; then
	echo "measure.sh: not found:$missing; expected the CUDA toolkit and Python 3 on the path" >&2
	exit 2
fi
for ptx in "$dir"/*.ptx; do
	echo "${ptx%.ptx}"
done | xargs -P "$(nproc)" -I BASE sh -c "ptxas -arch=sm_$sm -o 'BASE.cubin' 'BASE.ptx' &&
	nvdisasm -hex 'BASE.cubin' >'BASE.sass.tmp' && mv 'BASE.sass.tmp' 'BASE.sass'"
python3 "$(dirname "$0")/run.py" "$dir" "$sm" >"$dir/measured.csv.tmp"
mv "$dir/measured.csv.tmp" "$dir/measured.csv"
echo "$dir/measured.csv"
