#!/usr/bin/env bash
# Build static programs for several platforms, with their checksums: scripts/release.sh FOLDER [OS/ARCH[/LEVEL]...]
# linux/amd64/v3 is for processors with AVX2 (2013 and later), about 2 % faster than linux/amd64, which runs on all.
# The version is that of the revision; a tag vX.Y.Z gives it its number.
set -euo pipefail
cd "$(dirname "$0")/.."
out=${1:?"expected a folder"}
shift
[ $# -gt 0 ] || set -- linux/amd64 linux/amd64/v3 linux/arm64 darwin/amd64 darwin/arm64
mkdir -p "$out"
for platform in "$@"; do
  IFS=/ read -r os arch level <<<"$platform"
  name=kumiko-$os-$arch${level:+-$level}
  [ -z "$level" ] || export GOAMD64=$level
  CGO_ENABLED=0 GOOS=$os GOARCH=$arch "${GO:-go}" build ${RELEASE_FLAGS--trimpath} -ldflags=-s -o "$out/$name" ./cmd/kumiko
  unset GOAMD64
  echo "$out/$name"
done
cd "$out"
sha256sum kumiko-*-* >SHA256SUMS
