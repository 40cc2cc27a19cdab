#!/bin/bash
# What functions of the library read and write: each place of tests/calls/calls.def
# is read, and written, while another thread makes the call.  `optimal`, with
# --verify, must tell a data race where two threads use the place and one of them
# writes it, and nowhere else; where it must, it also finds what `naive` finds.
#
#   tests/run calls str     rows whose name has "str"
cd "$(dirname "$0")/.." || exit 1
. tests/each.sh
export program=$scratch/calls
"$HEDDLE" cc -w -g tests/calls/calls.c -o "$program" -lm || exit 1

# Outcomes and whether there is a race; or what went wrong.
result() { # NUMBER PLACE WAY OPTION...
  timeout 60 "$HEDDLE" check "$program" --races=warn --outcomes --keep-going \
    --exit-status=any --minimize=off --hunt=off --max-executions 1000 \
    --json - "${@:4}" -- "$1" "$2" "$3" 2>&1 | jq -cr '
      ([.warnings[], .errors[] | select(.kind == "race")] | length > 0),
      if .complete then [.outcomes[] | [.output, .exit]] else .limit end' 2>&1
}

# A large number of interleavings is left to `optimal`.
judge() { # NUMBER PLACE WAY WANTED
  local naive optimal race
  optimal=$(result "$1" "$2" "$3" --algo optimal --verify)
  race=${optimal%%$'\n'*}
  [ "$race" = "$4" ] || echo "  a race: $race, expected $4"
  [ "$4" = true ] || return
  naive=$(result "$1" "$2" "$3" --algo naive)
  [[ $naive == *--max-executions ]] || [ "$naive" = "$optimal" ] ||
    printf '  naive: %s\n  optimal: %s\n' "$naive" "$optimal"
}

row() { # NUMBER PLACE NAME ACCESS
  local way wanted wrong=
  for way in r w; do
    case $4$way in W? | Rw) wanted=true ;; *) wanted=false ;; esac
    wrong+=$(judge "$1" "$2" $way $wanted)
    [ -z "$wrong" ] || break
  done
  [ -z "$wrong" ] && echo "ok - calls $3 $2" && return
  printf 'not ok - calls %s %s\n%s\n' "$3" "$2" "$wrong"
  echo "  $HEDDLE check tests/calls/calls.c --verify -- $1 $2 $way"
}
export -f result judge row

"$program" | grep -E -- "^[0-9]+ [0-9]+ .*${1:-}.* " | each row
