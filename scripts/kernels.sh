#!/bin/sh
# Compiles benchmarks/*/kernel.cu to kernel.ptx beside it with clang 19.
# Another major version would give other code, and with it other register
# counts, so it is refused. No CUDA toolkit is needed.
#
# Usage: scripts/kernels.sh [--check] [FOLDER...]   (all of benchmarks/ by default)
#
# With --check nothing is written: the exit status is 1 when a kernel.ptx is not
# what its kernel.cu compiles to.
set -eu
cd "$(dirname "$0")/../benchmarks"

want=19
clang=${CLANG:-clang-$want}
if ! command -v "$clang" >/dev/null 2>&1; then
	echo "kernels.sh: $clang is not installed; the PTX in benchmarks/ is built with clang $want (or set CLANG)" >&2
	exit 2
fi
major=$("$clang" -dumpversion | cut -d. -f1)
if [ "$major" != "$want" ]; then
	echo "kernels.sh: $clang is clang $major; the PTX in benchmarks/ is built with clang $want" >&2
	exit 2
fi

check=
if [ "${1:-}" = --check ]; then
	check=1
	shift
fi

# Short pointers make shared, local and constant addresses 32 bits wide, as the
# papers' compilers had them; both switches are needed without libdevice.
flags="-x cuda -std=c++17 -Wall -Wextra -Werror
	--cuda-device-only --cuda-gpu-arch=sm_52 --cuda-feature=+ptx63 -nocudainc -nocudalib
	-O2 -fcuda-short-ptr -mllvm --nvptx-short-ptr -Wno-unused-function -Wno-pass-failed -I."

# The back end's comments say nothing that the code does not, and vary between
# builds of clang.
compile() {
	# shellcheck disable=SC2086
	"$clang" $flags -S -o "$tmp/raw" "$1"
	sed -e 's/[[:space:]]*\/\/ .*$//' -e 's/[[:space:]]*\/\/$//' -e '/^[[:space:]]*$/d' "$tmp/raw" >"$tmp/ptx"
}

tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
status=0
[ $# -gt 0 ] || set -- $(ls -d */ | LC_ALL=C sort | tr -d /)
for app in "$@"; do
	[ -f "$app/kernel.cu" ] || continue
	compile "$app/kernel.cu"
	if [ -z "$check" ]; then
		cmp -s "$tmp/ptx" "$app/kernel.ptx" || cp "$tmp/ptx" "$app/kernel.ptx"
	elif ! cmp -s "$tmp/ptx" "$app/kernel.ptx"; then
		echo "benchmarks/$app/kernel.ptx is not what kernel.cu compiles to: run scripts/kernels.sh $app" >&2
		status=1
	fi
done
exit $status
