#!/usr/bin/env bash
# Functions that no command of the project reaches. Nothing is printed, and the status is
# 0, where there are none.
set -euo pipefail
cd "$(dirname "$0")/.."

# Packages that exist for tests of several others.
tests='^(benchmarks/benchtest|components/spec/spectest|components/wire/wiretest|gpus/machinetest|internal/page/pagetest|kernel/compiler/internal/randptx|kernel/cubin/rules/formtest|kernel/emu/internal/exact|memsys/internal/blocktest|regfile/contracttest|regfile/conventional/extensiontest|regfile/filetest|sm/smtest)/'
# What tests alone need of a package of which they are no part, and what users of the
# packages have:
#   Socket            joins a block to a stock Akita component
#   measured.List     the whole table, which is compared with the registered programs
#   study.Parse       a study of a text; commands read files, with the folder of recordings
named='(components/wire/socket\.go|benchmarks/measured/measured\.go:.*func: List|study/load\.go:.*func: Parse$)'

list=$(${GO:-go} tool deadcode ./...)
found=$(grep -vE "$tests" <<<"$list" | grep -vE "$named" || true)
[ -z "$found" ] || { echo "$found"; exit 1; }
