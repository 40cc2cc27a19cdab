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

# The hostile build drops states after a few, at other places in C than in the
# model: then only the verdicts are the same.
said='"\(.verdict) \(.executions) \(.blocked)"'
[[ ${CPPFLAGS:-} != *HOSTILE* ]] || said=.verdict

counts() { # FILE OPTIONS...
  "$HEDDLE" check --algo stateful --hunt=off --json "$work/json" "$@" \
    >"$work/out" 2>&1
  jq -r "$said" "$work/json"
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

# Stores of which the last one counts, and then blocks that commute: one complete
# execution for each outcome, 3 a phase.
for phases in 1 2 3; do
  "$HEDDLE" cc -fheddle-clear-dead -DPHASES=$phases "$here/bench/papers/both.c" -o "$work/both"
  counts "$work/both" --outcomes >/dev/null
  outcomes=$(jq '.outcomes | length' "$work/json")
  want="safe $((3 ** phases)) $((3 ** phases))"
  got="$(jq -r '"\(.verdict) \(.executions)"' "$work/json") $outcomes"
  [[ ${CPPFLAGS:-} != *HOSTILE* ]] || got="safe $((3 ** phases)) $outcomes"
  if [ "$want" = "$got" ]; then
    echo "ok - states: stores and blocks, phases: $phases"
  else
    echo "not ok - states: stores and blocks, phases: $phases: $got, not $want"
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

# A thread that looks under a lock for ever is a livelock, whose schedule can be
# replayed.  One that prints in each round is a server.
for races in off error; do
  for file in polls polls_nested polls_timed; do
    rm -f "$work/error"
    "$HEDDLE" check --algo stateful --races=$races --error-file "$work/error" \
      "$here/tests/native/stateful_$file.c" >"$work/out" 2>&1
    if "$HEDDLE" replay "$work/error" 2>&1 | grep -q '^ERROR: livelock'; then
      echo "ok - states: $file replayed, --races=$races"
    else
      echo "not ok - states: $file replayed, --races=$races"
      failures=$((failures + 1))
    fi
  done
done
sed 's/while (!now)/while (puts("alive"), !now)/; 1i #include <stdio.h>' \
  "$here/tests/native/stateful_polls.c" >"$work/monitor.c"
if "$HEDDLE" check --algo stateful "$work/monitor.c" | grep -q '^SAFE'; then
  echo "ok - states: printing is work"
else
  echo "not ok - states: printing is work"
  failures=$((failures + 1))
fi
exit $((failures > 0))
