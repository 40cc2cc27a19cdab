#!/bin/bash
# Names of the runtime, the program and the C library do not clash.
cd "$(dirname "$0")/.." || exit 1
work=$scratch/symbols
mkdir -p "$work"

# Only heddle_* and the interposed names are global in the runtime, and it asks
# for no name that a program may define.
if scripts/check-symbols "$BUILD/lib/heddle.o"; then
  echo "ok - symbols"
else
  echo "not ok - symbols"
fi

# All functions that the runtime calls, before and after they are renamed, without
# the names that C reserves; and two that it called earlier.
used() {
  awk 'NF == 2 && $1 !~ /^#/ { print $1 }' src/system/native/base/real.map
  nm -u --format=posix "$BUILD/lib/heddle.o" | sed 's/[@ ].*//'
  echo dlsym
  echo getauxval
}
names=$(used | grep -vE '^(_|heddle_|std(in|out|err)$)' | sort -u)

# A program that calls each of them if it gets a hundred arguments.
mentions() {
  echo "int main(int count, char **words) {"
  echo "  (void)words;"
  for name in $names; do
    echo "  { extern int $name(); if (count > 100) $name(); }"
  done
  echo "  return 0;"
  echo "}"
}

# A program has functions of these names, which the runtime must not call.
# (libc itself calls the program's malloc.)
defines() {
  for name in $(grep -vxE 'malloc|calloc|realloc|free' <<<"$names"); do
    echo "void $name(void) { __builtin_trap(); }"
  done
}

cat >"$work/threads.c" <<'END'
#include <assert.h>
#include <pthread.h>
static int x;
static void *add(void *unused) { x++; return unused; }
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, add, 0), pthread_create(&b, 0, add, 0);
  pthread_join(a, 0), pthread_join(b, 0);
#ifdef CHECKED
  assert(x == 2); /* not if one update is lost */
#endif
}
END
mentions >"$work/mentions.c"
defines >"$work/defines.c"

run() { # NAME EXIT-CODE COMMAND...
  local name=$1 want=$2
  shift 2
  timeout 60 "$@" >"$work/log" 2>&1
  local code=$?
  if [ $code = "$want" ]; then
    echo "ok - symbols: $name"
  else
    sed 's/^/  /' "$work/log"
    echo "not ok - symbols: $name: exit code $code, not $want ($*)"
  fi
}

flags="-w -fno-builtin"
for rollback in undo replay; do
  run "mentioned, $rollback" 0 $HEDDLE check $flags --rollback=$rollback \
    "$work/mentions.c"
  run "defined, $rollback" 1 $HEDDLE check $flags -DCHECKED --quiet \
    --rollback=$rollback --error-file "$work/error" "$work/threads.c" \
    "$work/defines.c"
done
run "defined, verified" 0 $HEDDLE check $flags --verify "$work/threads.c" \
  "$work/defines.c"
run "defined, replayed" 1 $HEDDLE replay "$work/error"
for program in mentions "threads defines"; do
  run "compiled: $program" 0 $HEDDLE cc $flags -o "$work/program" \
    $(printf "$work/%s.c " $program)
  run "run by hand: $program" 0 "$work/program"
done

# The table in the documents is that of the headers and the runtime.
if [ "$(getconf GNU_LIBC_VERSION)" != "glibc 2.36" ]; then
  echo "ok - symbols: table of functions # SKIP another C library"
elif diff <(scripts/function-table "$BUILD/lib/heddle.o") \
  <(grep '^|' docs/functions.md) >"$work/table"; then
  echo "ok - symbols: table of functions"
else
  sed 's/^/  /' "$work/table"
  echo "not ok - symbols: docs/functions.md differs from scripts/function-table"
fi

# Started by hand, every interposed function leads somewhere: to what libc exports
# or libm exports by default, or to a function of our own.  (Names of other versions
# of libc are left out.)
targets() {
  for library in libc.so.6 libm.so.6; do
    objdump -T "$(${CC:-gcc} -print-file-name=$library)"
  done | awk '/ DF| iD/ && $(NF - 1) !~ /^\(/ { print $NF }'
  nm "$BUILD/lib/heddle.o" | sed -n 's/.* heddle_plain_\(.*\)/\1/p'
}
lost=$(nm "$BUILD/lib/heddle.o" | awk '$2 == "W" { print $3 }' |
  sed 's/^heddle_//' | grep -vE '^(__isoc23_|cfree$)' | sort -u |
  comm -23 - <(targets | sort -u))
if [ -z "$lost" ]; then
  echo "ok - symbols: entries lead somewhere"
else
  echo "not ok - symbols: no function behind" $lost
fi

cat >"$work/handlers.c" <<'END'
#include <pthread.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>
static int status;
static void before(void) { status = 3; }
static void after(void) { status *= 5; }
static void leave(void) { _exit(status); }
int main(void) {
  int end = 0;
  pthread_atfork(before, after, after);
  at_quick_exit(leave);
  if (!fork())
    quick_exit(0);
  wait(&end);
  status = WEXITSTATUS(end) - status;
  atexit(leave);
  exit(1);
}
END
run "compiled: handlers" 0 $HEDDLE cc -o "$work/program" "$work/handlers.c"
run "run by hand: handlers" 0 "$work/program"
