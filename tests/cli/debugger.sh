#!/bin/bash
# heddle replay --gdb: where it stops, and the commands of its script.  Run alone:
# tests/cli/debugger.sh
group=debugger
. "$(dirname "$0")/begin"

races=off

# debug PROGRAM COMMAND...: gdb's output goes to `out`.
debug() {
  local program=$1 orders=() order
  shift
  for order in "$@"; do
    orders+=(-ex "$order")
  done
  "$HEDDLE" check "$program" --races=$races --error-file error >/dev/null
  "$HEDDLE" replay --gdb error -- -batch "${orders[@]}" >out 2>err
  cat out err
  ! grep -q 'Python Exception\|Error occurred in Python' out err
}

# in_order LINE...: these lines are in `out`, in this order; each is a pattern.
in_order() {
  local at=0 found pattern
  for pattern in "$@"; do
    found=$(tail -n +$((at + 1)) out | grep -n -m 1 -e "$pattern" | cut -d : -f 1)
    [ -n "$found" ] || { echo "missing after line $at: $pattern" && return 1; }
    at=$((at + found))
  done
}

cat >lost.c <<'C'
#include <assert.h>
#include <pthread.h>
static int count;
static void add(int amount) {
  int seen = count;
  count = seen + amount;
}
static void *worker(void *argument) {
  add(*(int *)argument);
  return argument;
}
int main(void) {
  pthread_t thread;
  int amount = 5;
  pthread_create(&thread, 0, worker, &amount);
  add(2);
  pthread_join(thread, 0);
  assert(count == 7);
}
C
cat >abba.c <<'C'
#include <pthread.h>
static pthread_mutex_t left = PTHREAD_MUTEX_INITIALIZER, right = PTHREAD_MUTEX_INITIALIZER;
static void both(pthread_mutex_t *first, pthread_mutex_t *second) {
  pthread_mutex_lock(first);
  pthread_mutex_lock(second);
  pthread_mutex_unlock(second);
  pthread_mutex_unlock(first);
}
static void *worker(void *unused) {
  both(&right, &left);
  return unused;
}
int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, worker, 0);
  both(&left, &right);
  pthread_join(thread, 0);
}
C

# ---- where it stops ---------------------------------------------------------

assertion() {
  debug lost.c bt 'print count' 'print amount' &&
    in_order '^main fails here: assertion failed: count == 7' \
      '^#[0-9]* .* in main () at .*lost.c:18' '^18.*assert(count == 7);' \
      '^#[0-9]* .* in main () at .*lost.c:18' '^\$1 = [25]$' '^\$2 = 5$' &&
    ! grep -q heddle_ out
}
check "stops at the assertion, in the program's frame" assertion

deadlock() {
  debug abba.c 'heddle bt all' 'heddle thread T1' 'print first == &right' &&
    in_order '^The schedule is at its end: deadlock' \
      '^  main .*blocked: waits to lock right.* at .*abba.c:5' \
      '^  T1 .*blocked: waits to lock left.* at .*abba.c:5' '^main:' \
      '^main:' '^#0  both (.*abba.c:5' '^#1  main () at .*abba.c:16' \
      '^T1 worker:' '^#0  both (.*abba.c:5' '^#1  worker (.*abba.c:10' \
      '^\[T1 worker\]' '^5.*pthread_mutex_lock(second)'
}
check "stops at the deadlock; all threads have their calls" deadlock

race() {
  local races=error
  sed '/assert(/d' lost.c >race.c && debug race.c 'heddle continue' 'heddle threads' &&
    in_order '^Next is step [0-9]*: main .*count' '^#[0-9]* .* in add (' \
      '^Next is step [0-9]*: T1 worker .*count' '^#[0-9]* .* in add (' \
      '^\* T1'
}
check "stops at both accesses of a data race" race

crashes() { # PROGRAM PATTERN
  debug "$here/tests/native/$1.c" 'heddle threads' && in_order "fails here: $2" "at .*$1.c:"
}
check "stops at a crash" crashes crash_null 'crash: SIGSEGV'
check "stops at a stack overflow" crashes crash_stack_overflow 'crash: stack overflow'
check "stops at a use after free" crashes heap_use_after_free 'memory error: use after free'
check "stops at abort()" crashes exit_abort 'crash: abort() was called'
check "stops at a misuse" crashes mutex_unlock_other 'misuse: '

# ---- commands ---------------------------------------------------------------

# A step is taken back and taken again; values follow.
back() {
  debug lost.c 'print count' 'heddle goto 1' 'print count' 'heddle step 2' 'heddle back' \
    'heddle continue' 'print count' &&
    in_order '^\$1 = [25]$' '^Next is step 1: main starts' '^\$2 = 0$' '^Next is step 2:' \
      '^Next is step 1: main writes amount' '^main fails here' '^\$3 = [25]$'
}
check "goto, step, back and continue" back

# The other order: there is no failure.
switched() {
  debug lost.c 'heddle goto 4' 'heddle threads' 'heddle switch main' 'heddle switch main' \
    'heddle switch T1' 'heddle continue' 'print count' &&
    in_order '^Next is step 4' '^[ *] main ' '^[ *] T1 .*reads' '^The schedule is at its end' '^\$1 = 7$'
}
check "switch leaves the schedule" switched

refused() {
  debug lost.c 'heddle switch T1' 'heddle thread 9' 'heddle thread x' 'heddle step x' &&
    grep -q 'a thread has failed here; heddle back first' err && grep -q 'no thread 9' err &&
    grep -q 'name a thread: main, T1' err && grep -q 'x is not a number' err
}
check "what is not possible is refused" refused

# Variables have their values, in registers or not.
variables() {
  local races=error
  debug race.c 'info locals' 'print amount' 'heddle continue' 'print amount' up 'print *(int *)argument' &&
    in_order '^Next is' '^seen = 0' '^\$1 = 2' '^Next is' '^\$2 = 5' '^\$3 = 5' &&
    ! grep -q 'optimized out' out
}
check "variables have their values" variables

# A program that was built before is debugged as it is.
prebuilt() {
  "$HEDDLE" cc -fheddle-keep-variables lost.c -o lost && debug ./lost 'print amount' &&
    in_order '^main fails here' '^\$1 = 5'
}
check "a program built by heddle cc" prebuilt

# gdb's own commands go on from where the program is, whatever is looked at.
looked() {
  debug abba.c 'heddle goto 3' 'heddle thread T1' 'continue' 'heddle threads' &&
    in_order '^Next is step 3' '^\[T1 worker\]' '^The schedule is at its end: deadlock'
}
check "continue while another thread is looked at" looked

# Lines were added: the events are followed, taken back and left all the same.
changed() {
  "$HEDDLE" check lost.c --races=off --error-file error >/dev/null
  cp lost.c kept.c
  sed -i 's|^  int seen = count;|&\n  printf("%d more\\n", amount);|; 1i #include <stdio.h>' lost.c
  "$HEDDLE" replay --gdb error -- -batch "$@" >out 2>err
  mv kept.c lost.c
  cat out err
  ! grep -q 'Python Exception\|Error occurred in Python\|takes other steps' out err &&
    in_order '^The program has changed'
}
changed_back() {
  changed -ex 'print count' -ex 'heddle goto 1' -ex 'print count' -ex 'heddle step 4' \
    -ex 'heddle back' -ex 'heddle continue' -ex 'print count' &&
    in_order '^main fails here: assertion failed: count == 7' '^20.*assert(count == 7);' \
      '^\$1 = [25]$' '^Next is step 1: main starts' '^\$2 = 0$' '^Next is step 4:' \
      '^Next is step 3:' '^main fails here' '^\$3 = [25]$'
}
check "a program that has changed: goto, step, back and continue" changed_back

changed_switch() {
  changed -ex 'heddle goto 4' -ex 'heddle switch main' -ex 'heddle switch main' \
    -ex 'heddle switch main' -ex 'heddle switch main' -ex 'heddle switch T1' \
    -ex 'heddle continue' -ex 'print count' &&
    in_order '^Next is step 4' '^The schedule is at its end' '^\$1 = 7$'
}
check "a program that has changed: switch" changed_switch

breakpoints() {
  debug lost.c 'heddle goto 1' 'break add' 'heddle continue' 'heddle continue' 'delete' 'heddle continue' &&
    in_order '^Breakpoint 1.* add (' '^Breakpoint 1.* add (' '^main fails here'
}
check "breakpoints of the user" breakpoints

[ $failures = 0 ]
