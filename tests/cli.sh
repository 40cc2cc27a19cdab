#!/bin/bash
# The command line: each script in tests/cli prints its own "ok - name" lines.
cd "$(dirname "$0")/.." || exit 1
one() { # SCRIPT
  local code text
  text=$(bash "$1" 2>&1)
  code=$?
  printf '%s\n' "$text"
  [ $code = 0 ] || echo "not ok - $1: exit code $code"
}
export -f one
printf '%s\n' tests/cli/*"${1:-}"*.sh | xargs -P "$(nproc)" -I{} bash -c 'one {}'
