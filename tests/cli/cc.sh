#!/bin/bash
# heddle cc as a compiler: what a build system expects of clang, and what the
# objects must contain.  Run alone: tests/cli/cc.sh
set -u
here=$(cd "$(dirname "$0")/../.." && pwd)
HEDDLE=${HEDDLE:-$here/build/heddle}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/tmp"
export TMPDIR=$work/tmp LC_ALL=C HEDDLE_CACHE_DIR=$work/cache
clang=${HEDDLE_CLANG:-clang}
command -v "$clang" >/dev/null || clang=$(ls /usr/lib/llvm-*/bin/clang | head -1)
failures=0

cc() { "$HEDDLE" cc "$@"; }

# check NAME COMMAND...: the command must succeed, in a new folder.
check() {
  local name=$1 log=$work/log
  shift
  rm -rf "$work/here" && mkdir "$work/here"
  if (cd "$work/here" && "$@") >"$log" 2>&1; then
    echo "ok - cc: $name"
  else
    echo "not ok - cc: $name"
    sed 's/^/  /' "$log"
    failures=$((failures + 1))
  fi
}

# Both must be the same; shows the difference.
same() { diff <(printf '%s\n' "$1") <(printf '%s\n' "$2"); }

hooks() { nm -u "$1" | awk '{ print $2 }'; }
called() { objdump -dr "$1" | grep -o 'heddle_hook_[a-z_]*' | xargs; }

write_project() {
  cat >main.c <<'C'
#include <stdio.h>
#include "part.h"
int main(void) {
  printf("%d %d %s\n", part_add(2), part_local(), NAME);
  return 0;
}
C
  cat >part.h <<'C'
int part_add(int);
int part_local(void);
extern _Thread_local int per_thread;
C
  cat >part.c <<'C'
#include "part.h"
static int sum = 40;
_Thread_local int per_thread = 7;
int part_add(int x) { return sum += x; }
C
  cat >local.c <<'C'
#include "part.h"
int part_local(void) { return ++per_thread; }
C
}

# ---- building projects ------------------------------------------------------

with_make() {
  write_project
  cat >Makefile <<'C'
CFLAGS = -O2 -Wall -Wextra -Werror -MMD -DNAME='"made"'
prog: main.o part.o local.o
	$(CC) $(LDFLAGS) -o $@ $^ $(LDLIBS)
-include main.d part.d local.d
C
  make CC="$HEDDLE cc" LDLIBS=-lm || return
  same "$(./prog)" "42 8 made" || return
  touch -d '+1 second' part.h
  make -n CC="$HEDDLE cc" | grep -q 'part\.c' # the dependency is known
}
check "a project of several files with make" with_make

in_one_command() {
  write_project
  cc -DNAME='"one"' main.c part.c local.c -o prog || return
  same "$(./prog)" "42 8 one" || return
  same "$(ls)" "$(printf '%s\n' local.c main.c part.c part.h prog)"
}
check "several sources in one command, nothing left behind" in_one_command

several_objects() {
  write_project
  mkdir src && mv ./*.[ch] src
  cc -c -DNAME='"x"' src/main.c src/part.c src/local.c || return
  same "$(ls)" "$(printf '%s\n' local.o main.o part.o src)" || return
  cc main.o part.o local.o && same "$(./a.out)" "42 8 x"
}
check "-c with several sources" several_objects

with_archive() {
  write_project
  cc -c -DNAME='"archive"' main.c part.c local.c || return
  ar rcs libpart.a part.o local.o
  cc main.o -L. -lpart -o prog && same "$(./prog)" "42 8 archive" || return
  ar rcs libmain.a main.o
  cc libmain.a libpart.a -o prog && same "$(./prog)" "42 8 archive"
}
check "archives, also one with main" with_archive

with_shared_library() {
  write_project
  cc -fPIC -shared -o libpart.so part.c local.c || return
  cc -DNAME='"shared"' main.c -o prog -L. -lpart -Wl,-rpath,"$PWD" || return
  same "$(./prog)" "42 8 shared" || return
  nm -D libpart.so | grep -q ' U heddle_hook_' || return
  ! nm prog | grep -q ' t part_add' # known: no stub
}
check "an instrumented shared library" with_shared_library

no_pie() {
  write_project
  cc -fno-pie -no-pie -DNAME='"fixed"' main.c part.c local.c -o prog &&
    same "$(./prog)" "42 8 fixed" &&
    cc -fPIE -pie -DNAME='"moved"' main.c part.c local.c -o prog &&
    same "$(./prog)" "42 8 moved"
}
check "position dependent and independent code" no_pie

with_lld() {
  command -v ld.lld || return 0
  write_project
  cc -fuse-ld=lld -DNAME='"lld"' main.c part.c local.c -o prog &&
    same "$(./prog)" "42 8 lld"
}
check "another linker" with_lld

relocatable() {
  write_project
  cc -c -DNAME='"r"' main.c part.c local.c &&
    cc -r -nostdlib -o both.o part.o local.o &&
    cc main.o both.o -o prog && same "$(./prog)" "42 8 r"
}
check "-r" relocatable

response_file() {
  write_project
  cat >args <<'C'
-DNAME="\"a b\"" 'main.c'
part.c local.c @more
C
  echo "-o prog" >more
  cc @args && same "$(./prog)" "42 8 a b"
}
check "response files" response_file

# ---- single steps -----------------------------------------------------------

dependencies() {
  write_project
  mkdir out
  local flags
  for flags in "-MMD -c part.c" "-MD -c part.c -o out/x.o" "-MMD -MP -c part.c" \
    "-MMD -MF dep -c part.c" "-MMD -MT target -c part.c" "-MM part.c" \
    "-M -MT x part.c" "-Wp,-MMD,dep -c part.c -o out/y.o" \
    "-MMD -MQ a\$b -MF dep -c part.c"; do
    rm -rf a b
    mkdir a b && cp ./*.[ch] a && cp ./*.[ch] b && mkdir a/out b/out
    (cd a && "$clang" $flags >stdout)
    (cd b && cc $flags >stdout)
    echo "$flags"
    # The system's headers are the same; objects are not.  Blank lines, which
    # some versions print, mean nothing to make.
    diff -rB --exclude='*.o' a b && same "$(cd a; find)" "$(cd b; find)" || return
  done
}
check "dependency files as clang's" dependencies

preprocess() {
  printf '#include <heddle.h>\nint x = __HEDDLE__;\n' >a.c
  : >heddle.h
  cc -I. -E a.c | grep -q 'int x = 1;' || return
  echo 'int y;' | cc -E -x c - | grep -q 'int y;'
}
check "-E, and __HEDDLE__" preprocess

own_header() {
  [ -e "$here/include/heddle.h" ] || return
  printf '#include <heddle.h>\nint main(void) { return 0; }\n' >a.c
  cc -Wall -Werror -c a.c
}
check "heddle.h is found" own_header

assembler() {
  echo 'int x = 1; int f(void) { return x; }' >f.c
  cc -S f.c && grep -q heddle_hook_read f.s || return
  printf '#define VALUE 5\n.globl g\ng: mov $VALUE, %%eax\n ret\n' >g.S
  echo 'int f(void), g(void); int main(void) { return f() + g(); }' >main.c
  [ "$(uname -m)" = x86_64 ] || return 0
  cc main.c f.s g.S -o prog || return
  ./prog
  [ $? = 6 ]
}
check "-S and assembler inputs" assembler

bitcode() {
  echo 'int x; int main(void) { return x++; }' >a.c
  cc -emit-llvm -c a.c -o a.bc && cc a.bc -o prog && ./prog &&
    cc -c a.bc -o a.o && hooks a.o | grep -qx heddle_hook_write
}
check "LLVM bitcode" bitcode

standard_input() {
  echo 'int main(void) { return 3; }' | cc -x c - -o prog || return
  ./prog
  [ $? = 3 ] || return
  cc -c -x c /dev/null -o /dev/null && [ -c /dev/null ]
}
check "standard input, /dev/null" standard_input

queries() {
  same "$(cc --version)" "$("$clang" --version)" &&
    same "$(cc -dumpmachine)" "$("$clang" -dumpmachine)" &&
    same "$(cc -print-search-dirs)" "$("$clang" -print-search-dirs)" &&
    cc -v 2>&1 | grep -q version && cc --help | grep -q HEDDLE_CLANG
}
check "--version and other queries" queries

# ---- what is wrong ----------------------------------------------------------

compile_error() {
  printf 'int f(void) { return y; }\nint g(void) { int u; }\n' >a.c
  local ours theirs code
  ours=$(cc -Wall -c a.c 2>&1)
  code=$?
  theirs=$("$clang" -Wall -c a.c 2>&1)
  [ $code = $? ] && same "$ours" "$theirs" && [ ! -e a.o ] || return
  ours=$(cc -c missing.c 2>&1)
  code=$?
  theirs=$("$clang" -c missing.c 2>&1)
  [ $code = $? ] && same "$ours" "$theirs"
}
check "compile errors read as clang's" compile_error

no_input() {
  local ours theirs code
  ours=$(cc -c 2>&1)
  code=$?
  theirs=$("$clang" -c 2>&1)
  [ $code = $? ] && same "$ours" "$theirs" || return
  touch a.c b.c
  local words
  for words in "-c a.c b.c -o x" "-c a.c -o" "-c a.c -I" "-c a.c -x" \
    "-c a.c -MF" "a.c --no-such-option" "-c a.c -std=c1234"; do
    ours=$(cc $words 2>&1)
    code=$?
    theirs=$("$clang" $words 2>&1)
    [ $code = $? ] && same "$ours" "$theirs" || return
  done
  echo 'int main(void) { return 0; }' >./-a.c
  cc -o prog -- -a.c && ./prog
}
check "usage errors are clang's" no_input

link_error() {
  echo 'int f(void); int main(void) { return f(); }' >a.c
  local ours code
  ours=$(cc a.c -o prog 2>&1)
  code=$?
  [ $code = 1 ] && [ ! -e prog ] &&
    grep -q "a.c:1: undefined reference to \`f'" <<<"$ours" &&
    grep -q "linker command failed with exit code 1" <<<"$ours"
}
check "a missing function is a link error" link_error

refused() { # OPTION
  echo 'int main(void) { return 0; }' >a.c
  cc "$1" a.c -o prog 2>message
  [ $? = 2 ] && grep -q -e "^heddle: cc: $1" message
}
check "sanitizers are refused" refused -fsanitize=address
check "-static is refused" refused -static
check "-m32 is refused" refused -m32

wrong_assembly() {
  printf 'int main(void) {\n  __asm__("bogus %%%%0" : : "r"(1));\n}\n' >a.c
  TMPDIR=$PWD cc -c a.c 2>message
  [ $? = 1 ] && grep -q 'a.c:2:.*error:' message && [ ! -e a.o ] &&
    ! ls -d heddle-* 2>/dev/null
}
check "wrong assembly is a compile error" wrong_assembly

cxx() {
  echo 'int main() { return 0; }' >a.cc
  cc a.cc 2>message
  [ $? = 2 ] && grep -q 'C only' message
}
check "C++ is refused" cxx

no_compiler() {
  touch a.c
  HEDDLE_CLANG=/nowhere/clang cc -c a.c 2>message
  [ $? = 2 ] && grep -q HEDDLE_CLANG message || return
  HEDDLE_CLANG= PATH=/nowhere cc -c a.c 2>message
  [ $? = 2 ] && grep -q 'apt-get install clang' message
}
check "a missing compiler is named" no_compiler

dropped() {
  echo 'int main(void) { return 0; }' >a.c
  cc -O3 -flto -fprofile-arcs -ftest-coverage --coverage -pg -g0 -s \
    -D_FORTIFY_SOURCE=2 -Wall -Werror a.c -o prog && ./prog &&
    same "$(ls)" "$(printf 'a.c\nprog')" &&
    readelf -S prog | grep -q debug_info
}
check "options without effect" dropped

# ---- what objects contain ---------------------------------------------------

read_and_write() {
  echo 'int x; void f(void) { x++; }' >a.c
  cc -O2 -c a.c || return
  same "$(called a.o)" "heddle_hook_read heddle_hook_write"
}
check "x++ has a read hook and a write hook" read_and_write

each_access() {
  echo 'int x, y; int f(void) { x = 1; x = 2; y = x; return y + x; }' >a.c
  cc -O3 -c a.c || return
  same "$(called a.o | sed 's/heddle_hook_//g')" \
    "write write read write read read"
}
check "every access of the source is kept" each_access

hidden_from_sanitizers() {
  cat >a.c <<'C'
int x;
__attribute__((no_sanitize("thread"))) void f(void) { x = 1; }
#if __has_attribute(no_sanitize_thread)
__attribute__((no_sanitize_thread)) void g(void) { x = 1; }
#endif
C
  cc -Wall -Werror -c a.c || return
  same "$(called a.o)" "heddle_hook_write heddle_hook_write"
}
check "no function can hide" hidden_from_sanitizers

only_inline() {
  cat >a.c <<'C'
extern inline __attribute__((gnu_inline, always_inline)) int f(int x) {
  return x + 1;
}
int main(void) { return f(-1); }
C
  cc a.c -o prog && ./prog
}
check "functions that exist only inline" only_inline

library_calls() {
  cat >a.c <<'C'
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
struct big { long a[40]; } p, q;
int f(char *a, const char *b) {
  p = q;
  printf("x\n");
  printf("%s\n", b);
  strcpy(a, "abc");
  memmove(a, b, 4);
  return memcmp(a, b, 4) == 0 && strlen(b) && strcmp(a, "x") == 0;
}
C
  cc -O3 -D_FORTIFY_SOURCE=2 -c a.c || return
  local name
  for name in printf strcpy memcmp strlen strcmp; do
    hooks a.o | grep -qx $name || { echo "no call of $name"; return 1; }
  done
  hooks a.o | grep -qx heddle_hook_copy &&
    hooks a.o | grep -qx heddle_hook_move &&
    ! hooks a.o | grep -E '^(puts|putchar|.*_chk)$'
}
check "library calls keep their names" library_calls

wide_atomics() {
  [ "$(uname -m)" = x86_64 ] || return 0
  echo '_Atomic __int128 x; void f(void) { x++; }' >a.c
  cc -c a.c && same "$(hooks a.o | grep -v heddle_hooks)" \
    heddle_hook_update_unused
}
check "16-byte atomics" wide_atomics

thread_local_variables() {
  write_project
  cc -fPIC -c part.c local.c || return
  hooks part.o | grep -qx heddle_hook_thread_local ||
    hooks local.o | grep -qx heddle_hook_thread_local
}
check "thread-local variables go through the runtime" thread_local_variables

# Both compilers' code has variables that the other's uses.
thread_local_elsewhere() {
  cat >a.c <<'C'
#include <pthread.h>
#include <stdio.h>
extern _Thread_local int theirs, none __attribute__((weak));
_Thread_local int ours = 2;
int sum(void);
static void *thread(void *unused) {
  ours++, theirs++;
  return unused ? unused : (void *)(long)sum();
}
int main(void) {
  pthread_t t;
  void *result;
  pthread_create(&t, 0, thread, 0);
  pthread_join(t, &result);
  ours = 50;
  printf("%ld %d %d\n", (long)result, sum(), theirs);
  return 0;
}
C
  echo 'extern _Thread_local int ours; _Thread_local int theirs = 10;
    int sum(void) { return ours + theirs; }' >b.c
  "$clang" -c b.c -o b.o && cc a.c b.o -o prog && same "$(./prog)" "14 60 10" &&
    "$clang" -shared -fPIC b.c -o libb.so && cc a.c ./libb.so -o prog &&
    same "$(./prog)" "14 60 10" || return
  "$HEDDLE" check prog --allow-external=sum 2>err
  same "$?" 2 && grep -q 'thread-local variable that is defined in code' err &&
    cc -shared -fPIC b.c -o libb.so && cc a.c ./libb.so -o prog &&
    same "$(./prog)" "14 60 10" && "$HEDDLE" check --outcomes prog >out &&
    grep -q '"14 60 10\\n"' out && "$HEDDLE" check a.c ./libb.so
}
check "thread-local variables of other compilers' code" thread_local_elsewhere

# A handler of signals may be the first to use one.
thread_local_in_handler() {
  cat >a.c <<'C'
#include <signal.h>
#include <stdlib.h>
#include <sys/time.h>
static _Thread_local volatile int mine;
static volatile int all;
static void on_signal(int unused) { mine++, all++, (void)unused; }
int main(void) {
  struct itimerval often = {{0, 100}, {0, 100}};
  signal(SIGALRM, on_signal);
  setitimer(ITIMER_REAL, &often, 0);
  while (all < 200)
    free(malloc(10));
  return mine != all;
}
C
  cc a.c -o prog && timeout 20 ./prog
}
check "thread-local variables in a handler of signals" thread_local_in_handler

# ---- without heddle check ----------------------------------------------------

# Real threads: each waits for the other without giving up its processor, and a
# child process is a process of its own.
real_threads() {
  cat >a.c <<'C'
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>
static _Thread_local int own = 5;
static volatile int turn;
static volatile sig_atomic_t caught;
static void on_signal(int number) { caught = number; }
static void *other(void *unused) {
  for (int i = 1; i < 1000; i += 2) {
    while (__atomic_load_n(&turn, __ATOMIC_ACQUIRE) != i)
      ;
    own++;
    __atomic_store_n(&turn, i + 1, __ATOMIC_RELEASE);
  }
  return unused ? unused : (void *)(long)own;
}
int main(void) {
  pthread_t t;
  void *result;
  int status, fd[2];
  char c = 0;
  pthread_mutexattr_t robust;
  pthread_mutexattr_init(&robust);
  pthread_mutexattr_setrobust(&robust, PTHREAD_MUTEX_ROBUST);
  signal(SIGUSR1, on_signal);
  raise(SIGUSR1);
  pthread_create(&t, 0, other, 0);
  for (int i = 0; i < 1000; i += 2) {
    while (__atomic_load_n(&turn, __ATOMIC_ACQUIRE) != i)
      ;
    __atomic_store_n(&turn, i + 1, __ATOMIC_RELEASE);
  }
  pthread_join(t, &result);
  if (pipe(fd) || !fork())
    return write(fd[1], "x", 1) == 1 ? 7 : 8;
  wait(&status);
  printf("%ld %d %d %d %c\n", (long)result, own, caught == SIGUSR1,
         WEXITSTATUS(status), read(fd[0], &c, 1) == 1 ? c : '?');
  return 0;
}
C
  cc a.c -o prog && same "$(timeout 20 ./prog)" "505 5 1 7 x"
}
check "a program that is not checked has real threads" real_threads

# ---- names that the runtime needs itself --------------------------------------

# Every function of the C library that the runtime calls, also under a name that
# the build replaces (tests/symbols.sh has programs that define them).
needed() {
  {
    nm -u "$(dirname "$HEDDLE")/lib/heddle.o" | sed -n 's/.* \(.*\)@.*/\1/p'
    awk 'NF == 2 && $1 !~ /^#/ { print $1 }' "$here/src/system/native/base/real.map"
  } | sort -u
}

mentioned() {
  {
    echo '#include <stdlib.h>'
    needed | sed 's/.*/void f_&(void) __asm__("&");/'
    echo 'int main(void) { if (getenv("NOPE")) {'
    needed | sed 's/.*/f_&();/'
    echo '} return 0; }'
  } >a.c
  [ "$(needed | wc -l)" -gt 20 ] && "$HEDDLE" check a.c && cc a.c -o prog &&
    ./prog
}
check "a program may mention what the runtime calls" mentioned

# ---- what heddle does not know ----------------------------------------------

unknown_function() {
  cat >a.c <<'C'
#include <stdio.h>
#include <math.h>
long a64l(const char *);
int main(int argc, char **argv) {
  (void)argv;
  printf("%ld %g\n", a64l("/z"), sqrt(argc));
  return 0;
}
C
  cc a.c -o prog -lm || return
  "$clang" -w a.c -o plain -lm || return
  nm prog | grep -q ' t a64l$' || return  # a stub
  ! nm prog | grep ' t sqrt$' || return      # harmless
  same "$(./prog)" "$(./plain)"
}
check "an unknown function gets a stub and works in a plain run" unknown_function

# heddle links each program with libm.
unknown_without_library() {
  echo '#include <fenv.h>
    int f(void) { return fesetround(FE_TONEAREST); }' >f.c
  echo 'int f(void); int main(void) { return f(); }' >a.c
  cc f.c a.c -o prog && nm prog | grep -q ' t fesetround$' && ./prog || return
  "$HEDDLE" check a.c f.c 2>message
  [ $? = 2 ] && grep -q 'call of fesetround, which heddle does not know' message || return
  cc -fPIC -shared f.c -o libf.so && nm libf.so | grep -q ' t fesetround$'
}
check "unknown functions of libm without -lm" unknown_without_library

unknown_in_library() {
  echo 'long a64l(const char *); long f(void) { return a64l("/z"); }' >f.c
  echo '#include <stdio.h>
    long f(void); int main(void) { printf("%ld\n", f()); return 0; }' >a.c
  cc -fPIC -shared f.c -o libf.so && nm libf.so | grep -q ' t a64l$' || return
  cc a.c -o prog ./libf.so && "$clang" a.c f.c -o plain &&
    same "$(./prog)" "$(./plain)" || return
  cc -c f.c && ar rcs libf.a f.o && cc a.c libf.a -o prog &&
    nm prog | grep -q ' t a64l$' && same "$(./prog)" "$(./plain)"
}
check "unknown functions in libraries and archives" unknown_in_library

unseen_code() {
  echo 'int f(void) { return 0; }' >f.c
  echo 'int f(void); int main(void) { return f(); }' >a.c
  "$clang" -c f.c && cc a.c f.o -o prog && ./prog || return
  strings -n 3 prog | grep -q 'f\.o$' || return
  ar rcs libf.a f.o && cc a.c -L. -lf -o prog && strings prog | grep -q 'libf\.a$'
}
check "code that was compiled otherwise is noted" unseen_code

refused_when_checked() {
  cat >a.c <<'C'
long a64l(const char *);
int main(void) {
  return a64l("/") == 0;
}
C
  "$HEDDLE" check a.c 2>message
  [ $? = 2 ] && grep -q -e '--allow-external=a64l' message || return
  "$HEDDLE" check --allow-external=a64l a.c
}
check "an unknown function is refused by name when checked" refused_when_checked

# All at once, with places and advice: those that are not called, too.
refused_at_once() {
  cat >a.c <<'END'
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
int main(int count, char **words) {
  if (count > 1)
    popen(words[1], "r");
  if (count > 2)
    fork();
  return count > 3 ? (int)a64l(words[2]) : 0;
}
END
  "$HEDDLE" check a.c || return
  "$HEDDLE" check --refuse=mentioned a.c 2>message
  [ $? = 2 ] && grep -q 'popen: a.c:7: heddle checks one process' message &&
    grep -q 'a64l: a.c:10: not known; --allow-external=a64l' message &&
    grep -q 'fork: a.c:9: heddle checks' message &&
    ! "$HEDDLE" check --refuse=mentioned --allow-external=a64l a.c 2>message &&
    ! grep -q a64l message || return
  sed -i 's/count > 2/count/' a.c
  "$HEDDLE" check a.c 2>message
  [ $? = 2 ] && grep -q 'call of fork is not supported: heddle checks' message &&
    grep -q 'popen: a.c:7: ' message && "$HEDDLE" cc -o a a.c && ./a
}
check "functions that are refused are listed at once" refused_at_once

# libc's atexit and pthread_atfork, which the archive asks for, call others.
ends_from_archive() {
  cat >ends.c <<'END'
#include <pthread.h>
#include <stdlib.h>
static void nothing(void) {}
void ends(void) {
  atexit(nothing);
  pthread_atfork(nothing, nothing, nothing);
}
END
  echo 'void ends(void); int main(void) { ends(); return 0; }' >main.c
  "$HEDDLE" cc -c ends.c && ar rcs libends.a ends.o &&
    "$HEDDLE" cc -o ends main.c libends.a &&
    "$HEDDLE" check --refuse=mentioned ./ends
}
check "what atexit is made of is no mention" ends_from_archive

unseen_when_checked() {
  echo 'int f(void) { return 0; }' >f.c
  echo 'int f(void); int main(void) { return f(); }' >a.c
  "$clang" -c f.c && cc a.c f.o -o prog || return
  "$HEDDLE" check ./prog 2>message
  [ $? = 2 ] && grep -q -e 'f\.o' message || return
  printf '.globl f\nf: ret\n' >g.S
  "$HEDDLE" check a.c g.S 2>message
  [ $? = 2 ] && grep -q -e 'contains g\.S,.*--allow-external=g\.S' message
}
check "code that was compiled otherwise is refused when checked" \
  unseen_when_checked

inline_assembly() {
  [ "$(uname -m)" = x86_64 ] || return 0
  cat >a.c <<'C'
static int x;
static long tick(int *p) {
  { __asm__ volatile("rdtsc\n\tmovl %%eax, %0" : "=m"(*p) : : "eax", "edx"); }
  return *p;
}
int main(void) { return tick(&x) == 1; }
C
  "$HEDDLE" check a.c 2>message
  [ $? = 2 ] && grep -q \
    -e 'a.c:3: inline assembly "rdtsc.*(rdtsc).*--allow-external=tick' message ||
    return
  "$HEDDLE" check --allow-external=tick a.c || return
  cat >b.c <<'C'
__asm__(".globl something");
int main(void) {
  int one = 0;
  __asm__ volatile("" : : : "memory");
  __asm__ volatile("rep; nop" : : : "memory");
  __asm__ volatile("lock; addl $0, 0(%%rsp)\n\tmfence" : : : "memory", "cc");
  __asm__("addl $1, %0" : "+r"(one));
  return one - 1;
}
C
  "$HEDDLE" check b.c
}
check "inline assembly that is not understood is refused" inline_assembly

user_wins() {
  cat >a.c <<'C'
#include <stdlib.h>
int usleep(unsigned x) { return (int)x; }
size_t strlen(const char *s) { return s ? 5 : 0; }
int main(void) { return usleep(1) + (int)strlen("") == 6 ? 0 : 1; }
C
  cc -fno-builtin a.c -o prog && ./prog
}
check "the program's own definitions win" user_wins

# ---- tidiness ---------------------------------------------------------------

interrupted() {
  # A compilation that takes long: the signal comes in the middle.
  {
    echo 'int x;'
    seq 1 20000 | sed 's/.*/void f&(void) { x += &; x *= 3; }/'
  } >a.c
  "$HEDDLE" cc -c a.c &
  local pid=$!
  sleep 0.5
  kill -TERM $pid
  wait $pid
  [ $? = 143 ] && [ -z "$(ls -A "$TMPDIR")" ] && [ ! -e a.o ]
}
check "a signal leaves nothing behind" interrupted

check "nothing is left in TMPDIR" same "$(ls -A "$TMPDIR")" ""

# Words of gcc that clang does not know, as build systems give them.
of_gcc() {
  write_project
  cc -Wall -Werror -Wlogical-op -Wjump-misses-init -fno-tree-vrp -fipa-pta \
    -fvar-tracking -fdiagnostics-plain-output -Wp,-D_FORTIFY_SOURCE=3 \
    -DNAME='"x"' -ffast-math *.c -o program && [ "$("$HEDDLE" check ./program |
    grep -c SAFE)" = 1 ]
}
check "words of gcc" of_gcc

libtool_script() {
  printf '#! /bin/sh\n# Generated by libtool (GNU libtool)\n' >app
  chmod +x app
  "$HEDDLE" check ./app
  [ $? = 2 ] && "$HEDDLE" check ./app 2>&1 | grep -q 'libtool --mode=execute'
}
check "a script of libtool is no program" libtool_script

exit $((failures > 0))
