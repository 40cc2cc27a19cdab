#!/bin/bash
# Programs with their expectations beside the code, run under every explorer and
# both ways of going back.  In the head of tests/native/*.c:
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
#   // modes undo                       only this way of going back
#   // libs -lm
# and on a line of code, with --keep-going:
#   // expect race with line 14
#   // expect KIND here
cd "$(dirname "$0")/.." || exit 1

. tests/expect.sh

# The part of the JSON that must be the same whatever the way of going back.
stable() { # FILE
  grep -vE '"(time_s|max_rss_kb|replay|steps)"' "$1"
}

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

explored() { # SOURCE FOLDER
  local algorithm mode code
  $HEDDLE cc -g "$1" -o "$2/program" $libs 2>"$2/cc.err" || {
    cat "$2/cc.err"
    return
  }
  for algorithm in $algorithms; do
    for mode in $modes; do
      json=$2/$algorithm-$mode.json
      timeout 100 $HEDDLE check "$2/program" --algo "$algorithm" --rollback $mode \
        --keep-going --outcomes --json "$json" --error-file "$2/error" \
        $options ${CHECK_OPTIONS:-} >"$2/$algorithm-$mode.txt" 2>&1
      code=$?
      {
        [ -f "$json" ] || cat "$2/$algorithm-$mode.txt"
        check_verdict "$1" "$json" $code
        check_counts "$1" "$algorithm" "$json"
        check_outputs "$1" "$json"
        check_text "$1" "$2/$algorithm-$mode.txt"
      } | sed "s/^/  $algorithm, $mode: /"
    done
    if [ $algorithm = optimal ] && [ -f "$2/naive-undo.json" ] &&
      ! grep -qE '^// expect (incomplete|error nondeterminism)' "$1"; then
      code=$(field traces "$2/naive-undo.json")
      [ "$code" = "$(field executions "$json")" ] ||
        echo "  naive sees $code traces, optimal $(field executions "$json")"
      [ "$(field blocked "$json")" = 0 ] || echo "  optimal is blocked"
    fi
    [ "$modes" = "undo replay" ] || continue
    diff <(stable "$2/$algorithm-undo.json") \
      <(stable "$2/$algorithm-replay.json") >"$2/$algorithm.diff" ||
      echo "  $algorithm: undo and replay differ, see $2/$algorithm.diff"
  done
}

one() { # SOURCE
  local name=$(basename "$1" .c) folder problems
  folder=$scratch/native/$name
  mkdir -p "$folder"
  options=$(sed -n 's/^\/\/ options //p' "$1")
  libs=$(sed -n 's/^\/\/ libs //p' "$1")
  algorithms=$(sed -n 's/^\/\/ algorithms //p' "$1")
  algorithms=${algorithms:-naive source optimal observers cs optimal-cs optimal-cs-ob unfold dc}
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
export -f one explored refused stable check_text
ls tests/native/*"${1:-}"*.c | xargs -P "$(nproc)" -I{} bash -c 'one {}'
