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
#   // libs -lm
# and on a line of code, with --keep-going:
#   // expect race with line 14
#   // expect KIND here
cd "$(dirname "$0")/.." || exit 1

. tests/expect.sh

check_text() { # SOURCE TEXT
  local line want
  sed -n 's/^\/\/ expect message //p' "$1" | while IFS= read -r want; do
    grep -qF -- "$want" "$2" || echo "the report lacks: $want"
  done
  grep -nE '// expect (race with line [0-9]+|[a-z]+ here)' "$1" |
    while IFS= read -r line; do
      number=${line%%:*}
      case $line in
      *"race with line"*)
        other=$(sed 's/.*race with line \([0-9]*\).*/\1/' <<<"$line")
        grep -A3 'data race' "$2" | tr '\n' ' ' |
          grep -qE ":$number\b.*:$other\b|:$other\b.*:$number\b" ||
          echo "no race between lines $number and $other"
        ;;
      *)
        grep -qE ":$number\b" "$2" || echo "nothing reported at line $number"
        ;;
      esac
    done
}

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
explore() { # FOLDER ALGORITHM MODE: leaves a report and the exit code
  local name=$1/$2-$3 minimize=off
  [ "$2" != optimal ] || minimize=2
  timeout 100 $HEDDLE check "$1/program" --algo "$2" --rollback $3 \
    --keep-going --outcomes --json "$name.json" --error-file "$1/error" \
    --minimize=$minimize $options ${CHECK_OPTIONS:-} >"$name.txt" 2>&1
  echo $? >"$name.code"
  [ -f "$name.json" ] || cat "$name.txt"
}

compare() { # SOURCE FOLDER ALGORITHM MODE
  local name=$2/$3-$4
  check_verdict "$1" "$(cat "$name.code")" "$name.json" "$2/facts"
  check_counts "$1" "$3" "$name.json" "$2/facts"
  check_outputs "$1" "$name.json" "$2/facts"
  check_text "$1" "$name.txt"
}

# optimal and pop explore as many executions as naive sees traces.  They begin none
# in vain, except where a thread waits in a loop for several places at once.
compare_with_naive() { # SOURCE FOLDER MODE ALGORITHM
  local traces executions blocked optimal=$2/$4-$3.json
  [ -f "$2/naive-undo.json" ] && [ -f "$optimal" ] || return
  ! grep -qE '^// expect (incomplete|error nondeterminism)' "$1" || return
  traces=$(fields traces "$2/naive-undo.json" "$2/facts")
  executions=$(fields executions "$optimal" "$2/facts")
  blocked=$(fields blocked "$optimal" "$2/facts")
  [ "$traces" = $((executions + blocked)) ] ||
    echo "naive sees $traces traces, $4 $executions + $blocked"
  [ "$blocked" = 0 ] || grep -q '^// waits for several places' "$1" ||
    echo "$4 is blocked"
}

# Whatever the way of going back, the report is the same, times and steps aside.
compare_modes() { # FOLDER ALGORITHM
  diff <(fields stable "$1/$2-undo.json" "$1/facts") \
    <(fields stable "$1/$2-replay.json" "$1/facts") >"$1/$2.diff" ||
    echo "undo and replay differ, see $1/$2.diff"
}

# Both ways of going back are tried with two algorithms, and in the hostile build
# (ALL=1) with all of them.  But which states stateful takes for the same depends on
# bytes that are never read: its counts say nothing, and are not compared.
modes_of() { # ALGORITHM
  case ${ALL:-}$1 in
  naive | optimal) echo "$modes" ;;
  1stateful) echo "${modes%% *}" ;;
  1*) echo "$modes" ;;
  *) echo "${modes%% *}" ;;
  esac
}

explored() { # SOURCE FOLDER
  local algorithm mode
  $HEDDLE cc -g "$1" -o "$2/program" $libs 2>"$2/cc.err" || {
    cat "$2/cc.err"
    return
  }
  for algorithm in $algorithms; do
    for mode in $(modes_of $algorithm); do
      explore "$2" $algorithm $mode
    done
  done
  facts "$2"/*.json >"$2/facts"
  for algorithm in $algorithms; do
    for mode in $(modes_of $algorithm); do
      compare "$1" "$2" $algorithm $mode | sed "s/^/  $algorithm, $mode: /"
    done
    [ "$(modes_of $algorithm)" != "undo replay" ] ||
      compare_modes "$2" $algorithm | sed "s/^/  $algorithm: /"
  done
  compare_with_naive "$1" "$2" ${modes##* } optimal | sed 's/^/  /'
  compare_with_naive "$1" "$2" ${modes%% *} pop | sed 's/^/  /'
}

one() { # SOURCE
  local name=$(basename "$1" .c) folder problems
  folder=$scratch/native/$name
  mkdir -p "$folder"
  options=$(sed -n 's/^\/\/ options //p' "$1")
  libs=$(sed -n 's/^\/\/ libs //p' "$1")
  algorithms=$(sed -n 's/^\/\/ algorithms //p' "$1")
  algorithms=${algorithms:-naive source optimal observers cs optimal-cs optimal-cs-ob unfold dc stateful}
  grep -q '^// without pop' "$1" ||
    algorithms=$(with_pop "$algorithms" "$options")
  modes=$(sed -n 's/^\/\/ modes //p' "$1")
  modes=${modes:-undo replay}
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
export -f one explored explore compare compare_with_naive compare_modes modes_of
export -f refused check_text
ls tests/native/*"${1:-}"*.c | xargs -P "$(nproc)" -I{} bash -c 'one {}'
