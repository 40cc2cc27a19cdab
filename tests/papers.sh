#!/bin/bash
# The papers' programs (bench/papers) have exactly the executions that
# bench/papers.tsv says, none of them blocked but by dc, and no data race.  Other
# explorers can be compared on them with confidence.  The programs of paper 4
# have as many executions if only what synchronises is interleaved.  Only rows
# that are over soon are run.
cd "$(dirname "$0")/.." || exit 1
. tests/each.sh

counted() { # FOLDER ALGORITHM COUNT [OPTION]
  local json=$1/$2.json code executions blocked
  $HEDDLE check "$1/program" --algo "$2" --races=error --json "$json" ${4:-} \
    --error-file "$1/error" ${CHECK_OPTIONS:-} >"$1/$2.txt" 2>&1
  code=$?
  [ $code = 0 ] || echo "  $2: exit code $code: $(tail -n 3 "$1/$2.txt")"
  read -r executions blocked \
    < <(jq -r '"\(.executions) \(.blocked)"' "$json")
  [ "$executions" = "$3" ] ||
    echo "  $2: $executions executions, expected $3"
  [ "$2" = dc ] || [ "$blocked" = 0 ] ||
    echo "  $2: blocked executions"
}

small() { # COUNT
  [ "$1" != - ] && [ "$1" -le 1500 ]
}

one() { # TABLE PROGRAM SOURCE FLAGS OPTIMAL OBSERVERS-OR-DC ...
  local folder=$scratch/papers/$2 problems optimal=${5//[()]/} other=${6//[()]/}
  mkdir -p "$folder"
  problems=$(
    $HEDDLE cc -g ${4//,/ } "bench/papers/$3.c" -o "$folder/program" 2>&1
    ! small "$optimal" || counted "$folder" optimal "$optimal"
    case $1 in
    table1) # blocks are rivals only if no data races are looked for
      ! small "$other" || counted "$folder" observers "$other" --races=off
      ;;
    table2) ! small "$other" || counted "$folder" observers "$other" ;;
    actors) ;;
    paper3) ! small "$other" || counted "$folder" dc "$other" ;;
    *)
      if small "$optimal"; then
        counted "$folder" optimal "$optimal" --interfere=locks
        counted "$folder" unfold "$optimal" --interfere=locks
      fi
      ;;
    esac
  )
  if [ -z "$problems" ]; then
    echo "ok - papers $2"
    rm -rf "$folder"
  else
    printf '%s\n' "$problems"
    echo "not ok - papers $2 ($HEDDLE check bench/papers/$3.c ${4//,/ })"
  fi
}
export -f one counted small

# Actors: as many executions as the formula in the program's head says, and no
# data race.
actors() { # TABLE PROGRAM SOURCE FLAGS PAPER TRACES ...
  one "$1" "$2" "$3" "$4" "$6" -
}
export -f actors
awk -v only="${1:-}" '/^actors/ && $6 != "-" && $9 == "quick" && index($2, only)' \
  bench/papers.tsv | each actors
awk -v only="${1:-}" '!/^(#|refine|actors)/ && $9 == "quick" && index($2, only)' \
  bench/papers.tsv | each one
