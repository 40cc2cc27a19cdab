#!/bin/bash
# The states of a C program are those of a model of it: with `stateful`, as many
# executions are complete and as many are cut.  In C nothing dead may keep states
# apart: registers, slots on the stack, gaps, what a runtime object was used for
# before.  tests/states has each program twice, as C and as a model.
# Run alone: tests/cli/states.sh
set -u
here=$(cd "$(dirname "$0")/../.." && pwd)
HEDDLE=${HEDDLE:-$here/build/heddle}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failures=0

counts() { # FILE OPTIONS...
  "$HEDDLE" check --algo stateful --hunt=off --json "$work/json" "$@" \
    >"$work/out" 2>&1
  jq -r '"\(.verdict) \(.executions) \(.blocked)"' "$work/json"
}

for model in "$here"/tests/states/*.model; do
  name=$(basename "$model" .model)
  problems=
  for races in off warn; do
    want=$(counts "$model" --races=$races)
    got=$(counts "${model%.model}.c" --races=$races)
    [ "$want" = "$got" ] ||
      problems="$problems --races=$races: $got, but the model: $want;"
  done
  if [ -z "$problems" ]; then
    echo "ok - states: $name"
  else
    echo "not ok - states: $name:$problems"
    failures=$((failures + 1))
  fi
done

# All that these programs share is under a lock: every execution is cut that is cut
# without looking for data races, since a wait hands on what its thread knows.
for file in buffer.c buffer.model counters.model; do
  want=$(counts "$here/tests/states/$file" --races=off)
  got=$(counts "$here/tests/states/$file" --races=warn)
  if [ "$want" = "$got" ]; then
    echo "ok - states: $file: the same with data races looked for"
  else
    echo "not ok - states: $file: $got with data races looked for, $want without"
    failures=$((failures + 1))
  fi
done

# What is called dead is: --verify puts other bytes there (C10), and an error is
# replayed by the same program.
for file in states/pool.c native/recursion_reads.c; do
  if counts "$here/tests/$file" --verify | grep -q '^safe'; then
    echo "ok - states: verified: $file"
  else
    echo "not ok - states: verified: $file"
    sed 's/^/  /' "$work/out"
    failures=$((failures + 1))
  fi
done
"$HEDDLE" check --algo stateful --error-file "$work/error" \
  "$here/tests/native/mutex_abba.c" >"$work/out" 2>&1
if "$HEDDLE" replay "$work/error" | grep -q '^ERROR: deadlock'; then
  echo "ok - states: replayed"
else
  echo "not ok - states: replayed"
  failures=$((failures + 1))
fi
exit $((failures > 0))
