#!/bin/bash
# The command line: each script in tests/cli prints its own "ok - name" lines.  The
# long ones begin first.
cd "$(dirname "$0")/.." || exit 1
. tests/each.sh
one() { # SCRIPT
  local code text
  text=$(bash "$1" 2>&1)
  code=$?
  printf '%s\n' "$text"
  [ $code = 0 ] || echo "not ok - $1: exit code $code"
}
export -f one
ls -S tests/cli/*"${1:-}"*.sh | each one
