#!/bin/bash
# Hunts for errors while a search pauses, and estimates of what is left.  Run
# alone: tests/cli/hunt.sh
group=hunt
. "$(dirname "$0")/begin"

exits() { # CODE COMMAND...
  local code=$1
  shift
  "$@" >out 2>&1
  local got=$?
  cat out
  [ $got = "$code" ] || { echo "exit code $got, expected $code" && false; }
}

bugs=$here/bench/bugs papers=$here/bench/papers

# An early error that the search finds last.  The search has begun anew before, as
# `pop`; in the hostile build later.
least=500
[[ ${CPPFLAGS:-} != *HOSTILE* ]] || least=100
found() {
  exits 1 "$HEDDLE" check --races=off --minimize=off "$bugs/startup.c" --json json --error-file error &&
    grep 'found by hunting: ' out && grep 'assertion failed: handler' out &&
    jq -e ".hunt.searched > $least and .hunt.found_by and .executions < 1000" json &&
    exits 1 "$HEDDLE" replay error &&
    exits 1 "$HEDDLE" check --races=off --minimize=off "$bugs/startup.c" --json again --error-file error &&
    [ "$(jq 'del(.time_s, .max_rss_kb)' json)" = "$(jq 'del(.time_s, .max_rss_kb)' again)" ]
}
check "a hunt finds the error, the same every time" found

# Whatever the algorithm.
every() {
  local algorithm
  for algorithm in source dc naive unfold stateful observers; do
    exits 1 "$HEDDLE" check --races=off --minimize=off --algo $algorithm "$bugs/startup.c" &&
      grep 'found by hunting: ' out || { echo $algorithm && return 1; }
  done
}
check "with every algorithm" every

# Classic errors: a default check finds each.
known() {
  local bug
  for bug in "$bugs"/*.c; do
    "$HEDDLE" check --quiet --races=off --minimize=off "$bug" >out 2>&1
    [ $? = 1 ] || { echo "$bug" && cat out && return 1; }
  done
}
check "the known bugs are found" known

# The number of executions is that of theory (bench/papers.tsv).
not_mixed() {
  exits 0 "$HEDDLE" check --races=off --states=off -DN=9 "$papers/pipeline.c" --json json &&
    jq -e '.executions == 65536 and .complete and .verdict == "safe"' json &&
    jq -e '.hunt.executions > 0 and .hunt.found_by == null' json
}
check "counts are those of the search" not_mixed

no_hunt() {
  exits 3 "$HEDDLE" check --races=off --max-executions 30000 "$bugs/startup.c" --json json &&
    jq -e 'has("hunt") | not' json &&
    exits 2 "$HEDDLE" check --hunt=soon "$bugs/startup.c" && grep 'not a number of seconds, nor off' out
}
check "no hunt where the user bounds the search" no_hunt

# lastwrite(7) has 7! executions.  `optimal` has become `pop`, which finds its branches
# late: its estimates are too small.
status() {
  exits 3 "$HEDDLE" check --races=off -DN=7 --max-executions 2520 --status-file status "$papers/lastwrite.c" &&
    jq -e '.state == "ended" and .executions == 2520' status &&
    jq -e '.left.executions > 100 and .left.executions < 7560' status &&
    jq -e '.left.executions_least < .left.executions and .left.executions < .left.executions_most' status &&
    exits 0 "$HEDDLE" check --races=off -DN=7 --status-file status "$papers/lastwrite.c" &&
    jq -e '.executions == 5040 and .left.done == 1 and .left.executions_most == 0' status &&
    exits 3 "$HEDDLE" check --races=off --algo pop -DN=7 --max-executions 2520 --status-file status "$papers/lastwrite.c" &&
    jq -e '.left.executions > 100 and .left.executions < 7560' status &&
    exits 3 "$HEDDLE" check --races=off --algo pct=3 --max-executions 300 --status-file status "$papers/lastwrite.c" &&
    jq -e '.executions == 300 and .left.done == 1' status &&
    exits 2 "$HEDDLE" check --status-file no/such/folder "$papers/lastwrite.c"
}
check "the status file" status

# estimated ALGORITHM EXECUTIONS ALL OPTIONS...: after so many executions, the
# estimate of all of them is right to a factor of 3.
estimated() {
  local algorithm=$1 executions=$2 all=$3
  shift 3
  exits 3 "$HEDDLE" check --races=off --algo "$algorithm" --max-executions "$executions" --status-file status "$@" &&
    jq -e --argjson all "$all" '.executions + .left.executions | . > $all / 3 and . < $all * 3' status
}

# lastwrite(7) has 7! traces, boundedbuffer(7) has 14! / 7! / 7!.  Writer i comes
# between its creation and its join: by naive, lastwrite(4) has 2850 orders.
estimates() {
  estimated unfold 504 5040 -DN=7 "$papers/lastwrite.c" &&
    estimated quasi=2 2520 5040 -DN=7 "$papers/lastwrite.c" &&
    estimated unfold 344 3432 -DN=7 "$papers/boundedbuffer.c" &&
    estimated naive 285 2850 -DN=4 "$papers/lastwrite.c" &&
    estimated naive 1425 2850 -DN=4 "$papers/lastwrite.c" &&
    exits 3 "$HEDDLE" check --races=off --algo naive --preemptions 2 --max-executions 20 --status-file status -DN=4 "$papers/lastwrite.c" &&
    jq -e '.left == null' status &&
    exits 3 "$HEDDLE" check --races=off --algo dc --max-executions 99 --status-file status -DN=6 "$papers/pi.c" &&
    jq -e '.left == null' status
}
check "estimates of naive and unfold" estimates
[ $failures = 0 ]
