#!/bin/bash
# Model programs with their expectations in comments.  In tests/models/*.model,
# with the words of tests/native.sh and '#' for '//':
#
#   # expect error KIND
#   # expect optimal: executions 12, blocked 0
#   # expect output "x=1\n"
#   # expect optimal-cs --as-printed: executions 7, blocked 0, lost 1
#   # expect optimal --retries=apart: executions 48, blocked 0
#   # algorithms source optimal
#
# Lines for algorithms that are not run are ignored.  An algorithm is run "as
# printed" only where a line expects something of it; `lost` is the number of
# expected outputs that it does not find, and it never says that no error
# exists.  So it is with "--retries=apart".  Every program is also judged by all algorithms at once (heddle fuzz
# FILE).
cd "$(dirname "$0")/.." || exit 1

. tests/each.sh
. tests/expect.sh

explore() { # SOURCE NAME ALGORITHM OPTIONS...
  local source=$1 name=$2 algorithm=$3
  shift 3
  $HEDDLE check "$source" --algo $algorithm "$@" --keep-going --outcomes \
    --json "$folder/$name.json" >"$folder/$name.txt" 2>&1
  ran "$folder" $name "$algorithm${*:+ $*}" $? "$algorithm${*:+ $*}"
}

expecting() { # SOURCE OPTION: the algorithms of which something is expected with it
  sed -n "s/^# expect \([^ ]*\) $2: .*/\1/p" "$1"
}

explored() { # SOURCE ALGORITHMS PRINTED-ALGORITHMS
  local algorithm
  for algorithm in $2; do
    explore "$1" $algorithm $algorithm
  done
  for algorithm in $3; do
    explore "$1" $algorithm-printed $algorithm --as-printed
  done
  for algorithm in $(expecting "$1" --retries=apart); do
    explore "$1" $algorithm-apart $algorithm --retries=apart
  done
  compare_all "$1" "$folder"
  $HEDDLE fuzz "$1" >"$folder/judge" 2>&1 || sed 's/^/  /' "$folder/judge"
}

one() { # SOURCE
  local name=${1##*/} folder algorithms printed problems
  name=${name%.model}
  folder=$scratch/models/$name
  mkdir -p "$folder"
  read_head "$1"
  algorithms=${head_algorithms:-naive dpor source optimal observers cs optimal-cs unfold dc stateful}
  algorithms=$(with_pop "$algorithms" "")
  printed=$(expecting "$1" --as-printed)
  problems=$(explored "$1" "$algorithms" "$printed" 2>&1)
  if [ -z "$problems" ]; then
    echo "ok - model $name"
    rm -rf "$folder"
  else
    printf '%s\n' "$problems"
    echo "not ok - model $name ($HEDDLE check $1 --keep-going --outcomes)"
  fi
}
export -f explore expecting explored one
ls tests/models/*"${1:-}"*.model | each one
