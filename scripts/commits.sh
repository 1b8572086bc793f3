#!/usr/bin/env bash
# Check the messages of the commits since the last tag, at most the last 50: a subject has a
# scope and fits in 120 columns; a commit that changes the table of results has a body.
set -euo pipefail
cd "$(dirname "$0")/.."
range=HEAD
if tag=$(git describe --tags --abbrev=0 2>/dev/null); then range=$tag..HEAD; fi
bad=0
for c in $(git rev-list --no-merges --max-count=50 "$range"); do
  subject=$(git show -s --format=%s "$c")
  short=$(git show -s --format=%h "$c")
  if ! [[ $subject =~ ^[A-Za-z0-9./_,\ -]+:\ [a-z] ]]; then
    echo "$short $subject: found no scope, expected \"package: verb ...\""; bad=1
  fi
  if [ ${#subject} -gt 120 ]; then
    echo "$short $subject: found ${#subject} columns, expected at most 120"; bad=1
  fi
  if [ -z "$(git show -s --format=%b "$c")" ] && git diff-tree --no-commit-id --name-only -r "$c" | grep -q '^tools/golden/testdata/'; then
    echo "$short $subject: changes the table of results; expected a body with the reason and the rows that moved"; bad=1
  fi
done
exit $bad
