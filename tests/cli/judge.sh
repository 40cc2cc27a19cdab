#!/bin/bash
# heddle judge reports behaviour that is not listed.  heddle compiles with clang,
# so it does not know what a program does only if gcc has built it.
. "$(dirname "$0")/../soon.sh"
folder=$scratch/judge
mkdir -p "$folder"

program() { # NAME, the text on standard input
  {
    echo '#include <assert.h>'
    echo '#include <pthread.h>'
    echo '#include <stdatomic.h>'
    echo '#include <stdio.h>'
    echo '#include <stdlib.h>'
    cat
  } >"$folder/$1.c"
}

judges() { # NAME CODE TEXT [OPTION...]
  local name=$1 want=$2 text=$3 code
  shift 3
  timeout 300 $HEDDLE judge "$folder/$name.c" --seed 1 "$@" \
    >"$folder/$name.txt" 2>&1
  code=$?
  if [ $code = "$want" ] && grep -qF -- "$text" "$folder/$name.txt"; then
    echo "ok - judge $name $*"
  else
    cat "$folder/$name.txt"
    echo "not ok - judge $name $*: exit code $code, expected $want: $text"
  fi
}

program output <<'END'
int main(void) {
#ifdef __clang__
  puts("clang");
#else
  puts("gcc");
#endif
}
END
judges output 1 'the program prints "gcc\n"'
judges output 0 '1 of 1 outcomes seen' --compilers clang
judges output 1 'WRONG: heddle' --compilers 'gcc -O1' --quiet

program fails <<'END'
int main(void) {
#ifndef __clang__
  assert(0);
#endif
}
END
judges fails 1 'the program fails an assertion'

program crashes <<'END'
int main(void) {
#ifndef __clang__
  *(volatile int *)8 = 1;
#endif
}
END
judges crashes 1 'the program ends by signal 11'

program hangs <<'END'
int main(void) {
#ifndef __clang__
  pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
  pthread_mutex_lock(&m);
  pthread_mutex_lock(&m);
#endif
}
END
judges hangs 1 'the program never ends' --compilers 'gcc -O0'

program spins <<'END'
int main(void) {
#ifndef __clang__
  for (volatile int i = 0;; i++)
    ;
#endif
}
END
judges spins 1 'the program never ends' --compilers 'gcc -O0'

# With the delays an update is lost on real threads.
program loses <<'END'
static atomic_int n;
static void *add(void *unused) {
#ifdef __clang__
  atomic_fetch_add(&n, 1);
#else
  int old = atomic_load(&n);
  atomic_store(&n, old + 1);
#endif
  return unused;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, add, 0);
  add(0);
  pthread_join(t, 0);
  printf("%d\n", (int)n);
}
END
judges loses 1 'the program prints "1\n"' --runs 1000 --compilers 'gcc -O2'
judges loses 1 'the program prints "1\n"' --runs 1000 --compilers 'gcc' \
  --sequential

# Real threads show every outcome.
program orders <<'END'
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static void *say(void *text) {
  pthread_mutex_lock(&m);
  fputs(text, stdout);
  pthread_mutex_unlock(&m);
  return 0;
}
int main(int argc, char **argv) {
  pthread_t t, u;
  assert(argc == 2);
  pthread_create(&t, 0, say, "a");
  pthread_create(&u, 0, say, "b");
  say(argv[1]);
  pthread_join(t, 0);
  pthread_join(u, 0);
}
END
judges orders 0 '6 of 6 outcomes seen' --runs 1000 -- c

program races <<'END'
static int x;
static void *set(void *unused) {
#ifdef __clang__
  x = 1;
#else
  x = 2;
#endif
  return unused;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, set, 0);
  printf("%d\n", x);
  pthread_join(t, 0);
}
END
judges races 0 'note: the program prints "2\n"' --runs 500
judges races 1 'not listed: the program prints "2\n"' --runs 500 --strict

program chooses <<'END'
#include <heddle.h>
int main(void) {
  unsigned i = heddle_choose(3);
  heddle_assume(i);
  printf("%u\n", i);
}
END
judges chooses 0 '2 of 2 outcomes seen'
judges chooses 3 'INCOMPLETE' --max-executions 1

program refused <<'END'
#include <unistd.h>
int main(void) {
  return fork();
}
END
judges refused 2 'fork'
judges refused 2 'too small; use 1 or more' --runs 0
judges refused 2 "there is no 'nocc'" --compilers nocc
judges nothing 2 'No such file'

# An interrupted judge leaves nothing behind, neither files nor processes.
mkdir "$folder/tmp"
TMPDIR=$folder/tmp $HEDDLE judge "$folder/orders.c" --runs 1000000 -- c \
  >/dev/null 2>&1 &
soon pgrep -f "$folder/tmp"
kill -TERM $!
wait $! 2>/dev/null
code=$?
ended() { ! pgrep -f "$folder/tmp"; }
if [ $code = 143 ] && soon ended && [ -z "$(ls "$folder/tmp")" ]; then
  echo "ok - judge is interrupted and leaves nothing"
else
  ls -R "$folder/tmp"
  echo "not ok - judge is interrupted: exit code $code"
fi
