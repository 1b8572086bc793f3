#!/usr/bin/env bash
# Unpack NVIDIA's ptxas and nvdisasm into a folder, without installing anything: scripts/ptxas.sh DIR. They come from
# Debian's package nvidia-cuda-toolkit (component non-free, 84 MB), by the mirror that apt uses here, and print the path
# of ptxas, for the variable PTXAS. Nothing of them becomes part of the project.
set -euo pipefail
[ $# -eq 1 ] || { echo "usage: scripts/ptxas.sh DIR" >&2; exit 2; }
fail() { echo "ptxas.sh: $*" >&2; exit 1; }

command -v apt-get >/dev/null || fail "no apt-get: on Debian and its relatives only"
mkdir -p "$1"
to=$(cd "$1" && pwd)
if [ ! -x "$to/usr/bin/nvdisasm" ]; then
  work=$(mktemp -d)
  trap 'rm -rf "$work"' EXIT
  release=$(. /etc/os-release && echo "${VERSION_CODENAME:-}")
  mirror=$(apt-get indextargets --format '$(REPO_URI) $(RELEASE)' 'Created-By: Packages' |
    awk -v r="$release" '$2 == r { print $1; exit }')
  [ -n "$mirror" ] || fail "apt knows no repository of ${release:-this release}: run apt-get update first"
  # Lists of its own: those of the machine stay as they are.
  mkdir -p "$work/lists/partial" "$work/archives/partial"
  echo "deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] $mirror $release non-free" >"$work/sources.list"
  apt() {
    apt-get -qq -o Dir::Etc::sourcelist="$work/sources.list" -o Dir::Etc::sourceparts=- \
      -o Dir::State::Lists="$work/lists" -o Dir::Cache="$work" "$@" >&2
  }
  apt update || fail "no list of packages from $mirror"
  (cd "$work" && apt download nvidia-cuda-toolkit) || fail "no package nvidia-cuda-toolkit at $mirror"
  dpkg -x "$work"/nvidia-cuda-toolkit_*.deb "$to"
fi
"$to/usr/bin/ptxas" --version >/dev/null || fail "the ptxas that was unpacked does not run"
echo "$to/usr/bin/ptxas"
