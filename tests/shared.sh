#!/bin/bash
# The programs of tests/native, each searched by one process, by four that share
# the search (-j), and by three that write it down all the time: the same complete
# executions, outcomes and errors.
# tests/hard.sh runs this in the hostile build, where processes share from the
# second execution on; otherwise few of these programs are large enough.
cd "$(dirname "$0")/.." || exit 1

. tests/each.sh
. tests/expect.sh

# How many executions are cut depends on who explores what (docs/parallel.md).
# Those of `stateful` are not counted.
same='{executions, verdict, complete,
  outcomes: ([.outcomes[]? | [.output, .count]] | sort),
  errors: ([.errors[]? | [.kind, .line]] | sort | unique)}'
found='{verdict, complete, outcomes: ([.outcomes[]? | .output] | sort),
  errors: ([.errors[]? | [.kind, .line]] | sort | unique)}'
export same found

explore() { # FOLDER ALGORITHM JOBS OPTIONS
  local also="${*:4}"
  timeout "${LIMIT:-100}" $HEDDLE check "$1/program" --algo "$2" -j "$3" --keep-going --outcomes --hunt=off \
    --minimize=off $options $also --error-file "$1/error" --json "$1/json-$3" >"$1/$2-$3" 2>&1
  local what=$same
  [ "$2" != stateful ] || what=$found
  jq -S "$what" "$1/json-$3" >"$1/same-$3" 2>&1
}

compare() { # FOLDER
  local algorithm
  for algorithm in $algorithms; do
    rm -f "$1"/json-* && explore "$1" $algorithm 1 && explore "$1" $algorithm 4
    diff "$1/same-1" "$1/same-4" || echo "$algorithm: others with -j 4"
    rm -f "$1/checkpoint"
    explore "$1" $algorithm 3 --checkpoint "$1/checkpoint" --checkpoint-every 0
    diff "$1/same-1" "$1/same-3" || echo "$algorithm: others with checkpoints"
  done
}

one() { # SOURCE
  local name=${1##*/} folder problems algorithms='pop dc source dpor stateful' options libs
  name=${name%.c}
  folder=$scratch/shared/$name
  mkdir -p "$folder"
  read_head "$1"
  options=$head_options libs=$head_libs
  [ -z "$head_algorithms" ] ||
    algorithms=$(printf '%s\n' $head_algorithms | grep -xE 'pop|dc|source|dpor|stateful')
  if ! $HEDDLE cc -g "$1" -o "$folder/program" $libs 2>/dev/null; then
    problems= # that is what the test is about
  else
    problems=$(compare "$folder" 2>&1)
  fi
  if [ -z "$problems" ]; then
    echo "ok - shared $name"
    rm -rf "$folder"
  else
    printf '%s\n' "$problems"
    echo "not ok - shared $name"
  fi
}
export -f one explore compare
grep -LE '^// (expect refused|options .*--max-executions)' tests/native/*"${1:-}"*.c | each one
