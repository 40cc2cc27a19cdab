#!/bin/bash
# Limits hold, and reports name them; what a killed run leaves behind;
# programs that cannot be linked or run.  Run alone: tests/cli/limits.sh
group=limits
. "$(dirname "$0")/begin"

# exits CODE COMMAND...: leaves what it prints in out.
exits() {
  local code=$1
  shift
  timeout -k 1 120 "$@" >out 2>&1
  local got=$?
  head -50 out
  [ $got = "$code" ] || { echo "exit code $got, expected $code" && false; }
}

# Counts up for ever; memory that only main uses.  With this option it is not
# stopped in its loop.
unbounded=--loop-bound=1000000000000
echo 'int x; int main(void) { for (;;) x++; }' >endless.c
# One choice leads to an execution of over 60 steps, the other to more shorter
# executions than there is time for: C(28, 14).
cat >both.c <<'C'
#include <heddle.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int x;
static void *count(void *n) {
  for (long i = 0; i < (long)n; i++)
    atomic_exchange(&x, (int)i);
  return 0;
}
int main(void) {
  pthread_t t;
  if (!heddle_choose(2))
    count((void *)100);
  pthread_create(&t, 0, count, (void *)14);
  count((void *)14);
  pthread_join(t, 0);
}
C
cat >many.model <<'M'
var x
p: x = 1; x = 2; x = 3; x = 4; x = 5; x = 6; x = 7; x = 8
q: x = 1; x = 2; x = 3; x = 4; x = 5; x = 6; x = 7; x = 8
r: x = 1; x = 2; x = 3; x = 4; x = 5; x = 6; x = 7; x = 8
M

# ---- memory -----------------------------------------------------------------

# The hostile build has two copies of what grows while it grows.
memory() {
  local most=102400
  [[ ${CPPFLAGS:-} == *HOSTILE* ]] && most=128000
  exits 3 "$HEDDLE" check $unbounded --memory-limit=100M --json json endless.c &&
    grep '^INCOMPLETE: memory limit of 100 MB reached: ' out &&
    [ "$(jq .max_rss_kb json)" -le $most ]
}
check "the memory limit holds" memory

# Wakeup trees of MPC(4,4) would take over 100 MB: `pop` takes over.  In the
# hostile build it does so at once, and 2958 executions suffice.
trees() {
  local size=4 executions=204120
  [[ ${CPPFLAGS:-} == *HOSTILE* ]] && size=5 executions=2958
  exits 0 "$HEDDLE" check -DP=$((executions > 9999 ? 4 : 3)) -DW=$size --algo optimal \
    --races=off --hunt=off --json json "$here/bench/papers/mpc.c" &&
    [ "$(jq -c '[.algorithm, .executions, .blocked]' json)" = "[\"optimal\",$executions,0]" ] &&
    [ "$(jq .max_rss_kb json)" -le 50000 ]
}
check "the memory of optimal does not grow" trees

# There are more states than fit, so that states are dropped: more than the one
# execution is complete then (docs/algorithms/stateful.md), and nothing else
# changes.  (The hostile build drops states after a few.)
dropping() {
  [[ ${CPPFLAGS:-} != *HOSTILE* ]] || return 0
  "$HEDDLE" cc -DN=13 "$here/bench/stateful/counters.c" -o counters || return
  exits 0 "$HEDDLE" check counters --algo stateful --races=off --hunt=off \
    --memory-limit=8M --json json && grep '^SAFE: ' out &&
    [ "$(jq .max_rss_kb json)" -le 8192 ] && [ "$(jq .executions json)" -gt 1 ]
}
check "stored states are dropped at the memory limit" dropping

sizes() {
  local bad
  for bad in x 1X -1 '' 5MB 99999999999G; do
    exits 2 "$HEDDLE" check --memory-limit="$bad" endless.c &&
      grep "^heddle: --memory-limit $bad: not a size" out || return
  done
  exits 2 "$HEDDLE" check --memory-limit=1K endless.c && grep 'too small' out
}
check "bad sizes are refused" sizes

# ---- reasons ----------------------------------------------------------------

reasons() {
  exits 3 "$HEDDLE" check --max-steps=60 both.c --max-executions=5 &&
    grep '^INCOMPLETE: --max-steps, --max-executions: ' out &&
    exits 3 "$HEDDLE" check --max-steps=60 --time-limit=1 --states=off both.c &&
    grep '^INCOMPLETE: time limit of 1 s reached, --max-steps: ' out &&
    exits 3 "$HEDDLE" check --time-limit=1 --states=off both.c &&
    grep '^INCOMPLETE: time limit of 1 s reached: ' out &&
    exits 3 "$HEDDLE" check --preemptions=0 --max-executions=5 --max-steps=60 \
      --algo naive both.c &&
    grep '^INCOMPLETE: --max-steps, --preemptions: ' out &&
    exits 3 "$HEDDLE" check --max-executions=5 many.model &&
    grep '^INCOMPLETE: --max-executions: ' out &&
    exits 3 "$HEDDLE" check --time-limit=1 many.model &&
    grep '^INCOMPLETE: time limit of 1 s reached: ' out
}
check "every limit that was reached is named" reasons

# A loop that writes in each round has no last one.  Algorithms that go through every
# round have no end with any loop.
cat >loop.model <<'M'
var x
p: loop { a = fadd(x, 1) }
M
model_loops() {
  exits 3 "$HEDDLE" check --max-steps=100 loop.model &&
    grep '^INCOMPLETE: --max-steps: ' out &&
    exits 2 "$HEDDLE" check --algo cs --as-printed loop.model && grep "'loop'" out
}
check "models with loops end or are refused" model_loops

cat >endless.model <<'M'
var x
data d
p: loop { a = x }
q: d = 1
M
model_endless() {
  exits 2 "$HEDDLE" check endless.model && grep 'use --algo stateful' out &&
    exits 1 "$HEDDLE" check --algo stateful endless.model && grep livelock out
}
check "models with loops and data need stored states" model_endless

# ---- steps that do not end --------------------------------------------------

cat >stuck.c <<'C'
#include <pthread.h>
static void *spin(void *u) {
  unsigned i = 1;
  while (i)
    i += 2;
  return u;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, spin, 0);
  pthread_join(t, 0);
}
C
stuck() {
  exits 3 "$HEDDLE" check $unbounded stuck.c &&
    grep '^INCOMPLETE: a step of T1 spin did not end within 10 s: a loop without any visible operation in spin (stuck.c:[45]): ' out
}
check "a step that does not end has thread and line" stuck

# ---- loops without end ------------------------------------------------------

endless() {
  exits 3 "$HEDDLE" check --json json endless.c &&
    grep '^INCOMPLETE: --loop-bound=1000 stopped main in the loop at endless.c:1: no error so far: 1 execution, ' out &&
    [ "$(jq -r .limit json)" = '--loop-bound=1000 stopped main in the loop at endless.c:1' ] &&
    exits 3 "$HEDDLE" check --loop-bound=5 stuck.c &&
    grep '^INCOMPLETE: --loop-bound=5 stopped T1 spin in the loop at stuck.c:4: ' out &&
    exits 2 "$HEDDLE" check --loop-bound=0 stuck.c && grep 'too small' out
}
check "a loop without end is named" endless

# ---- assumptions ------------------------------------------------------------

cat >vacuous.c <<'C'
#include <assert.h>
#include <heddle.h>
int main(void) { heddle_assume(0); assert(0); }
C
cat >some.c <<'C'
#include <heddle.h>
int main(void) { heddle_assume(heddle_choose(3) == 1); }
C
assumptions() {
  exits 0 "$HEDDLE" check --json json vacuous.c &&
    grep '^SAFE: no execution passed the assumptions: 1 execution, 1 of them cut by an assumption, ' out &&
    jq -e '.assumed == 1 and .vacuous == true' json &&
    exits 0 "$HEDDLE" check --json json some.c &&
    grep '^SAFE: no error exists: 3 executions, 2 of them cut by an assumption, ' out &&
    jq -e 'has("vacuous") | not' json
}
check "what assumptions cut is counted apart" assumptions

# ---- long schedules ---------------------------------------------------------

cat >long.c <<'C'
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int x;
static void *count(void *u) {
  for (int i = 0; i < 300; i++)
    x++;
  return u;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, count, 0);
  pthread_join(t, 0);
  x = 0;
  assert(x);
}
C
cat >overflow.c <<'C'
#include <string.h>
static int deeper(int n) {
  char b[1000];
  memset(b, n, sizeof b);
  return deeper(n + 1) + b[5];
}
int main(void) { return deeper(0); }
C
folded() {
  exits 1 "$HEDDLE" check --json json --full long.c &&
    grep '\.\.\. 297 more of count() \.\.\.' out &&
    [ "$(wc -l <out)" -lt 30 ] && [ "$(jq '[.errors[].schedule[] | select(.op == "rmw")] | length' json)" = 300 ] &&
    exits 1 "$HEDDLE" check --full overflow.c &&
    grep '^ERROR: crash: stack overflow (overflow.c:' out &&
    [ "$(wc -l <out)" -lt 30 ] &&
    exits 1 "$HEDDLE" check long.c && [ "$(wc -l <out)" -lt 20 ] &&
    exits 1 "$HEDDLE" check overflow.c && [ "$(wc -l <out)" -lt 20 ]
}
check "steps that come again and again are folded" folded

# The numbers in the schedule are those of the search: accesses to memory of one
# thread only are no steps of their own.  (Main is not alone at the end, where
# its reads would be none.)
cat >numbers.c <<'C'
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static int own[2];
static atomic_int x;
static void *run(void *u) {
  own[0]++;
  x = 1;
  return u;
}
static void *nothing(void *u) { return u; }
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, nothing, 0);
  pthread_create(&t, 0, run, 0);
  pthread_join(t, 0);
  assert(!x);
}
C
numbers() {
  local last
  exits 1 "$HEDDLE" check --full --races=off --error-file error numbers.c &&
    last=$(sed -n 's/^ *\([0-9]*\) .*reads x = 1$/\1/p' out) &&
    [ -n "$last" ] && grep ", $last steps in the longest" out &&
    exits 1 "$HEDDLE" check --races=off --max-steps="$last" numbers.c &&
    exits 3 "$HEDDLE" check --races=off --max-steps=$((last - 1)) numbers.c &&
    exits 1 "$HEDDLE" replay --full error &&
    grep "^ *$last .*reads x = 1" out && exits 1 "$HEDDLE" replay error &&
    grep "^ *$last .*reads x = 1" out
}
check "steps have the same number everywhere" numbers

# ---- programs that cannot be checked ----------------------------------------

echo 'int f(void); int f(void) { return 0; }' >nomain.c
cat >one.c <<'C'
#include <unistd.h>
void other(void);
int main(int argc, char **argv) {
  (void)argv;
  if (argc > 5)
    sethostname("a", 1);
  acct(0);
  other();
}
C
cat >two.c <<'C'
#include <unistd.h>
void other(void);
void other(void) {
  vhangup();
  acct(0);
}
C
no_main() {
  exits 2 "$HEDDLE" check nomain.c && grep 'there is no main' out &&
    ! grep '/ld:' out &&
    exits 2 "$HEDDLE" cc two.c && grep 'there is no main' out &&
    exits 0 "$HEDDLE" cc -shared -fPIC two.c -o two.so
}
check "there is no main" no_main

refused() {
  exits 2 "$HEDDLE" check one.c two.c &&
    grep '^heddle: call of acct, which heddle does not know' out &&
    grep '^  sethostname: one.c:6: ' out && grep '^  acct: one.c:7, two.c:5: ' out &&
    grep '^  vhangup: two.c:4: ' out &&
    exits 2 "$HEDDLE" check --allow-external=sethostname one.c two.c &&
    ! grep '^  sethostname' out
}
check "calls that are refused are listed at once" refused

unseen() {
  printf '.globl f\nf: ret\n.section .note.GNU-stack,"",@progbits\n' >low.s
  echo 'int g(void) { return 0; }' >g.c
  echo 'void f(void); int g(void); int main(void) { f(); return g(); }' >m.c
  cc -c g.c -o g.o && ar rcs libg.a g.o &&
    exits 2 "$HEDDLE" check m.c low.s libg.a &&
    grep 'contains low.s, which was not compiled by heddle cc' out &&
    grep 'contains libg.a, which was not compiled by heddle cc' out
}
check "files that are not seen are listed by their own names" unseen

descriptors() {
  local n
  for n in 8 16 64; do
    (ulimit -n $n && exits 2 "$HEDDLE" check some.c) &&
      grep "only $n files may be open at a time.*ulimit -n" out || return
  done
  (ulimit -S -n 16 && exits 0 "$HEDDLE" check some.c)
}
check "few descriptors" descriptors

small_stack() {
  (ulimit -s 64 && exits 2 "$HEDDLE" check some.c) &&
    grep "stack is limited to 64 KB.*ulimit -s" out &&
    (ulimit -S -s 64 && exits 0 "$HEDDLE" check some.c)
}
check "a small stack" small_stack

# No program fits into 8 blocks; the command survives to clean up.
small_files() {
  mkdir -p left &&
    (ulimit -f 8 && TMPDIR=$PWD/left HEDDLE_CACHE_DIR= exits 2 "$HEDDLE" check some.c) &&
    [ -z "$(ls left)" ]
}
check "files may not grow" small_files

quoted() {
  mkdir -p "a b" && cp vacuous.c "a b/it's.c" &&
    sed -i 's/heddle_assume(0); //' "a b/it's.c" &&
    exits 1 "$HEDDLE" check "a b/it's.c" -- 'x  y' '$z' &&
    PATH=$(dirname "$HEDDLE"):$PATH \
      exits 1 sh -c "$(sed -n 's/^replay: //p' out)"
}
check "the replay command can be pasted into a shell" quoted

one_word() {
  exits 0 "$HEDDLE-cc" some.c -o some && exits 0 "$HEDDLE" check ./some
}
check "heddle-cc is heddle cc" one_word

# ---- killed -----------------------------------------------------------------

killed() {
  local signal pid
  for signal in TERM HUP INT KILL; do
    # A background job of a script would ignore SIGINT.
    env --default-signal=INT "$HEDDLE" check $unbounded endless.c >out 2>&1 &
    pid=$!
    soon pgrep -P $pid endless
    kill -$signal $pid
    wait $pid
    [ $signal = KILL ] || [ -z "$(ls tmp)" ] || { ls tmp && return 1; }
  done
  [ -n "$(ls tmp)" ] && touch -d '2 minutes ago' tmp/* &&
    exits 0 "$HEDDLE" check some.c && [ -z "$(ls tmp)" ]
}
check "a killed run leaves no folder behind" killed

[ $failures = 0 ]
