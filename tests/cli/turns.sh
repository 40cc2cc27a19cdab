#!/bin/bash
# A long search and one with stored states take turns, and the first to end has the
# result.  Run alone: tests/cli/turns.sh
group=turns
. "$(dirname "$0")/begin"

# States are dropped after a few there: what ends here would not.
[[ ${CPPFLAGS:-} != *HOSTILE* ]] || exit 0

exits() { # CODE COMMAND...
  local code=$1
  shift
  timeout -k 1 300 "$@" >out 2>&1
  local got=$?
  head -50 out
  [ $got = "$code" ] || { echo "exit code $got, expected $code" && false; }
}

# In all the same, but for time and memory.
same() { # JSON JSON
  [ "$(jq 'del(.time_s, .max_rss_kb)' "$1")" = "$(jq 'del(.time_s, .max_rss_kb)' "$2")" ]
}

# N threads in a critical section each: N! traces, and 2^N states between the sections.
# DEEP: an assertion fails in one of the N! orders.  RACE: a data race, too.
cat >crowd.c <<'C'
#include <assert.h>
#include <pthread.h>
#ifndef N
#define N 12
#endif
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int count, in_order, seen, other;
static void *enter(void *number) {
#ifdef RACE
  if ((long)number == 0)
    seen = 1;
  else if ((long)number == 1)
    other = seen;
#endif
  pthread_mutex_lock(&mutex);
#ifdef DEEP
  if (count == in_order && (long)number == N - 1 - count)
    in_order++;
  assert(in_order < N);
#endif
  count++;
  pthread_mutex_unlock(&mutex);
  return 0;
}
int main(void) {
  pthread_t threads[N];
  for (long i = 0; i < N; i++)
    pthread_create(&threads[i], 0, enter, (void *)i);
  for (int i = 0; i < N; i++)
    pthread_join(threads[i], 0);
  assert(count == N && in_order <= N && other < 2);
}
C

# ---- which search has the result --------------------------------------------

ends() {
  exits 0 "$HEDDLE" check crowd.c --json json &&
    grep '^SAFE: ' out && grep '^stored states ended the search (stateful): optimal had run ' out &&
    jq -e '.verdict == "safe" and .complete and .algorithm == "stateful"' json &&
    jq -e '.turns.instead_of == "optimal" and .turns.executions > 1000 and .turns.steps >= 100000' json &&
    mv out first && exits 0 "$HEDDLE" check crowd.c --json again &&
    same json again && cmp first out
}
check "12! orders are safe without any option, the same every time" ends

pool() {
  exits 0 "$HEDDLE" check "$here/bench/stateful/pool.c" --quiet --json json &&
    jq -e '.turns.instead_of == "optimal"' json && [ "$(wc -l <out)" = 1 ]
}
check "a pool of workers" pool

deep() {
  exits 1 "$HEDDLE" check -DDEEP --hunt=off --minimize=off crowd.c --json json --error-file error &&
    grep '^found by a search that stores states (stateful): optimal had found nothing in ' out &&
    jq -e '.algorithm == "stateful" and .turns.instead_of == "optimal"' json &&
    jq -e '.errors[0].kind == "assertion" and (.errors[0].schedule | length) > 30' json &&
    exits 1 "$HEDDLE" replay error && grep 'in_order < N' out
}
check "an error in one of 12! orders, replayed" deep

# optimal ends, too: 8! executions.
findings='[.verdict, (.warnings[] | {kind, message, function, line, other})]'
race() {
  exits 0 "$HEDDLE" check -DRACE -DN=8 crowd.c --json json && jq -e '.algorithm == "stateful"' json &&
    exits 0 "$HEDDLE" check -DRACE -DN=8 crowd.c --states=off --json off &&
    jq -e '.algorithm == "optimal" and .executions >= 40320 and (has("turns") | not)' off &&
    jq -e '.warnings | length == 1' json && [ "$(jq "$findings" json)" = "$(jq "$findings" off)" ] &&
    exits 1 "$HEDDLE" check -DRACE --races=error --hunt=off --minimize=off crowd.c
}
check "a data race is told either way" race

# Values that differ after every order: each trace ends in a state of its own, and
# `optimal` is done first.
cat >orders.c <<'C'
#include <pthread.h>
#ifndef N
#define N 7
#endif
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static unsigned long sum;
static void *mix(void *number) {
  pthread_mutex_lock(&mutex);
  sum = sum * 31 + (unsigned long)number;
  pthread_mutex_unlock(&mutex);
  return 0;
}
int main(void) {
  pthread_t threads[N];
  for (long i = 0; i < N; i++)
    pthread_create(&threads[i], 0, mix, (void *)(i * i + 1));
  for (int i = 0; i < N; i++)
    pthread_join(threads[i], 0);
  return sum == 1;
}
C
first() {
  exits 0 "$HEDDLE" check orders.c -DN=8 --hunt=off --json json && [ "$(wc -l <out)" = 1 ] &&
    jq -e '.algorithm == "optimal" and .executions == 40320 and .turns.instead_of == null' json &&
    jq -e '.turns.steps > 10000 and 2 * .turns.steps < .steps' json
}
check "optimal ends first" first

short() {
  exits 0 "$HEDDLE" check orders.c -DN=6 --json json &&
    jq -e '.executions == 720 and (has("turns") or has("hunt") | not)' json
}
check "no turns in a short search" short

# ---- the option -------------------------------------------------------------

option() {
  exits 3 "$HEDDLE" check --states=off --time-limit=1 --json json crowd.c &&
    jq -e '.algorithm == "optimal" and (has("turns") | not)' json &&
    exits 3 "$HEDDLE" check --algo optimal --time-limit=1 --json json crowd.c &&
    jq -e 'has("turns") | not' json &&
    exits 0 "$HEDDLE" check --algo source --states=on --json json crowd.c &&
    jq -e '.algorithm == "stateful" and .turns.instead_of == "source"' json &&
    exits 2 "$HEDDLE" check --states=maybe crowd.c && grep 'neither on nor off' out
}
check "off, on, and with other algorithms" option

without() {
  local option
  for option in --keep-going --outcomes --max-executions=30000 --preemptions=3 --verify \
    --interfere=locks --allow-external=re_set_syntax "-j 2" "--checkpoint file"; do
    exits 3 "$HEDDLE" check --time-limit=1 $option --json json crowd.c &&
      jq -e 'has("turns") | not' json || { echo "$option" && return 1; }
  done
}
check "not where the user wants something else" without

# ---- programs ---------------------------------------------------------------

binary() {
  "$HEDDLE" cc -DN=10 crowd.c -o crowd &&
    exits 0 "$HEDDLE" check ./crowd --json json && jq -e '.algorithm == "stateful"' json
}
check "a program that is built already" binary

# The compiler's words come once, though the program is built twice.
once() {
  (echo '#warning told' && cat crowd.c) >warned.c
  exits 0 "$HEDDLE" check warned.c && [ "$(grep -c 'warned.c:1:' out)" = 1 ]
}
check "a compiler's warning is told once" once

# ---- loops without end ------------------------------------------------------

# Two values of one variable.  COUNT: one execution, and no state comes again.
cat >endless.c <<'C'
#include <pthread.h>
#include <stdatomic.h>
static atomic_int turn, rounds[2];
static void *pass(void *number) {
  int to = (int)(long)number;
  for (;;) {
#ifdef COUNT
    rounds[to]++;
#else
    if (turn != to)
      turn = to;
#endif
  }
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, pass, (void *)1);
  pthread_create(&b, 0, pass, (void *)0);
  pthread_join(a, 0);
}
C

endless() {
  exits 0 "$HEDDLE" check endless.c --json json --status-file status &&
    grep '^SAFE: ' out && grep 'optimal had run 1 execution, and had stopped at a loop without end$' out &&
    jq -e '.verdict == "safe" and .algorithm == "stateful" and .turns.steps < 100000' json &&
    jq -e '.state == "ended"' status &&
    exits 3 "$HEDDLE" check endless.c --states=off && grep '^INCOMPLETE: --loop-bound=1000 stopped' out
}
check "a short search that stops at loops without end is followed by stored states" endless

counts() {
  exits 3 "$HEDDLE" check -DCOUNT endless.c --json json &&
    grep '^INCOMPLETE: --loop-bound=1000 stopped' out && grep '^a search that stores states' out &&
    jq -e '.algorithm == "optimal" and .turns.steps > 0 and .turns.steps < 300000 and .time_s < 30' json
}
check "in vain, where states do not come again" counts

# ---- limits and signals -----------------------------------------------------

# Neither ends: N! executions, and 2^N states.
limit() {
  exits 3 "$HEDDLE" check -DN=24 --time-limit=2 crowd.c --json json --status-file status &&
    grep '^INCOMPLETE: time limit of 2 s reached: ' out &&
    grep '^a search that stores states (stateful) did not end either, in ' out &&
    jq -e '.algorithm == "optimal" and .time_s < 20 and .turns.instead_of == null' json &&
    jq -e '.state == "ended"' status
}
check "the time limit holds for both" limit

# The process of the turn that is under way, and the one that rests.
both_run() { [ "$(pgrep -c '^leftovers')" = 2 ]; }
none_runs() { ! pgrep '^leftovers'; }
storing() { jq -e '.state == "storing states"' status; }
interrupt() { # SIGNAL
  cp crowd.c leftovers.c
  env --default-signal="$1" "$HEDDLE" check -DN=24 --hunt=off --status-file status \
    leftovers.c >out 2>&1 &
  local command=$! code
  soon storing && soon both_run
  kill -s "$1" $command
  wait $command
  code=$?
  cat out
  [ $code = 3 ] && grep '^INCOMPLETE: interrupted: ' out && none_runs
}
check "Ctrl-C leaves no process" interrupt INT
check "nor does SIGTERM" interrupt TERM

killed() {
  "$HEDDLE" check -DN=24 --hunt=off --status-file status leftovers.c >out 2>&1 &
  soon both_run
  kill -KILL $! && wait $!
  soon none_runs
}
check "nor a command that is killed" killed
[ $failures = 0 ]
