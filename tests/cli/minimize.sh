#!/bin/bash
# --minimize: the failing schedule with the fewest preemptions, then the fewest
# steps.  Run alone: tests/cli/minimize.sh
group=minimize
. "$(dirname "$0")/begin"

find_error() { # OPTIONS: leaves the report in json
  rm -f json error
  "$HEDDLE" check "$@" --json json --error-file error >text 2>err
  [ $? = 1 ] || { cat text err && false; }
}

size() { # "preemptions steps" of the first error
  jq -r '.errors[0] | "\(.preemptions) \([.schedule[] | select(.local | not)] | length)"' json
}

smallest() { # PREEMPTIONS STEPS OPTIONS
  local wanted="$1 $2"
  shift 2
  find_error "$@" && [ "$(size)" = "$wanted" ] && return
  echo "preemptions and steps: $(size), expected $wanted" && cat text
  return 1
}

# Two threads that lock in opposite orders: one preemption, between the locks of
# one.  The steps: main's start, two creations, a lock of each thread.
cat >abba.c <<'C'
#include <pthread.h>
static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
static void *ab(void *p) {
  pthread_mutex_lock(&a);
  pthread_mutex_lock(&b);
  pthread_mutex_unlock(&b);
  pthread_mutex_unlock(&a);
  return p;
}
static void *ba(void *p) {
  pthread_mutex_lock(&b);
  pthread_mutex_lock(&a);
  pthread_mutex_unlock(&a);
  pthread_mutex_unlock(&b);
  return p;
}
int main(void) {
  pthread_t s, t;
  pthread_create(&s, 0, ab, 0);
  pthread_create(&t, 0, ba, 0);
  pthread_join(s, 0);
  pthread_join(t, 0);
}
C
check "a deadlock needs one preemption" smallest 1 5 abba.c

# x must be read as 1, and that is possible when main has ended its part: no
# preemption.  The writes of the other thread are not needed.
cat >apart.c <<'C'
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int x, y;
static void *write_x(void *p) {
  x = 1;
  return p;
}
static void *write_y(void *p) {
  for (int i = 1; i < 9; i++)
    y = i;
  return p;
}
static void *look(void *p) {
  assert(x != 1);
  return p;
}
int main(void) {
  pthread_t s, t, u;
  pthread_create(&s, 0, write_y, 0);
  pthread_create(&t, 0, write_x, 0);
  pthread_create(&u, 0, look, 0);
  pthread_join(t, 0);
  pthread_join(u, 0);
  pthread_join(s, 0);
}
C
check "threads that do not matter are left out" smallest 0 6 apart.c
check "the same by every way that finds it" smallest 0 6 apart.c --algo observers

# turn goes 1 2 3 4, written by two threads in turn, each of which would go on:
# three switches, of which the last is not needed if the thread has ended.
cat >turns.c <<'C'
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int turn;
static void follow(int from) {
  int expected = from;
  atomic_compare_exchange_strong(&turn, &expected, from + 1);
}
static void *even(void *p) {
  follow(0);
  follow(2);
  return p;
}
static void *odd(void *p) {
  follow(1);
  follow(3);
  return p;
}
int main(void) {
  pthread_t s, t;
  pthread_create(&s, 0, even, 0);
  pthread_create(&t, 0, odd, 0);
  pthread_join(s, 0);
  pthread_join(t, 0);
  assert(turn != 4);
}
C
check "two preemptions where two are needed" smallest 2 8 turns.c

# A livelock that samples find with many switches.
cat >polite.c <<'C'
#include <pthread.h>
#include <stdatomic.h>
static atomic_int want[2], noise;
static int ids[2] = {0, 1};
static void *enter(void *argument) {
  int me = *(int *)argument;
  for (int i = 0; i < 4; i++)
    noise = me;
  want[me] = 1;
  while (want[1 - me])
    ;
  want[me] = 0;
  return 0;
}
int main(void) {
  pthread_t t[2];
  for (int i = 0; i < 2; i++)
    pthread_create(&t[i], 0, enter, &ids[i]);
  for (int i = 0; i < 2; i++)
    pthread_join(t[i], 0);
}
C
# Without switches the second thread finds all as it was: one is needed, which
# `optimal` takes first.  Steps of threads that begin count as switches, too.
livelock() {
  local preemptions='select(.errors[0].kind == "livelock") | .errors[0].preemptions'
  find_error polite.c --minimize=off && fewest=$(jq "$preemptions" json) &&
    find_error polite.c --algo random --minimize=off && [ "$(jq "$preemptions" json)" -gt "$fewest" ] &&
    find_error polite.c --algo random && [ "$(jq "$preemptions" json)" = "$fewest" ]
}
check "a livelock with few preemptions" livelock

# `naive` judges: it keeps to a bound exactly.
judged() { # FILE
  find_error "$1" || return
  local fewer=$(($(jq '.errors[0].preemptions' json) - 1))
  [ $fewer -lt 0 ] && echo "not worth judging" && return 1
  "$HEDDLE" check "$1" --races=off --algo naive --preemptions $fewer --minimize=off
  [ $? = 3 ]
}
for program in abba.c turns.c; do
  check "naive finds nothing smaller: $program" judged $program
done
for program in lost_update count_philosophers mutex_never_released; do
  check "naive finds nothing smaller: $program.c" judged "$here/tests/native/$program.c"
done

# What is shown is what the error file has, and it happens again.
confirmed() {
  find_error apart.c && sed '/^replay:/,$d' text | sed '$d' >wanted &&
    { "$HEDDLE" replay error >again || [ $? = 1 ]; } && diff wanted again
}
check "the error file has the small schedule" confirmed

off() {
  find_error apart.c --minimize=off && local long=$(size) &&
    find_error apart.c --minimize 0 && [ "$(size)" = "$long" ] &&
    find_error apart.c && [ "$(size)" != "$long" ]
}
check "off" off

refused() {
  "$HEDDLE" check apart.c --minimize=soon 2>err
  [ $? = 2 ] && grep -q -e '--minimize soon: not a number of seconds, nor off' err
}
check "neither seconds nor off" refused

# Every error and every data race has its own.
several() {
  cat >several.c <<'C'
#include <assert.h>
#include <pthread.h>
static int x;
static void *work(void *p) {
  x++;
  return p;
}
int main(void) {
  pthread_t s, t;
  pthread_create(&s, 0, work, 0);
  pthread_create(&t, 0, work, 0);
  pthread_join(s, 0);
  assert(x > 0);
  pthread_join(t, 0);
  assert(x == 2);
}
C
  find_error several.c --keep-going --races=error &&
    jq -e '[.errors[] | select(.kind == "race") | .preemptions] | all(. == 0)' json &&
    jq -e '[.errors[] | select(.kind == "assertion") | .preemptions] == [1]' json
}
check "every error by itself" several

# The same every time.
stable() {
  find_error turns.c && del='del(.time_s, .max_rss_kb)' && jq "$del" json >first &&
    find_error turns.c && jq "$del" json | diff - first
}
check "the same report every time" stable

[ $failures = 0 ]
