#!/bin/bash
# Several processes share a search: the same executions, outcomes and errors as
# with one, also if processes are killed.  Run alone: tests/cli/jobs.sh
group=jobs
. "$(dirname "$0")/begin"

# N threads write to one place: N! executions, (N - 1)! for each last value.
# With FAIL, those in which the last three are 2, 0, 1 fail.
cat >writers.c <<'C'
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#ifndef N
#define N 7
#endif
static atomic_int last, count;
static int order[N];
static void *run(void *n) {
  atomic_exchange(&last, (int)(long)n);
  return 0;
}
static void *ordered(void *n) {
  order[atomic_fetch_add(&count, 1)] = (int)(long)n;
  return 0;
}
int main(void) {
  pthread_t t[N];
  for (long i = 0; i < N; i++)
#ifdef FAIL
    pthread_create(&t[i], 0, ordered, (void *)i);
#else
    pthread_create(&t[i], 0, run, (void *)i);
#endif
  for (int i = 0; i < N; i++)
    pthread_join(t[i], 0);
#ifdef FAIL
  assert(!(order[N - 3] == 2 && order[N - 2] == 0 && order[N - 1] == 1));
  (void)run;
#else
  printf("%d", last);
  (void)ordered, (void)order;
#endif
}
C
cat >blocks.c <<'C'
#include <heddle.h>
#include <pthread.h>
static int x, y;
static void *run(void *n) {
  heddle_atomic_begin();
  if (x != (int)(long)n)
    y++;
  x = (int)(long)n;
  heddle_atomic_end();
  return 0;
}
int main(void) {
  pthread_t t[7];
  for (long i = 0; i < 7; i++)
    pthread_create(&t[i], 0, run, (void *)i);
  for (int i = 0; i < 7; i++)
    pthread_join(t[i], 0);
}
C

# Threads that are not alike: so many exchanges each.  What they have got in all
# must not be the first argument, which one order or few lead to.
cat >late.c <<'C'
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
static atomic_int last;
static void *run(void *length) {
  long got = 0;
  for (long i = 0; i < (long)length; i++)
    got = got * 5 + atomic_exchange(&last, (int)(long)length);
  return (void *)got;
}
int main(int count, char **words) {
  pthread_t t[8];
  long all = 0;
  for (int i = 2; i < count; i++)
    pthread_create(&t[i], 0, run, (void *)atol(words[i]));
  for (int i = 2; i < count; i++) {
    void *got;
    pthread_join(t[i], &got);
    all = (all * 31 + (long)got) % 1000003;
  }
  printf("%ld", all);
  assert(all != atol(words[1]));
}
C
nine=nine$$ # no other test has processes of this name
"$HEDDLE" cc -g writers.c -o writers && "$HEDDLE" cc -g -DFAIL writers.c -o fails &&
  "$HEDDLE" cc -g -DN=9 writers.c -o "$nine" && "$HEDDLE" cc -g blocks.c -o blocks &&
  "$HEDDLE" cc -g late.c -o late ||
  echo "not ok - $group: cc"

explore() { # EXIT-CODE OPTIONS: leaves the report in json
  local code=$1
  shift
  rm -f json
  "$HEDDLE" check --json json --error-file error "$@" >text 2>err
  local got=$?
  cat text err
  [ $got = "$code" ] || { echo "exit code $got, expected $code" && false; }
}

has() { # FILTER VALUE
  local got
  got=$(jq -c "$1" json)
  [ "$got" = "$2" ] || { echo "$1 is $got, not $2" && false; }
}

counts() {
  explore 0 ./writers --outcomes -j 3 &&
    has '[.algorithm, .executions, .blocked]' '["pop",5040,0]' &&
    has '[.outcomes[] | [.output, .count]] | sort' \
      "$(jq -nc '[range(7) | [tostring, 720]]')"
}
check "as many executions, and each outcome as often" counts

# How many steps are taken again, and how many orders asked for, depends on who explores what.
stable='del(.time_s, .max_rss_kb, .steps, .units, .unit_bytes, .busy_ms, .idle_ms, .realize_calls,
  .realize_failures, (.errors, .warnings)[].replay)'
same_error() { # ALGORITHM PROGRAM OPTIONS
  explore 1 --minimize=off --hunt=off --algo "$@" && jq -S "$stable" json >one &&
    explore 1 --minimize=off -j3 --algo "$@" && jq -S "$stable" json >three &&
    diff one three
}
check "the same first error, after as many executions" same_error pop ./fails
check "the same with --keep-going" same_error pop ./fails --keep-going

# Of all that can come out, some are errors one after the other: some soon, some
# when the search is shared.
same_errors() { # ALGORITHM LENGTHS
  local algorithm=$1 wrong shared=0
  shift
  explore 0 --algo "$algorithm" ./late --races=off --hunt=off --outcomes -- -1 "$@" || return
  for wrong in $(jq '[.outcomes[].output | tonumber] | sort | (length / 7 | floor) as $n |
      .[range($n; length; $n)]' json); do
    same_error "$algorithm" ./late --races=off -- "$wrong" "$@" || return
    shared=$((shared + $(jq '.units > 0' json | grep -c true)))
  done
  [ $shared -gt 2 ]
}

# After few executions it is not known yet which steps come first by default.
same_resumed() { # ALGORITHM WRONG LENGTHS: WRONG is an error
  local algorithm=$1
  shift
  explore 1 --minimize=off --hunt=off --algo "$algorithm" ./late --races=off -- "$@" &&
    jq -S "$stable" json >one && rm -f cp &&
    explore 3 --hunt=off --algo "$algorithm" --checkpoint cp --max-executions 300 ./late \
      --races=off --minimize=off -- "$@" && rm -f json &&
    { "$HEDDLE" resume cp -j 3 --json json >text 2>&1 || true; } && jq -S "$stable" json >three &&
    diff one three
}

same_errors_everywhere() {
  check "pop: the same first error where threads differ" same_errors pop $1
  check "dc: the same first error where threads differ" same_errors dc $2
  check "naive: the same first error where threads differ" same_errors naive $3
}
if [[ ${CPPFLAGS:-} = *HOSTILE* ]]; then # which shares from the second execution on
  same_errors_everywhere "2 2 2 1" "2 2 1 1" "1 2 1"
else
  same_errors_everywhere "3 3 4 1" "2 3 3 1" "1 2 1 1"
  check "the same first error when a search of few executions goes on" \
    same_resumed pop 560530 3 3 4 1
fi

# The number of a process with that name that another of that name started:
# not the first one, whose number need not be the smallest.
started_by_another() { # NAME
  ps -C "$1" -o pid=,ppid= | awk '{ parent[$1] = $2 }
    END { for (p in parent) if (parent[p] in parent) { print p; exit } }'
}

# Processes of a search with four are killed, but not the first one.  A search may
# end before any is seen: then it is begun again.
kill_some() { # NAME MOST OPTIONS: so many are killed
  local check tries victim name=$1 most=$2
  shift 2
  killed=0
  for ((tries = 0; tries < 5 && !killed; tries++)); do
    explore 0 "./$name" -j 4 "$@" >log.search 2>&1 &
    check=$!
    while [ $killed -lt "$most" ] && kill -0 $check 2>/dev/null; do
      victim=$(started_by_another "$name")
      [ -n "$victim" ] && kill -9 "$victim" 2>/dev/null && killed=$((killed + 1))
      sleep 0.02
    done
    wait $check || { cat log.search && return 1; }
  done
  echo "$killed killed"
  [ $killed -gt 0 ]
}

killed() { # OPTIONS
  kill_some "$nine" 3 "$@" && has '[.executions, .units > 2]' '[362880,true]'
}
check "killed processes lose nothing" killed
check "nor where races go back to the process that gave the part" killed --algo source
check "nor with dpor" killed --algo dpor

"$HEDDLE" cc -g -DN=13 writers.c -o thirteen || echo "not ok - $group: cc"
outcomes_by_states() {
  explore 0 ./thirteen --algo stateful --outcomes -j 3 --hunt=off &&
    has '[.units > 0, ([.outcomes[].output | tonumber] | sort)]' \
      "$(jq -nc '[true, [range(13)]]')"
}
check "processes tell each other their states, and find each outcome" outcomes_by_states

# What others have learnt from a process that is killed is not relied on.  The
# hostile build drops states, so that more executions are complete.
many=many$$
"$HEDDLE" cc -g -DN=15 "$here/bench/stateful/counters.c" -o "$many" || echo "not ok - $group: cc"
killed_states() {
  kill_some "$many" 1 --algo stateful --races=off --outcomes &&
    has '[.verdict, (.outcomes | length)]' '["safe",1]' &&
    { [[ ${CPPFLAGS:-} = *HOSTILE* ]] || has .executions 1; }
}
check "killed processes that had told states lose nothing" killed_states

# All is one cycle, which leads above each part: none is given away.
endless() {
  explore 0 "$here/tests/native/endless_statistics.c" --algo stateful -j 4 --hunt=off && has .verdict '"safe"'
}
check "states on one cycle are explored by one process" endless

# The kernel ends them when the first one has ended, which takes a moment.
limited() {
  explore 3 ./$nine -j 2 --time-limit 1 --rollback=replay && has .complete false ||
    return
  soon ended
}
ended() { ! pgrep -x "$nine"; }
check "a limit ends all processes" limited

# Each is one search by one process and one by three.  Some orders are asked for
# twice.
counted='del(.time_s, .max_rss_kb, .steps, .realize_calls, .realize_failures,
  .units, .unit_bytes, .busy_ms, .idle_ms)'
alike() { # OPTIONS
  explore "$@" && jq -S "$counted" json >one &&
    explore "$@" -j 3 && jq -S "$counted" json >three &&
    diff one three
}
check "naive: the same executions and traces" alike 0 -DN=4 writers.c --algo naive --races=off \
  --outcomes --hunt=off
check "dc: the same classes, and as many cut" alike 0 ./writers --algo dc --races=off --outcomes \
  --hunt=off
alike_but_cut() {
  counted="$counted | del(.blocked)" alike "$@"
}
check "source: the same complete executions" alike_but_cut 0 -DP=3 -DW=5 \
  "$here/bench/papers/mpc.c" --algo source --races=off --hunt=off
check "dpor: the same outcomes" alike_but_cut 0 ./writers --algo dpor --outcomes --hunt=off
check "samples: the same runs" alike 3 ./writers --algo pct=3 --max-executions 5000 --outcomes
optimal() {
  explore 0 ./writers -j2 --algo optimal && has .algorithm '"pop"' && grep -q 'run as pop' err
}
check "optimal is run as pop" optimal

blocks() {
  explore 0 ./blocks -j 2 && has '[.executions, .blocked]' '[5040,0]'
}
check "atomic blocks are explored by one process" blocks

# What is left is asked once a second.
estimate() {
  "$HEDDLE" check --races=off -DN=11 -j 2 --time-limit 4 --status-file status --hunt=off \
    "$here/bench/papers/lastwrite.c" >text 2>err
  cat text err status
  jq -e '.left.done > 0 and .left.done < 1 and .left.executions > 0' status
}
check "the estimate of what is left" estimate

refuses() { # TEXT OPTIONS
  local text=$1
  shift
  explore 2 "$@" && grep -qF -- "$text" err
}
check "another algorithm" refuses 'use --algo pop' ./writers -j2 --algo unfold
check "no number" refuses '-j x: not a number' ./writers -jx
check "no process" refuses '-j 0: not a number' ./writers -j 0
check "--max-executions" refuses 'counted by one process' ./writers -j 2 \
  --max-executions 10
printf 'var x\np: x = 1' >one.model
check "models" refuses 'explored by one process' one.model -j 2
exit $((failures > 0))
