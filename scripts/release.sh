#!/usr/bin/env bash
# Build static programs for several platforms, with their checksums: scripts/release.sh FOLDER [OS/ARCH...]
# The version is that of the revision; a tag vX.Y.Z gives it its number.
set -euo pipefail
cd "$(dirname "$0")/.."
out=${1:?"expected a folder"}
shift
[ $# -gt 0 ] || set -- linux/amd64 linux/arm64 darwin/amd64 darwin/arm64
mkdir -p "$out"
for platform in "$@"; do
  os=${platform%/*} arch=${platform#*/}
  name=kumiko-$os-$arch
  CGO_ENABLED=0 GOOS=$os GOARCH=$arch "${GO:-go}" build ${RELEASE_FLAGS--trimpath} -ldflags=-s -o "$out/$name" ./cmd/kumiko
  echo "$out/$name"
done
cd "$out"
sha256sum kumiko-*-* >SHA256SUMS
