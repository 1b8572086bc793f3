#!/bin/sh
# Compiles the built-in kernels with NVIDIA's tools at several register limits
# and prints, as JSON, what becomes of them: registers, spills, stack, shared
# memory, and instructions by class. lab/docs/validation/peers.md says what to compare it with.
#
# Needs nvcc, cuobjdump and nvdisasm of one CUDA toolkit that still knows the
# architecture (ARCH, sm_52 by default: CUDA 6.5 to 12.x).
#
# Usage: [ARCH=sm_52] scripts/sass-compare.sh [FOLDER...] >sass.json    (all of benchmarks/ by default)
#
# Each kernel is compiled twice: from kernel.ptx, so that only the assembler
# differs from ours, and from kernel.cu, so that the vendor's front end does too. What
# fails to compile is recorded with the first line of the error.
set -eu
cd "$(dirname "$0")/../benchmarks"

arch=${ARCH:-sm_52}
limits=${LIMITS:-20 32 64 none}
for tool in nvcc cuobjdump nvdisasm awk; do
	command -v "$tool" >/dev/null 2>&1 || { echo "sass-compare.sh: $tool is not installed" >&2; exit 2; }
done

tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT

# clang's names in CUDA's words, for kernel.cu.
cat >"$tmp/names.h" <<'HEADER'
#pragma once
#include <cuda_runtime.h>
#define __nvvm_read_ptx_sreg_tid_x() ((int)threadIdx.x)
#define __nvvm_read_ptx_sreg_tid_y() ((int)threadIdx.y)
#define __nvvm_read_ptx_sreg_tid_z() ((int)threadIdx.z)
#define __nvvm_read_ptx_sreg_ctaid_x() ((int)blockIdx.x)
#define __nvvm_read_ptx_sreg_ctaid_y() ((int)blockIdx.y)
#define __nvvm_read_ptx_sreg_ntid_x() ((int)blockDim.x)
#define __nvvm_read_ptx_sreg_ntid_y() ((int)blockDim.y)
#define __nvvm_read_ptx_sreg_nctaid_x() ((int)gridDim.x)
#define __nvvm_read_ptx_sreg_nctaid_y() ((int)gridDim.y)
#define __nvvm_fmin_f(a, b) fminf(a, b)
#define __nvvm_fmax_f(a, b) fmaxf(a, b)
#define __nvvm_sqrt_rn_f(x) __fsqrt_rn(x)
#define __nvvm_ex2_approx_f(x) exp2f(x)
#define __nvvm_lg2_approx_f(x) __log2f(x)
#define __nvvm_sin_approx_f(x) __sinf(x)
#define __nvvm_cos_approx_f(x) __cosf(x)
#define __nvvm_rsqrt_approx_f(x) rsqrtf(x)
#define __nvvm_atom_add_gen_i(p, v) atomicAdd(p, v)
#define __nvvm_d2i_hi(x) __double2hiint(x)
#define __nvvm_d2i_lo(x) __double2loint(x)
#define __nvvm_lohi_i2d(lo, hi) __hiloint2double(hi, lo)
#define __builtin_fabsf(x) fabsf(x)
#define __builtin_fma(a, b, c) __fma_rn(a, b, c)
#define __builtin_fmaf(a, b, c) __fmaf_rn(a, b, c)
#define __builtin_rint(x) ::rint(x)
#define __builtin_rintf(x) rintf(x)
/* Names of cuda.h that CUDA's headers have too. */
#define min kumiko_min
#define max kumiko_max
#define fmin kumiko_fmin
#define fmax kumiko_fmax
#define fma kumiko_fma
#define fabs kumiko_fabs
#define sqrt kumiko_sqrt
HEADER
missing=$(grep -oh '__nvvm_[a-z0-9_]*\|__builtin_[a-z0-9_]*' cuda.h */kernel.cu | sort -u | while read -r name; do
	grep -q "define $name(" "$tmp/names.h" || echo "$name"
done)
[ -z "$missing" ] || { echo "sass-compare.sh: no CUDA name for" $missing >&2; exit 2; }

# summary prints a JSON list of the functions of $tmp/cubin, from the resource
# usage that cuobjdump lists, ptxas' spills and nvdisasm's text.
summary() {
	cuobjdump -res-usage "$tmp/cubin" >"$tmp/usage" 2>/dev/null
	nvdisasm -c "$tmp/cubin" >"$tmp/sass"
	awk '
	function class(op) {
		if (op ~ /^(LDG|LD)$/) return "load_global"
		if (op ~ /^LDS/) return "load_shared"
		if (op ~ /^LDL/) return "load_local"
		if (op ~ /^(LDC|LDU)/) return "load_constant"
		if (op ~ /^(STG|ST)$/) return "store_global"
		if (op ~ /^STS/) return "store_shared"
		if (op ~ /^STL/) return "store_local"
		if (op ~ /^(ATOM|RED)/) return "atomic"
		if (op ~ /^(TEX|TLD|TXQ)/) return "texture"
		if (op ~ /^(MUFU|RRO)/) return "sfu"
		if (op ~ /^(DADD|DMUL|DFMA|DMNMX|DSETP|DSET)/) return "double"
		if (op ~ /^(FADD|FMUL|FFMA|FMNMX|FSETP|FSET|FCMP|FSWZ)/) return "float"
		if (op ~ /^(XMAD|IMAD|IMUL|ISCADD|IMNMX|IADD|ISETP|ISET|ICMP|IABS|VMAD|VADD|VABSDIFF|BFE|BFI|FLO|POPC|LEA)/) return "integer"
		if (op ~ /^(LOP|SHL|SHR|SHF|SEL|PRMT|MOV|PSETP|PSET|CSET|S2R|CS2R|P2R|R2P|DEPBAR|PLOP)/) return "move_logic"
		if (op ~ /^(I2I|I2F|F2I|F2F)/) return "convert"
		if (op ~ /^(BRA|BRX|JMP|JCAL|CAL|RET|EXIT|SSY|SYNC|PBK|BRK|PCNT|CONT|PRET|BSSY|BSYNC)/) return "branch"
		if (op ~ /^(BAR|MEMBAR)/) return "barrier"
		if (op ~ /^(SHFL|VOTE)/) return "warp"
		if (op ~ /^NOP/) return "nop"
		return "other"
	}
	FILENAME ~ /usage$/ && /Function / { f = $2; sub(/:$/, "", f); next }
	FILENAME ~ /usage$/ && /REG:/ {
		for (i = 1; i <= NF; i++) { split($i, kv, ":"); use[f, kv[1]] = kv[2] }
		names[++n] = f; next
	}
	FILENAME ~ /log$/ && /Function properties for|Compiling entry function/ { f = $NF; if ($0 ~ /Compiling/) { split($0, q, "\047"); f = q[2] } next }
	FILENAME ~ /log$/ && /bytes spill stores/ {
		for (i = 2; i <= NF; i++) { if ($i == "spill" && $(i+1) ~ /^stores/) ss[f] = $(i-2); if ($i == "spill" && $(i+1) ~ /^loads/) sl[f] = $(i-2) }
		next
	}
	FILENAME ~ /sass$/ && /^\t*\.section[ \t]+\.text\./ { f = $2; sub(/^\.text\./, "", f); sub(/,.*/, "", f); next }
	FILENAME ~ /sass$/ && /\/\*[0-9a-f]+\*\// {
		line = $0; sub(/^[^\/]*\/\*[0-9a-f]+\*\/[ \t]*/, "", line); sub(/^\{?[ \t]*/, "", line); sub(/^@!?U?P[0-9T]+[ \t]+/, "", line)
		if (match(line, /^[A-Z][A-Z0-9]*/)) { op = substr(line, 1, RLENGTH); count[f, class(op)]++; total[f]++ }
	}
	END {
		split("load_global load_shared load_local load_constant store_global store_shared store_local atomic texture sfu double float integer move_logic convert branch barrier warp nop other", all, " ")
		printf "["
		for (i = 1; i <= n; i++) {
			f = names[i]
			printf "%s{\"kernel\": \"%s\", \"registers\": %d, \"stack_bytes\": %d, \"shared_bytes\": %d, \"local_bytes\": %d, \"spill_stores_bytes\": %d, \"spill_loads_bytes\": %d, \"instructions\": %d, \"classes\": {",
				(i > 1 ? ", " : ""), f, use[f, "REG"], use[f, "STACK"], use[f, "SHARED"], use[f, "LOCAL"], ss[f], sl[f], total[f]
			sep = ""
			for (j = 1; j in all; j++) if ((f, all[j]) in count) { printf "%s\"%s\": %d", sep, all[j], count[f, all[j]]; sep = ", " }
			printf "}}"
		}
		printf "]"
	}' "$tmp/usage" "$tmp/log" "$tmp/sass"
}

quote() { head -n 1 "$1" | tr -d '\r' | sed -e 's/\\/\\\\/g' -e 's/"/\\"/g' -e 's/	/ /g'; }

version=$(nvcc --version | tail -n 1 | sed -e 's/\\/\\\\/g' -e 's/"/\\"/g')
printf '{"nvcc": "%s", "arch": "%s", "results": [' "$version" "$arch"
[ $# -gt 0 ] || set -- $(ls -d */ | LC_ALL=C sort | tr -d /)
first=1
for app in "$@"; do
	for source in kernel.ptx kernel.cu; do
		[ -f "$app/$source" ] || continue
		for limit in $limits; do
			flags="-arch=$arch -cubin -O3 -Xptxas -v"
			[ "$limit" = none ] || flags="$flags -maxrregcount=$limit"
			[ "$source" = kernel.ptx ] || flags="$flags -std=c++17 -include $tmp/names.h -I."
			[ $first = 1 ] || printf ','
			first=0
			printf '\n  {"application": "%s", "source": "%s", "maxrregcount": "%s", ' "$app" "$source" "$limit"
			# shellcheck disable=SC2086
			if ! nvcc $flags -o "$tmp/cubin" "$app/$source" >"$tmp/log" 2>&1; then
				grep -i error "$tmp/log" >"$tmp/why" || cp "$tmp/log" "$tmp/why"
				printf '"error": "%s"}' "$(quote "$tmp/why")"
			elif ! summary >"$tmp/out" 2>"$tmp/why"; then
				printf '"error": "%s"}' "$(quote "$tmp/why")"
			else
				printf '"kernels": %s}' "$(cat "$tmp/out")"
			fi
		done
	done
done
printf '\n]}\n'
