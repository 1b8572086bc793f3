#!/bin/sh
# Compiles what "go run ./lab/device -write DIR -sm SM" has written, and runs it on the first NVIDIA GPU of this
# machine:
#
#	sh lab/device/measure.sh DIR SM
#
# It needs ptxas, nvdisasm and Nsight Compute (ncu) of the CUDA toolkit, the GPU's driver, and Python 3.
set -eu
if [ $# -ne 2 ]; then
	echo "usage: measure.sh DIR SM" >&2
	exit 2
fi
dir=$1 sm=$2 missing= here=$(dirname "$0")
for tool in ptxas nvdisasm ncu python3; do
	command -v "$tool" >/dev/null 2>&1 || missing="$missing $tool"
done
if [ -n "$missing" ]; then
	echo "measure.sh: not found:$missing; expected the CUDA toolkit and Python 3 on the path" >&2
	exit 2
fi
find "$dir" -name '*.ptx' | sed 's/\.ptx$//' | xargs -P "$(nproc)" -I BASE sh -c "ptxas -arch=sm_$sm -o 'BASE.cubin' 'BASE.ptx' &&
	nvdisasm -hex 'BASE.cubin' >'BASE.sass.tmp' && mv 'BASE.sass.tmp' 'BASE.sass'"
profile="ncu --profile-from-start off --csv --page raw"
cycles=gpc__cycles_elapsed.max,sm__cycles_elapsed.avg.per_second
python3 "$here/loops.py" "$dir/loops" >"$dir/loops.csv.tmp"
mv "$dir/loops.csv.tmp" "$dir/loops.csv"
if [ "$sm" = 90 ]; then # of which the encodings are known
	python3 "$here/registers.py" measure "$dir/registers.csv.tmp"
	mv "$dir/registers.csv.tmp" "$dir/registers.csv"
fi
$profile --cache-control none --metrics $cycles python3 "$here/memory.py" "$dir/memory" "$dir/memory.list" >"$dir/memory.ncu"
python3 "$here/profile.py" memory "$dir/memory.list" "$dir/memory.ncu" >"$dir/memory.csv.tmp"
mv "$dir/memory.csv.tmp" "$dir/memory.csv"
python3 "$here/programs.py" "$dir/programs" "$dir/launches.list" "$dir/outputs.csv"
$profile --metrics $cycles,smsp__inst_executed.sum,launch__registers_per_thread \
	python3 "$here/programs.py" "$dir/programs" "$dir/launches.list" "$dir/outputs.again" >"$dir/launches.ncu"
python3 "$here/profile.py" launches "$dir/launches.list" "$dir/launches.ncu" >"$dir/launches.csv.tmp"
mv "$dir/launches.csv.tmp" "$dir/launches.csv"
ls "$dir"/*.csv
