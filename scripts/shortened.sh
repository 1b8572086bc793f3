#!/bin/sh
# List the packages whose tests do less under -short. The others need not run again after make test.
set -eu
cd "$(dirname "$0")/.."
git grep -l -E 'testing\.Short\(\)|contracttest\.' -- '*.go' ':!lab' | xargs -n1 dirname | sort -u | sed 's|^|./|'
