#!/bin/bash
# Options that bound or coarsen the search, and what reports say of them:
# --preemptions, --interfere=locks; and --skip.  Run alone: tests/cli/bounds.sh
group=bounds
. "$(dirname "$0")/begin"

explore() { # EXIT-CODE OPTIONS: leaves the report in json
  local code=$1
  shift
  rm -f json
  "$HEDDLE" check "$@" --json json --error-file error >text 2>err
  local got=$?
  cat text err
  [ $got = "$code" ] || { echo "exit code $got, expected $code" && false; }
}

has() { # NAME VALUE
  [ "$(field "$1")" = "$2" ] || { echo "no \"$1\": $2" && cat json && false; }
}

field() { # NAME: its value in the report, nothing if it is not there
  jq -r --arg name "$1" 'if has($name) then .[$name] else empty end' json
}

# ---- preemptions ------------------------------------------------------------

# Two processes with two steps each: 6 interleavings.  Of these, 2 have no
# preemption, 2 (one process in the middle of the other) have one, and 2 (by turns)
# have two.
cat >apart.model <<'M'
var x, y
p: x = 1; x = 2
q: y = 1; y = 2
M
cat >together.model <<'M'
var x
p: x = 1; x = 2
q: x = 3; x = 4
M

naive_counts() {
  local model
  for model in apart together; do
    explore 3 $model.model --algo naive --preemptions 0 && has executions 2 &&
      has limit --preemptions && has verdict incomplete &&
      explore 3 $model.model --algo naive --preemptions=1 && has executions 4 &&
      explore 0 $model.model --algo naive --preemptions=2 && has executions 6 &&
      explore 0 $model.model --algo naive --preemptions=99 &&
      has executions 6 && [ -z "$(field bounded)" ] || return
  done
}
check "naive explores what is within the bound" naive_counts

# Independent processes need no preemption.  Of the dependent ones, the order
# q q p p has none, but it is planned from an execution that has one.  So only one
# order is found with the bound 0, and all of them from 1 on.
reduced_counts() {
  local algorithm
  for algorithm in optimal source dpor; do
    explore 0 apart.model --algo $algorithm --preemptions 0 &&
      has executions 1 &&
      explore 3 together.model --algo $algorithm --preemptions 0 &&
      has executions 1 && has bounded 1 &&
      explore 3 together.model --algo $algorithm --preemptions 1 &&
      has executions 4 &&
      explore 0 together.model --algo $algorithm --preemptions 2 &&
      has executions 6 || return
  done
}
check "the others never claim more" reduced_counts

# main waits for a, then for b.  Without preemption: a first, then main or b;
# or b, then a.
cat >threads.c <<'C'
#include <pthread.h>
#include <stdatomic.h>
static atomic_int x;
static void *run(void *p) {
  x = 1;
  x = 2;
  return p;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, run, 0);
  pthread_create(&b, 0, run, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
}
C
native_counts() {
  local n before=0 now
  explore 3 threads.c --algo naive --preemptions 0 && has executions 3 || return
  for n in 0 1 2 3 4; do
    "$HEDDLE" check threads.c --preemptions $n --json json >text
    now=$(field executions)
    [ "$now" -ge $before ] || { echo "$n: $now after $before" && return 1; }
    before=$now
  done
  [ $before = 6 ] && has verdict safe
}
check "threads; more are found the more are allowed" native_counts

# A switch away from a thread that waits is no preemption.
cat >turns.c <<'C'
#include <assert.h>
#include <pthread.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int turn;
static void *run(void *p) {
  pthread_mutex_lock(&lock);
  while (turn != (int)(long)p)
    pthread_cond_wait(&changed, &lock);
  turn++;
  pthread_cond_broadcast(&changed);
  pthread_mutex_unlock(&lock);
  return 0;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, run, (void *)1);
  pthread_create(&b, 0, run, (void *)0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  assert(turn != 2);
}
C
waiting() {
  explore 1 turns.c --preemptions 0 --interfere=locks &&
    grep -q 'assertion failed' text && "$HEDDLE" replay error >replayed
  [ $? = 1 ] && grep -q 'assertion failed' replayed &&
    grep -q '^option preemptions=0$' error &&
    grep -q '^option interfere=locks$' error
}
check "waiting is no preemption; error file and replay" waiting

refusals() {
  explore 2 together.model --preemptions 1 --algo cs &&
    grep -q 'cannot bound' err &&
    explore 2 threads.c --preemptions 1 --algo observers &&
    grep -q 'cannot bound' err && explore 2 threads.c --preemptions=-1 &&
    explore 2 threads.c --preemptions
}
check "refused with --preemptions" refusals

# ---- skips ------------------------------------------------------------------

# The search is the same with any N.  With N = 1 every event has a skip to the one
# before it, so a distance takes as many steps as it is long.
skips() {
  local n steps
  cp "$here/tests/models/disp-3-2.model" . || return
  for n in 1 3 4 1000000; do
    explore 0 disp-3-2.model --algo unfold --skip $n &&
      has executions 59 && has blocked 0 || return
    steps[n]=$(field tree_steps)
    [ $n != 1 ] || [ "${steps[1]}" = "$(field tree_distance)" ] || return
  done
  [ "${steps[4]}" -lt "${steps[1]}" ] && [ "${steps[3]}" -lt "${steps[1]}" ] &&
    explore 0 disp-3-2.model --algo quasi=2 --skip=2 && has executions 59 &&
    explore 0 threads.c --algo unfold --skip 2 && has executions 6
}
check "--skip changes only how ancestors are found" skips

no_skips() {
  explore 2 disp-3-2.model --algo unfold --skip 0 && grep -q 'too small' err &&
    explore 2 disp-3-2.model --algo unfold --skip 1000001 &&
    grep -q 'no tree is so deep; use 1000000 or less' err &&
    explore 2 disp-3-2.model --algo unfold --skip 99999999999999999999 &&
    explore 2 threads.c --algo unfold --skip 1000001 &&
    explore 2 disp-3-2.model --skip 2 && grep -q 'no trees of events' err &&
    explore 2 threads.c --skip 2 && grep -q 'no trees of events' err
}
check "refused with --skip" no_skips

# ---- only what synchronises interferes --------------------------------------

cat >racy.c <<'C'
#include <assert.h>
#include <pthread.h>
static int x;
static void *run(void *p) {
  x++;
  return p;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, run, 0);
  pthread_create(&b, 0, run, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  assert(x == 2);
}
C

never_safe() {
  explore 3 racy.c --interfere=locks && has verdict incomplete &&
    grep -q 'INCOMPLETE: a data race' text &&
    grep -q 'warning: data race.*racy.c:5' text &&
    explore 3 racy.c --interfere=locks --keep-going &&
    explore 1 racy.c --interfere=locks --races=error &&
    grep -q 'ERROR: data race' text &&
    "$HEDDLE" replay --full error >replayed
  [ $? = 1 ] && grep -q 'data race' replayed &&
    grep -q 'reads x = 0' replayed
}
check "a data race is never safe" never_safe

no_detection() {
  explore 2 racy.c --interfere=locks --races=off &&
    grep -q -- '--interfere=locks needs data races' err &&
    explore 2 together.model --interfere=locks --races=off &&
    explore 2 racy.c --interfere=locks --algo observers &&
    explore 2 racy.c --interfere=mutexes && grep -q 'all|locks' err
}
check "refused with --interfere=locks" no_detection

cat >data.model <<'M'
data d
mutex m
p: lock m; d = 1; unlock m
q: lock m; r = d; unlock m; assert r == 0
M
models() {
  explore 1 data.model --interfere=locks --keep-going && has executions 2 &&
    has max_depth 4 && grep -q 'writes d = 1' text &&
    explore 1 data.model --keep-going && has executions 2 && has max_depth 6 &&
    sed 's/q: .*/q: r = d/' data.model >bad.model &&
    explore 3 bad.model --interfere=locks &&
    grep -q 'q uses d (line 4)\|p uses d (line 3)' text
}
check "models with data" models

verified() {
  explore 1 turns.c --interfere=locks --verify &&
    explore 3 racy.c --interfere=locks --verify &&
    explore 1 turns.c --interfere=locks --rollback=replay
}
check "--verify and --rollback=replay" verified

under_gdb() {
  command -v gdb || return 0
  explore 1 turns.c --interfere=locks &&
    "$HEDDLE" replay --gdb error -- -batch -ex 'print turn' -ex 'heddle goto 1' \
      -ex 'print turn' >gdb.out 2>&1
  grep -q '^\$1 = 2' gdb.out && grep -q '^\$2 = 0' gdb.out || { cat gdb.out && false; }
}
check "replay --gdb" under_gdb

[ $failures = 0 ]
