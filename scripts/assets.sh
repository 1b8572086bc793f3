#!/usr/bin/env bash
# Fetch the JavaScript that pages embed, at the versions of third_party's lock
# file, and put it unmodified under third_party/vega and third_party/minisearch with
# its licences. Needs npm and the network; building Kumiko needs neither.
set -euo pipefail
cd "$(dirname "$0")/../third_party"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cp package.json "$work"
if [ -f package-lock.json ]; then
  cp package-lock.json "$work"
  (cd "$work" && npm ci --ignore-scripts --no-audit --no-fund)
else
  (cd "$work" && npm install --ignore-scripts --no-audit --no-fund)
fi
cp "$work/package-lock.json" .
modules=$work/node_modules
mkdir -p vega
for p in vega vega-lite vega-embed; do
  cp "$modules/$p/build/$p.min.js" vega/
done
mkdir -p minisearch
cp "$modules/minisearch/dist/umd/index.js" minisearch/minisearch.js
cp "$modules/minisearch/LICENSE.txt" minisearch/
rm -r "$modules/minisearch" # the licences below are those of the figures' libraries
# The built files contain other packages; the licences of everything installed.
{
  echo "Licences of the JavaScript in this folder and of the packages that it was built with."
  (cd "$modules" && find . -name package.json -path '*' -not -path '*/*/*/*/*' | sort | while read -r f; do
    d=$(dirname "$f")
    for l in "$d"/LICENSE* "$d"/LICENCE* "$d"/license*; do
      [ -f "$l" ] || continue
      printf '\n======== %s %s ========\n\n' "${d#./}" "$(sed -n 's/^  *"version": *"\([^"]*\)".*/\1/p' "$f" | head -1)"
      cat "$l"
    done
  done)
} > vega/LICENSES.txt
