#!/bin/sh
# Compiles the kernels of this folder to PTX beside them with clang 19; needs no
# CUDA toolkit. Usage: build.sh [NAME...]
set -eu
cd "$(dirname "$0")"
clang=${CLANG:-clang-19}
case $("$clang" -dumpversion) in
19.*) ;;
*) echo "build.sh: $clang is not clang 19, which these files were made with" >&2; exit 2 ;;
esac
common="-x cuda -std=c++17 -Wall -Wextra -Werror --cuda-device-only -nocudainc -nocudalib -I. -S
	-Wno-unused-function -Wno-pass-failed -Wno-cuda-compat"
short="-fcuda-short-ptr -mllvm --nvptx-short-ptr"

# compile NAME SUFFIX FLAGS: the back end's comments vary between builds.
compile() {
	name=$1 out=$1$2.ptx
	shift 2
	# shellcheck disable=SC2086
	"$clang" $common "$@" $exact -o "$out.raw" "$name.cu"
	sed -e 's/[[:space:]]*\/\/ .*$//' -e 's/[[:space:]]*\/\/$//' -e '/^[[:space:]]*$/d' "$out.raw" >"$out"
	rm "$out.raw"
}

[ $# -gt 0 ] || set -- *.cu
for f in "$@"; do
	n=${f%.cu}
	# The back end fuses regardless of the pragma.
	exact=
	grep -q 'fp contract(off)' "$f" && exact=-ffp-contract=off
	# shellcheck disable=SC2086
	compile "$n" "" -O2 --cuda-gpu-arch=sm_52 --cuda-feature=+ptx63 $short
	compile "$n" _O0 -O0 --cuda-gpu-arch=sm_52 --cuda-feature=+ptx63
	compile "$n" _sm70 -O3 --cuda-gpu-arch=sm_70 --cuda-feature=+ptx63
done
