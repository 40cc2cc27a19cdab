#!/bin/bash
# Data races by the rules of C11 and POSIX: each row of tests/races/litmus.def is
# a program of its own, run under several explorers.
#
#   tests/run races fence     rows whose name has "fence"
cd "$(dirname "$0")/.." || exit 1
. tests/each.sh
table=tests/races/litmus.def
export program=$scratch/litmus
"$HEDDLE" cc -g tests/races/litmus.c -o "$program" || exit 1

# The result of the search: race, none, or another error.
verdict() { # NUMBER SEARCH
  local out=$scratch/litmus.$1
  timeout 60 "$HEDDLE" check "$program" --algo $2 --races=error --quiet \
    --minimize=off --error-file "$out.error" -- "$1" >"$out" 2>&1
  case $? in
  0) echo none ;;
  1) grep -q '^ERROR: data race' "$out" && echo race || head -n 1 "$out" ;;
  *) head -n 1 "$out" ;;
  esac
}

# All rows share the rules; explorers differ in which orders they run.  Actors
# are not for --interfere=locks.
row() { # NUMBER NAME WANTED
  local search found wrong=
  for search in optimal observers dc optimal-cs "optimal --interfere=locks"; do
    case $2:$search in message*locks) continue ;; esac
    found=$(verdict "$1" "$search")
    [ "$found" = "$3" ] || wrong+="  $search: $found, expected $3"$'\n'
  done
  [ -z "$wrong" ] && echo "ok - races $2" && return
  printf 'not ok - races %s\n%s' "$2" "$wrong"
  echo "  $HEDDLE check tests/races/litmus.c --races=error -- $1"
}
export -f verdict row

sed -n 's/^T[123](\([a-z_0-9]*\), \(race\|none\),.*/\1 \2/p' $table | nl |
  grep -E -- "	.*${1:-}.* " | each row
