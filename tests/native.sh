#!/bin/bash
# C programs with their expectations beside the code.  Each is explored by every
# algorithm and with both ways of going back.  In the head of tests/native/*.c:
#
#   // expect safe                      (the default)
#   // expect error KIND                at least one of this kind, no other kind
#   // expect incomplete                a limit was reached
#   // expect refused TEXT              exit code 2, message contains TEXT
#   // expect optimal: executions 6, blocked 0
#   // expect all: executions 6         every algorithm
#   // expect output "a\nb"             one line for each possible output
#   // expect message TEXT              the report contains TEXT
#   // options --max-steps=100
#   // algorithms optimal source        not naive: too many interleavings
#   // without pop                      which is run wherever optimal is
#   // modes undo                       only this way of going back
#   // waits for several places         a loop does: executions may be in vain
#   // counts differ: WHY               naive may see more traces
#   // libs -lm
# and on a line of code, with --keep-going:
#   // expect race with line 14
#   // expect KIND here
cd "$(dirname "$0")/.." || exit 1

. tests/each.sh
. tests/expect.sh

refused() { # SOURCE FOLDER
  local want code
  want=$(sed -n 's/^\/\/ expect refused //p' "$1")
  $HEDDLE check "$1" $options $libs >"$2/out" 2>"$2/err"
  code=$?
  [ $code = 2 ] || echo "exit code $code, expected 2"
  grep -qF -- "$want" "$2/err" || echo "the message lacks: $want"
}

# Schedules are made smaller by the same searches whatever algorithm found them:
# once is enough.
explore() { # FOLDER ALGORITHM MODE
  local name=$1/$2-$3 minimize=off
  [ "$2" != optimal ] || minimize=2
  timeout "${LIMIT:-100}" $HEDDLE check "$1/program" --algo "$2" --rollback $3 \
    --keep-going --outcomes --json "$name.json" --error-file "$1/error" \
    --minimize=$minimize $options ${CHECK_OPTIONS:-} >"$name.txt" 2>&1
  ran "$1" "$2-$3" "$2" $? "$2, $3"
}

# Both ways of going back are tried with two algorithms, and in the hostile build
# (ALL=1) with all of them.  But which states stateful takes for the same depends on
# bytes that are never read: its counts say nothing, and are not compared.
modes_of() { # ALGORITHM: in $tried
  case ${ALL:-}$1 in
  1stateful) tried=${modes%% *} ;;
  naive | optimal | 1*) tried=$modes ;;
  *) tried=${modes%% *} ;;
  esac
}

explored() { # SOURCE FOLDER
  local algorithm mode tried
  $HEDDLE cc -g "$1" -o "$2/program" $libs 2>"$2/cc.err" || {
    cat "$2/cc.err"
    return
  }
  for algorithm in $algorithms; do
    modes_of $algorithm
    for mode in $tried; do
      explore "$2" $algorithm $mode
    done
  done
  compare_all "$1" "$2"
}

one() { # SOURCE
  local name=${1##*/} folder problems
  name=${name%.c}
  folder=$scratch/native/$name
  mkdir -p "$folder"
  read_head "$1"
  options=$head_options libs=$head_libs modes=${head_modes:-undo replay}
  algorithms=${head_algorithms:-naive source optimal observers cs optimal-cs optimal-cs-ob unfold dc stateful}
  grep -q '^// without pop' "$1" ||
    algorithms=$(with_pop "$algorithms" "$options")
  if grep -q '^// expect refused' "$1"; then
    problems=$(refused "$1" "$folder" 2>&1)
  else
    problems=$(explored "$1" "$folder" 2>&1)
  fi
  if [ -z "$problems" ]; then
    echo "ok - native $name"
    rm -rf "$folder"
  else
    printf '%s\n' "$problems"
    echo "not ok - native $name ($HEDDLE check $1 --keep-going $options)"
  fi
}
export -f one explored explore modes_of refused
ls tests/native/*"${1:-}"*.c | each one
