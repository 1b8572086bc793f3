#!/bin/sh
# Compiles benchmarks/*/kernel.cu to kernel.ptx beside it with clang 19.
# Another major version would give other code, and with it other register
# counts, so it is refused. No CUDA toolkit is needed.
#
# Usage: scripts/kernels.sh [APPLICATION...]   (all of them by default)
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

# Short pointers make shared, local and constant addresses 32 bits wide, as the
# papers' compilers had them; both switches are needed without libdevice.
flags="-x cuda -std=c++17 -Wall -Wextra -Werror
	--cuda-device-only --cuda-gpu-arch=sm_52 --cuda-feature=+ptx63 -nocudainc -nocudalib
	-O2 -fcuda-short-ptr -mllvm --nvptx-short-ptr -Wno-unused-function -Wno-pass-failed -I."

[ $# -gt 0 ] || set -- $(ls -d */ | LC_ALL=C sort | tr -d /)
for app in "$@"; do
	[ -f "$app/kernel.cu" ] || continue
	# shellcheck disable=SC2086
	"$clang" $flags -S -o "$app/kernel.ptx.new" "$app/kernel.cu"
	# The back end's comments say nothing that the code does not, and vary between builds of clang.
	sed -e 's/[[:space:]]*\/\/ .*$//' -e 's/[[:space:]]*\/\/$//' -e '/^[[:space:]]*$/d' "$app/kernel.ptx.new" >"$app/kernel.ptx"
	rm "$app/kernel.ptx.new"
done
