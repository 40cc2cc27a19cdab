#!/bin/bash
# Model programs with their expectations in comments.  In tests/models/*.model,
# with the words of tests/native.sh and '#' for '//':
#
#   # expect error KIND
#   # expect optimal: executions 12, blocked 0
#   # expect output "x=1\n"
#   # expect optimal-cs --as-printed: executions 7, blocked 0, lost 1
#   # algorithms source optimal
#
# Lines for algorithms that are not run are ignored.  An algorithm is run "as
# printed" only where a line expects something of it; `lost` is the number of
# expected outputs that it does not find, and it never says that no error
# exists.  Every program is also judged by all algorithms at once (heddle fuzz
# FILE).
cd "$(dirname "$0")/.." || exit 1

. tests/expect.sh

explore() { # SOURCE NAME OPTIONS...: leaves the report NAME.json and its code
  local source=$1 name=$2
  shift 2
  $HEDDLE check "$source" "$@" --keep-going --outcomes \
    --json "$folder/$name.json" >"$folder/$name.txt" 2>&1
  echo $? >"$folder/$name.code"
  [ -f "$folder/$name.json" ] || cat "$folder/$name.txt"
}

# The last value of a variable is no behaviour if no event reads it.
left_out() { # ALGORITHM
  case $1 in observers | dc) echo 's/^"[^|]*/"/' ;; esac
}

compare() { # SOURCE ALGORITHM
  local report=$folder/$2.json
  check_verdict "$1" "$(cat "$folder/$2.code")" "$report" "$folder/facts"
  check_counts "$1" "$2" "$report" "$folder/facts"
  check_outputs "$1" "$report" "$folder/facts" "$(left_out $2)"
}

compare_printed() { # SOURCE ALGORITHM
  local name=$2-printed outputs wanted
  grep -qx '[13]' "$folder/$name.code" || cat "$folder/$name.txt"
  outputs=$(fields outputs "$folder/$name.json" "$folder/facts")
  wanted=$(grep -c '^# expect output' "$1")
  printf '%s\tlost\t%d\n' "$folder/$name.json" $((wanted - outputs)) \
    >>"$folder/facts"
  check_counts "$1" "$2 --as-printed" "$folder/$name.json" "$folder/facts"
}

one() { # SOURCE
  local name=$(basename "$1" .model) folder algorithms printed algorithm problems
  folder=$scratch/models/$name
  mkdir -p "$folder"
  algorithms=$(sed -n 's/^# algorithms //p' "$1")
  algorithms=${algorithms:-naive dpor source optimal observers cs optimal-cs unfold dc stateful}
  algorithms=$(with_pop "$algorithms" "")
  printed=$(sed -n 's/^# expect \([^ ]*\) --as-printed: .*/\1/p' "$1")
  problems=$(
    for algorithm in $algorithms; do
      explore "$1" "$algorithm" --algo "$algorithm"
    done
    for algorithm in $printed; do
      explore "$1" "$algorithm-printed" --algo "$algorithm" --as-printed
    done
    facts "$folder"/*.json >"$folder/facts"
    for algorithm in $algorithms; do
      compare "$1" "$algorithm" | sed "s/^/  $algorithm: /"
    done
    for algorithm in $printed; do
      compare_printed "$1" "$algorithm" | sed "s/^/  $algorithm --as-printed: /"
    done
    $HEDDLE fuzz "$1" >"$folder/judge" 2>&1 || sed 's/^/  /' "$folder/judge"
  )
  if [ -z "$problems" ]; then
    echo "ok - model $name"
    rm -rf "$folder"
  else
    printf '%s\n' "$problems"
    echo "not ok - model $name ($HEDDLE check $1 --keep-going --outcomes)"
  fi
}
export -f explore left_out compare compare_printed one
ls tests/models/*"${1:-}"*.model | xargs -P "$(nproc)" -I{} bash -c 'one {}'
