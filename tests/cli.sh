#!/bin/bash
# The command line: each script in tests/cli prints its own "ok - name" lines.
cd "$(dirname "$0")/.." || exit 1
for script in tests/cli/*"${1:-}"*.sh; do
  bash "$script" || echo "not ok - $script: exit code $?"
done
