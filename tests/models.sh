#!/bin/bash
# Model programs: tests/models/*.model carry their expectations in comments, with
# the words of tests/native.sh and '#' for '//':
#
#   # expect error KIND
#   # expect optimal: executions 12, blocked 0
#   # expect output "x=1\n"
#   # expect optimal-cs --as-printed: executions 7, blocked 0, lost 1
#   # algorithms source optimal
#
# Lines for algorithms that are not run are ignored.  "As printed" an algorithm
# is run where something is expected of it: so many of the outputs it loses, and
# it never says that no error exists.  Every program is also
# judged by all algorithms at once (heddle fuzz FILE).
cd "$(dirname "$0")/.." || exit 1

. tests/expect.sh

outputs() { # JSON: how many
  grep -c '"output": .*"count"' "$1"
}

printed() { # SOURCE FOLDER: the algorithms as their papers print them
  local algorithm json code lost
  for algorithm in $(sed -n 's/^# expect \([^ ]*\) --as-printed: .*/\1/p' "$1"); do
    json=$2/$algorithm-printed.json
    $HEDDLE check "$1" --algo "$algorithm" --as-printed --keep-going --outcomes \
      --json "$json" >"$2/$algorithm-printed.txt" 2>&1
    code=$?
    {
      [ $code = 3 ] || [ $code = 1 ] || cat "$2/$algorithm-printed.txt"
      lost=$(($(grep -c '^# expect output' "$1") - $(outputs "$json")))
      printf '  "lost": %d\n' $lost >>"$json"
      check_counts "$1" "$algorithm --as-printed" "$json"
    } | sed "s/^/  $algorithm --as-printed: /"
  done
}

# The last value of a variable is no behaviour where nobody reads it.
left_out() { # ALGORITHM
  case $1 in observers | dc) echo 's/^"[^|]*/"/' ;; esac
}
export -f left_out

one() { # SOURCE
  local name=$(basename "$1" .model) folder algorithms algorithm code problems
  folder=$scratch/models/$name
  mkdir -p "$folder"
  algorithms=$(sed -n 's/^# algorithms //p' "$1")
  problems=$(
    for algorithm in ${algorithms:-naive dpor source optimal observers cs optimal-cs unfold dc}; do
      json=$folder/$algorithm.json
      $HEDDLE check "$1" --algo "$algorithm" --keep-going --outcomes \
        --json "$json" >"$folder/$algorithm.txt" 2>&1
      code=$?
      {
        [ -f "$json" ] || cat "$folder/$algorithm.txt"
        check_verdict "$1" "$json" $code
        check_counts "$1" "$algorithm" "$json"
        check_outputs "$1" "$json" "$(left_out $algorithm)"
      } | sed "s/^/  $algorithm: /"
    done
    printed "$1" "$folder"
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
export -f outputs printed one
ls tests/models/*"${1:-}"*.model | xargs -P "$(nproc)" -I{} bash -c 'one {}'
