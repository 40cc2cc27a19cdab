#!/bin/bash
# Searches that are interrupted and go on: together they find and count what one
# search does.  Run alone: tests/cli/resume.sh
group=resume
. "$(dirname "$0")/begin"

# N threads write to one place: N! executions, (N - 1)! for each last value.
cat >writers.c <<'C'
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
static atomic_int last;
static void *run(void *n) {
  atomic_exchange(&last, (int)(long)n);
  return 0;
}
int main(void) {
  pthread_t t[N];
  for (long i = 0; i < N; i++)
    pthread_create(&t[i], 0, run, (void *)i);
  for (int i = 0; i < N; i++)
    pthread_join(t[i], 0);
  printf("%d", last);
}
C
# Which memory is shared shows only after some executions: the search begins
# anew.  Which thread is the fifth depends on the schedule, and a loop waits.
cat >learns.c <<'C'
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
static atomic_int turn, ready;
static int data[4];
static void *leaf(void *n) {
  data[(long)n]++;
  return 0;
}
static void *grow(void *n) {
  pthread_t t;
  if (atomic_fetch_add(&turn, 1) == 1)
    pthread_create(&t, 0, leaf, n), pthread_join(t, 0);
  atomic_store(&ready, (int)(long)n + 1);
  return 0;
}
static void *waits(void *n) {
  while (!atomic_load(&ready))
    ;
  if (atomic_load(&turn) == 3)
    data[2] += *(int *)n;
  return 0;
}
int main(void) {
  pthread_t t[4];
  int one = 1;
  for (long i = 0; i < 3; i++)
    pthread_create(&t[i], 0, grow, (void *)i);
  pthread_create(&t[3], 0, waits, &one);
  for (int i = 0; i < 4; i++)
    pthread_join(t[i], 0);
  printf("%d%d%d", data[0], data[1], data[2]);
}
C
nine=nine
"$HEDDLE" cc -DN=7 writers.c -o writers && "$HEDDLE" cc -g learns.c -o learns &&
  "$HEDDLE" cc -DN=9 writers.c -o $nine || echo "not ok - $group: cc"

stable='del(.time_s, .max_rss_kb, .steps, .limit, .units, .unit_bytes, .busy_ms, .idle_ms, .realize_calls, .realize_failures,
  (.errors, .warnings)[].replay)'
set -- --minimize=off --hunt=off --error-file error
usual=("$@")

# In pieces of N executions: the same result as in one.
pieces() { # N PROGRAM OPTIONS
  local n=$1 most=$1 program=$2 code rounds=0
  shift 2
  "$HEDDLE" check "$program" "$@" "${usual[@]}" --json whole >text 2>&1
  "$HEDDLE" check "$program" "$@" "${usual[@]}" --checkpoint cp --max-executions $n --json part >text 2>&1
  code=$?
  while [ $code = 3 ] && [ -e cp ] && [ $rounds -lt 40 ]; do
    grep -q 'to go on: heddle resume' text || return 1
    most=$((most + n)) rounds=$((rounds + 1))
    "$HEDDLE" resume cp --max-executions $most --json part >text 2>&1
    code=$?
  done
  cat text
  [ $rounds -gt 1 ] && [ ! -e cp ] && jq -S "$stable" whole >a && jq -S "$stable" part >b && diff a b
}
check "as many executions, and each outcome as often" pieces 2000 ./writers --outcomes --algo pop
check "a search that learns" pieces 50 ./learns --outcomes --algo pop
check "naive, with its traces" pieces 700 ./learns --outcomes --algo naive --preemptions 1
check "dc, with loops that wait" pieces 30 ./learns --outcomes --algo dc
check "source, with a search that learns" pieces 50 ./learns --outcomes --algo source
check "dpor, with as many cut" pieces 700 -DP=3 -DW=5 "$here/bench/papers/mpc.c" --algo dpor \
  --races=off
# The hostile build drops states, so that more executions are complete.
states=$stable one='1 execution,'
[[ ${CPPFLAGS:-} != *HOSTILE* ]] ||
  states="$stable | del(.executions, .blocked, .outcomes[].count)" one=
stable=$states check "stateful, which takes up its states" pieces 2 ./learns --outcomes --algo stateful
check "source, with a bound" pieces 17 ./learns --outcomes --algo source --preemptions 2

samples() {
  rm -f cp
  "$HEDDLE" check ./learns "${usual[@]}" --algo pct=3 --max-executions 3000 --outcomes --json whole >text 2>&1
  "$HEDDLE" check ./learns "${usual[@]}" --algo pct=3 --max-executions 50 --outcomes --checkpoint cp >text 2>&1
  "$HEDDLE" resume cp --max-executions 1500 >text 2>&1
  "$HEDDLE" resume cp --max-executions 3000 --json part >text 2>&1
  jq -S "$stable" whole >a && jq -S "$stable" part >b && diff a b
}
check "samples: the same runs" samples

# Late in the search new threads appear, and memory that is shared after all.
cat >rare.c <<'C'
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
enum { N = 7 };
static atomic_int count, late;
static int order[N], data;
static void *run(void *n) {
  order[atomic_fetch_add(&count, 1)] = (int)(long)n;
  return 0;
}
static void *more(void *n) {
  atomic_fetch_add(&late, (int)(long)n);
  if (late == 1)
    data++;
  return 0;
}
int main(void) {
  pthread_t t[N];
  for (long i = 0; i < N; i++)
    pthread_create(&t[i], 0, run, (void *)i);
  for (int i = 0; i < N; i++)
    pthread_join(t[i], 0);
  if (order[0] < 4)
    return 0;
  for (long i = 0; i < 2; i++)
    pthread_create(&t[i], 0, more, (void *)(i + order[0] - 4));
  for (int i = 0; i < 2; i++)
    pthread_join(t[i], 0);
  printf("%d %d", late, data);
}
C
"$HEDDLE" cc rare.c -o rare || echo "not ok - $group: cc"
folds() { # ALGORITHM
  "$HEDDLE" check ./rare --algo $1 "${usual[@]}" --outcomes --json whole >text 2>&1
  "$HEDDLE" check ./rare --algo $1 -j 3 "${usual[@]}" --outcomes --checkpoint cp --checkpoint-every 0 --json part >text 2>&1
  cat text
  jq -S "$stable" whole >a && jq -S "$stable" part >b && diff a b
}
check "processes that fold, and learn late" folds pop
check "and that go back to the one that gave the part" folds source
check "the same with dpor" folds dpor

# A command that writes checkpoints all the time, until it has written one.
begins() { # COMMAND
  local old new i
  old=$(stat -c %i cp 2>/dev/null)
  "$HEDDLE" "$@" >text 2>&1 &
  pid=$!
  for i in $(seq 200); do
    new=$(stat -c %i cp 2>/dev/null)
    [ -n "$new" ] && [ "$new" != "$old" ] && return 0
    sleep 0.02
  done
}

# The command is killed, then the exploring process, then asked to end; with -j, too.
killed() { # ALGORITHM PROGRAM RESULT
  rm -f cp
  begins check ./$2 --algo $1 --races=off --outcomes --checkpoint cp --checkpoint-every 0
  kill -9 $pid && wait $pid 2>/dev/null
  begins resume cp -j 2
  kill -9 "$(pgrep -P $pid)" && wait $pid
  [ $? = 2 ] && grep -q "to go on: heddle resume" text || { cat text && return 1; }
  begins resume cp
  kill -TERM $pid && wait $pid
  [ $? = 3 ] && [ -e cp ] || { cat text && return 1; }
  "$HEDDLE" resume cp -j 2 --json part >text 2>&1
  cat text
  [ "$(jq -c '[.complete, .outcomes[0].count, .executions, .blocked]' part)" = "$3" ] && [ ! -e cp ]
}
all='[true,40320,362880,0]'
check "kill -9 loses what came after the last checkpoint, and counts stay" killed pop $nine $all
check "the same with source" killed source $nine $all
check "the same with dpor" killed dpor $nine $all
# How many are cut depends on which process was faster.
"$HEDDLE" cc -DN=16 "$here/bench/stateful/counters.c" -o many || echo "not ok - $group: cc"
killed_states() {
  killed stateful many '' || grep -q "^SAFE: no error exists: $one" text
}
check "the same with stateful" killed_states

refuses() { # TEXT COMMAND
  local text=$1 code
  shift
  "$HEDDLE" "$@" >text 2>&1
  code=$?
  cat text
  [ $code = 2 ] && grep -qF -- "$text" text
}
cp writers.c changes.c
"$HEDDLE" check -DN=5 changes.c --checkpoint good --max-executions 10 >text 2>&1
head -c 300 good >short
sed 's/executions 10/executions 11/' good >bad
echo hello >foreign
# The limit that ended the first part does not end the second one.
unlimited() {
  "$HEDDLE" check ./writers "${usual[@]}" --races=off --checkpoint cp --max-executions 10 >text 2>&1
  "$HEDDLE" resume cp -j 2 --json part >text 2>&1
  cat text
  [ "$(jq -c '[.complete, .executions]' part)" = '[true,5040]' ]
}
check "limits are over" unlimited
check "truncated" refuses 'truncated' resume short
check "damaged" refuses 'damaged' resume bad
check "another file" refuses 'not a checkpoint' resume foreign
check "no file" refuses 'No such file' resume nothing
check "another search" refuses 'may differ' resume good --races=off
check "other arguments of the program" refuses 'may differ' resume good -- 7
"$HEDDLE" check ./writers --allow-external abcd --checkpoint allows --max-executions 10 >text 2>&1
check "another function" refuses 'may differ' resume allows --allow-external efgh
check "an algorithm that cannot" refuses 'cannot be written down' check ./writers --algo unfold --checkpoint cp
sed -i 's/%d/%x/' changes.c
check "a changed program" refuses 'has changed' resume good
exit $((failures > 0))
