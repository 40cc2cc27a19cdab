#!/bin/bash
# heddle check and heddle replay: verdicts, exit codes, bad input, error files,
# signals.  Run alone: tests/cli/check.sh
set -u
here=$(cd "$(dirname "$0")/../.." && pwd)
. "$here/tests/soon.sh"
HEDDLE=${HEDDLE:-$here/build/heddle}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/tmp" "$work/state"
export TMPDIR=$work/tmp XDG_STATE_HOME=$work/state LC_ALL=C
failures=0

# check NAME COMMAND...: the command must succeed, in a new folder.
check() {
  local name=$1 log=$work/log
  shift
  rm -rf "$work/here" && mkdir "$work/here"
  if (cd "$work/here" && write_programs && "$@") >"$log" 2>&1; then
    echo "ok - check: $name"
  else
    echo "not ok - check: $name"
    sed 's/^/  /' "$log"
    failures=$((failures + 1))
  fi
}

write_programs() {
  cat >lost.c <<'C'
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
struct { int count[2]; } shared;
static void *worker(void *p) {
  shared.count[1]++;
  return p;
}
int main(int argc, char **argv) {
  pthread_t a, b;
  pthread_create(&a, 0, worker, 0);
  pthread_create(&b, 0, worker, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  printf("%s: %d\n", argc > 1 ? argv[1] : "count", shared.count[1]);
  assert(shared.count[1] == 2);
}
C
  cat >safe.c <<'C'
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int count;
static void *worker(void *p) {
  pthread_mutex_lock(&lock);
  printf("%d", (int)(long)p);
  count++;
  pthread_mutex_unlock(&lock);
  return 0;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, worker, (void *)1);
  pthread_create(&b, 0, worker, (void *)2);
  pthread_join(a, 0);
  pthread_join(b, 0);
  assert(count == 2);
}
C
  # Far too many executions to see the end.
  cat >endless.c <<'C'
#include <pthread.h>
#include <stdatomic.h>
static atomic_int x;
static void *worker(void *p) {
  for (int i = 0; i < 12; i++)
    atomic_exchange(&x, i);
  return p;
}
int main(void) {
  pthread_t t[4];
  for (int i = 0; i < 4; i++)
    pthread_create(&t[i], 0, worker, 0);
  for (int i = 0; i < 4; i++)
    pthread_join(t[i], 0);
}
C
}

# exits CODE COMMAND...: output in `out` and `err`.
exits() {
  local wanted=$1 code
  shift
  "$@" >out 2>err
  code=$?
  [ $code = "$wanted" ] && return
  echo "exit code $code, not $wanted: $*"
  cat out err
  return 1
}

# first LINE-PATTERN: of the report's first line.
first() {
  head -1 out | grep -qE -e "$1" && return
  echo "first line: $(head -1 out), not $1"
  return 1
}

# ---- verdicts ---------------------------------------------------------------

safe() {
  exits 0 "$HEDDLE" check safe.c &&
    first '^SAFE: no error exists: 2 executions, 0 blocked, ' &&
    exits 0 "$HEDDLE" check --quiet safe.c && [ "$(wc -l <out)" = 1 ]
}
check "a safe program" safe

failing() {
  exits 1 "$HEDDLE" check --full lost.c &&
    first '^ERROR: assertion failed: shared.count\[1\] == 2 \(lost.c:16\)$' &&
    grep -qE '^ +[0-9]+ [> ] T1 worker +worker +lost.c:6 +writes shared.count\[1\] = 1$' out &&
    grep -qE '^ +[0-9]+ > T2 worker ' out &&
    grep -qx '  | count: 1' out &&
    grep -qx "replay: heddle replay $XDG_STATE_HOME/heddle/lost-.*\.error" out &&
    grep -q '^warning: data race: T1 .* shared.count\[1\] (lost.c:6), T2 ' out &&
    [ ! -s err ] && [ "$(ls)" = "$(printf '%s\n' endless.c err lost.c out safe.c)" ]
}
check "a failing program, and its schedule" failing

same_again() {
  exits 1 "$HEDDLE" check --keep-going --outcomes lost.c -- x && mv out one &&
    exits 1 "$HEDDLE" check --keep-going --outcomes lost.c -- x && cmp one out &&
    grep -qE '^ +[0-9]+  "x: 2\\n"$' out
}
check "two runs print the same bytes" same_again

races() {
  exits 1 "$HEDDLE" check --races=error lost.c && first '^ERROR: data race: T1' &&
    exits 1 "$HEDDLE" check --races=off lost.c && ! grep 'data race' out
}
check "--races" races

# A loop that waits has read more than its next step reads.
races_in_loop() {
  cat >loop.c <<'C'
#include <pthread.h>
static int a, b;
static void *wait(void *p) {
  for (;;) {
    int x = a;
    int y = b;
    if (x & y)
      return p;
  }
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, wait, 0);
  a = 1;
  b = 1;
  pthread_join(t, 0);
}
C
  exits 0 "$HEDDLE" check loop.c && ! grep 'a thread accesses' out &&
    [ "$(grep -c '^warning: data race: .* a (loop.c:5)' out)" = 1 ] &&
    [ "$(grep -c '^warning: data race: .* b (loop.c:6)' out)" = 1 ] &&
    [ "$(grep -c '^warning' out)" = 2 ]
}
check "the places of races in a loop that waits" races_in_loop

# Found by a search with steps that commute; a replay takes them one by one.
races_hidden() {
  cat >twice.c <<'C'
#include <pthread.h>
static int x, y[2];
static void *write(void *p) {
  x = 1;
  x = 2;
  return p;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, write, 0);
  y[0] = x;
  pthread_join(t, 0);
}
C
  exits 0 "$HEDDLE" check --algo cs twice.c &&
    [ "$(grep -c '^warning: data race: .* x (twice.c:11)' out)" = 2 ] &&
    exits 1 "$HEDDLE" check --algo cs --races error --keep-going \
      --error-file error twice.c &&
    exits 1 "$HEDDLE" replay error && exits 1 "$HEDDLE" replay error.2
}
check "races that a later write hides" races_hidden

limits() {
  exits 3 "$HEDDLE" check --max-executions 5 endless.c &&
    first '^INCOMPLETE: .*: no error so far: ' &&
    exits 3 "$HEDDLE" check --max-steps=10 endless.c && first '^INCOMPLETE: ' &&
    exits 3 "$HEDDLE" check --time-limit=1 endless.c &&
    first '^INCOMPLETE: .*1 s'
}
check "limits make it incomplete" limits

as_printed() {
  exits 3 "$HEDDLE" check --as-printed safe.c &&
    first '^INCOMPLETE: --as-printed' || return
  for algorithm in cs optimal-cs optimal-cs-ob; do
    exits 3 "$HEDDLE" check --algo $algorithm --as-printed safe.c &&
      first '^INCOMPLETE: --as-printed.*lose executions .docs/algorithms/as-printed.md.' &&
      exits 1 "$HEDDLE" check --as-printed --no-refine --algo=$algorithm lost.c ||
      return
  done
}
check "--as-printed is never safe" as_printed

algorithms() {
  local algorithm
  for algorithm in naive source optimal; do
    exits 0 "$HEDDLE" check --algo=$algorithm safe.c || return
    exits 1 "$HEDDLE" check --algo $algorithm lost.c || return
  done
}
check "every algorithm" algorithms

binary() {
  "$HEDDLE" cc lost.c -o lost || return
  exits 1 "$HEDDLE" check ./lost -- name && grep -qx '  | name: 1' out || return
  strip lost && exits 1 "$HEDDLE" check ./lost
}
check "a program built before, also stripped" binary

several_files() {
  echo 'int main(void) { return N; }' >a.c
  echo 'int unused;' >b.c
  echo '#define N OTHER' >n.h
  exits 0 "$HEDDLE" check -D OTHER=0 a.c b.c -I . -include n.h -Wall -O2 -pthread
}
check "several files and compiler options" several_files

stuck() {
  echo 'int main(void) { int unused = 0; for (;;) unused = 3 * unused + 1; }' >b.c
  exits 1 "$HEDDLE" check b.c && first '^ERROR: livelock: main goes round a loop for ever' || return 1
  echo 'volatile int x; int main(void) { int y = 0; for (;;) if ((y = 3 * y + 1) == 7) x = 1; }' >a.c
  exits 3 "$HEDDLE" check --loop-bound=1000000000000 a.c &&
    first '^INCOMPLETE: a step of main did not end' &&
    exits 3 "$HEDDLE" check a.c && first '^INCOMPLETE: --loop-bound=1000 stopped main'
}
check "a loop without operations" stuck

# ---- JSON -------------------------------------------------------------------

json() {
  exits 1 "$HEDDLE" check --keep-going --outcomes --json - lost.c || return
  jq -e '
    def numbered: # a local access belongs to the step before
      reduce .[] as $s ({number: 0, right: true};
        .number += (if $s.local then 0 else 1 end)
        | .right = (.right and $s.step == .number)) | .right;
    . as $r |
    [.verdict == "error", .complete == true,
     all("algorithm", "executions", "blocked", "steps", "threads", "max_depth",
         "time_s", "max_rss_kb", "version", "limit"; . as $key | $r | has($key)),
     (.errors[0] | .kind == "assertion", .file == "lost.c", .line == 16,
      .message == "shared.count[1] == 2", (.schedule | numbered),
      any(.schedule[]; .op == "write" and .variable == "shared.count[1]" and
                       .value == "1" and .function == "worker")),
     .warnings[0].kind == "race",
     [.outcomes[].output] == ["count: 2\n"]] | all or error(tostring)' out
}
check "--json -" json

json_file() {
  exits 0 "$HEDDLE" check --json result.json safe.c && first '^SAFE' &&
    [ "$(jq -r .verdict result.json)" = safe ] &&
    exits 2 "$HEDDLE" check --json missing/result.json safe.c &&
    cp lost.c kept.c && exits 2 "$HEDDLE" check --json kept.c safe.c &&
    cmp lost.c kept.c && grep -q 'kept.c: that is a program' err &&
    exits 0 "$HEDDLE" check --json /dev/null safe.c && [ -c /dev/null ]
}
check "--json FILE" json_file

# ---- bad input --------------------------------------------------------------

# refused PATTERN ARGUMENTS...: exit code 2 and a message.
refused() {
  local pattern=$1
  shift
  exits 2 "$HEDDLE" check "$@" && [ ! -s out ] && grep -qE -e "$pattern" err &&
    return
  echo "arguments: $*"
  cat out err
  return 1
}

bad_options() {
  refused '--max-steps 0: too small' --max-steps=0 safe.c &&
    refused '--max-steps -1' --max-steps -1 safe.c &&
    refused '--seed 99999999999999999999' --seed=99999999999999999999 safe.c &&
    refused '--races maybe.*off\|warn\|error' --races maybe safe.c &&
    refused 'did you mean --keep-going' --keep-goin safe.c &&
    refused 'whole number from 1' --algo=quasi=0 safe.c &&
    refused 'did you mean naive' --algo=naiv safe.c &&
    refused 'needs a value' safe.c --json &&
    refused 'takes no value' --quiet=yes safe.c &&
    refused 'heddle cc' -c safe.c && refused 'heddle cc' safe.c -o x
}
check "bad options" bad_options

bad_files() {
  mkdir folder && : >empty && cp safe.c safe.cc && "$HEDDLE" cc safe.c -o safe &&
    refused 'no file' && refused 'missing.c: No such file' missing.c &&
    refused 'folder' folder && refused 'neither a C file' empty &&
    refused 'not a C file' safe.cc &&
    refused 'not built with heddle cc' /bin/true &&
    refused 'checked alone' safe.c ./safe && refused 'checked alone' ./safe safe.c &&
    refused 'no effect' ./safe -DX && chmod -x safe && refused 'executed' ./safe
}
check "bad files" bad_files

compiler_error() {
  printf 'int main(void) { return y; }\n' >a.c
  refused "a.c:1:25: error: use of undeclared identifier 'y'" a.c &&
    echo 'int f(void); int main(void) { return f(); }' >a.c &&
    refused "undefined reference to \`f'" a.c
}
check "what the compiler says" compiler_error

external() {
  cat >a.c <<'C'
#include <stdlib.h>
int main(void) { return a64l("/") < 0; }
C
  refused 'a64l' a.c && exits 0 "$HEDDLE" check --allow-external=a64l a.c &&
    grep -qx 'trusted, not checked: a64l' out
}
check "--allow-external" external

# ---- replay -----------------------------------------------------------------

# Makes error.file for lost.c.
find_error() { exits 1 "$HEDDLE" check --error-file error.file lost.c "$@"; }

no_replay() { # PATTERN
  exits 2 "$HEDDLE" replay error.file && [ ! -s out ] && grep -q -e "$1" err && return
  cat err
  return 1
}

replay() {
  find_error -- arg && sed -n '1,/^replay:/p' out | sed '/^replay:/d' >wanted &&
    (cd / && "$HEDDLE" replay "$OLDPWD/error.file") >again
  [ $? = 1 ] && diff <(sed '/^$/d' wanted) <(sed '/^$/d' again)
}
check "replay shows the same" replay

replay_binary() {
  "$HEDDLE" cc lost.c -o lost &&
    exits 1 "$HEDDLE" check --error-file error.file ./lost &&
    exits 1 "$HEDDLE" replay error.file && first '^ERROR: assertion failed' &&
    touch lost && exits 1 "$HEDDLE" replay error.file &&
    "$HEDDLE" cc safe.c -o lost && no_replay 'changed' && rm lost && no_replay 'lost'
}
check "replay of a binary" replay_binary

changed() {
  find_error && touch lost.c && exits 1 "$HEDDLE" replay error.file && sed -i 's/count\[1\]++/count[0]++/' lost.c &&
    no_replay 'changed' && rm lost.c && no_replay 'lost.c'
}
check "a program that does something else is refused" changed

bad_error_files() {
  find_error && cp error.file good && head -c -10 good >error.file &&
    no_replay 'truncated' && sed 's/^schedule .*/schedule 1/' good >error.file &&
    no_replay 'damaged' && sed '1s/2/1/' good >error.file && no_replay 'version' &&
    cp lost.c error.file && no_replay 'not an error file' &&
    : >error.file && no_replay 'not an error file' && rm error.file &&
    no_replay 'No such file' && mkdir error.file && no_replay 'directory'
}
check "bad error files are refused" bad_error_files

several_errors() {
  cat >order.c <<'C'
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int first, second;
static void *worker(void *p) {
  first = 1;
  assert(!second);
  return p;
}
int main(void) {
  pthread_t a;
  pthread_create(&a, 0, worker, 0);
  second = 1;
  assert(!first);
}
C
  exits 1 "$HEDDLE" check --keep-going --error-file error.file order.c &&
    first '^ERROR: 2 different errors$' && [ -e error.file ] &&
    [ -e error.file.2 ] && exits 1 "$HEDDLE" replay error.file.2
}
check "one error file for each error" several_errors

state_folder() {
  XDG_STATE_HOME=/proc/nowhere exits 1 "$HEDDLE" check lost.c &&
    grep -q "^replay: heddle replay $TMPDIR/lost-" out && rm "$TMPDIR"/lost-*
}
check "no folder for error files" state_folder

under_gdb() {
  command -v gdb || return 0
  find_error -- arg &&
    "$HEDDLE" replay --gdb error.file -- -batch -ex 'print argv[1]' \
      -ex 'heddle goto 1' -ex 'break worker' -ex continue -ex bt >out 2>err
  grep -q 'main (argc=2' out && grep -q '"arg"' out &&
    grep -q '^#0  worker ' out && return
  cat out err
  return 1
}
check "replay --gdb" under_gdb

no_gdb() {
  find_error && mkdir bin && ln -s "$(command -v clang)" "$(command -v opt)" bin
  exits 2 env PATH="$PWD/bin" HEDDLE_CLANG="$(command -v clang)" \
    "$HEDDLE" replay --gdb error.file
  grep -q 'apt-get install gdb' err || grep -q 'heddle: ' err
}
check "no gdb" no_gdb

# ---- signals ----------------------------------------------------------------

interrupted() { # SIGNAL
  "$HEDDLE" check --status-file status endless.c >out 2>err &
  local pid=$!
  soon jq -e '.executions > 0' status
  kill "-$1" $pid
  wait $pid
  [ $? = 3 ] && first '^INCOMPLETE: interrupted: no error so far: [1-9]'
}
# A background job ignores SIGINT from the start: SIGTERM stands for both.
check "a signal gives the summary so far" interrupted TERM

interrupted_build() {
  {
    echo 'int x;'
    seq 1 20000 | sed 's/.*/void f&(void) { x += &; x *= 3; }/'
    echo 'int main(void) { return 0; }'
  } >a.c
  "$HEDDLE" check a.c >out 2>err &
  local pid=$!
  soon pgrep -P $pid
  kill -TERM $pid
  wait $pid
  [ $? = 2 ] && grep -q interrupted err
}
check "a signal while it compiles" interrupted_build

# If the run that confirms an error cannot show it, that is no second error.
interrupted_replay() {
  cat >deep.c <<'C'
#include <assert.h>
static int descend(volatile int *above, int n) {
  int here = *above + 1;
  assert(n);
  return descend(&here, n - 1) + here;
}
int main(void) {
  int top = 0;
  return descend(&top, 60000);
}
C
  "$HEDDLE" cc deep.c -o deep || return
  "$HEDDLE" check --status-file status ./deep >out 2>err &
  local pid=$!
  soon jq -e '.state == "ended"' status
  kill -TERM $pid
  wait $pid
  [ $? = 1 ] && first '^ERROR: assertion failed: n'
}
check "a signal while an error is run again" interrupted_replay

closed_output() {
  "$HEDDLE" check lost.c | head -1 | grep -q ERROR &&
    ! "$HEDDLE" check safe.c >/dev/full 2>err && grep -q 'standard output' err
}
check "output that cannot be written" closed_output

# As a command would write it that was built from other sources.
other_version() {
  { printf '!heddle1'; head -c 100000 /dev/zero; } >control
  "$HEDDLE" cc safe.c -o safe && ! HEDDLE_CONTROL=control ./safe 2>err &&
    grep -q 'of another version of heddle: build the program again' err
}
check "a program that was built with another heddle" other_version

check "nothing is left in TMPDIR" test -z "$(ls -A "$TMPDIR")"

# ---- the manual -------------------------------------------------------------

manual() {
  local option
  "$HEDDLE" check --help >help || return
  for option in $(grep -oE '^  --[a-z-]+' help); do
    grep -qF -- "Fl -${option#--}" "$here/man/heddle.1" ||
      { echo "$option is not in the manual"; return 1; }
  done
  for option in $(sed -n '/^algorithms:/,/^$/s/^  \([a-z-]*\) .*/\1/p' help); do
    grep -qx ".It Cm $option" "$here/man/heddle.1" ||
      { echo "algorithm $option is not in the manual"; return 1; }
  done
  exits 0 "$HEDDLE" replay --help
}
check "every option is in the manual" manual

exit $((failures > 0))
