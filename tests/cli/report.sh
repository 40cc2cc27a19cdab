#!/bin/bash
# What a report shows, as text and as JSON.  Run alone: tests/cli/report.sh
set -u
here=$(cd "$(dirname "$0")/../.." && pwd)
HEDDLE=${HEDDLE:-$here/build/heddle}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export XDG_STATE_HOME=$work/state LC_ALL=C
cd "$work" || exit 1
cp "$here"/examples/*.c .
failures=0

check() { # NAME COMMAND...
  local name=$1
  shift
  if "$@" >log 2>&1; then
    echo "ok - report: $name"
  else
    echo "not ok - report: $name"
    sed 's/^/  /' log out
    failures=$((failures + 1))
  fi
}

# report FILE OPTION...: leaves `out` and `json`.
report() {
  "$HEDDLE" check --json json "$@" >out 2>err
  [ $? = 1 ]
}

shows() { # TEXT...: each is in a line of `out`
  local text
  for text in "$@"; do
    grep -qF -e "$text" out || { echo "lacks: $text" && return 1; }
  done
}

hides() { # TEXT...
  local text
  for text in "$@"; do
    ! grep -F -e "$text" out || return 1
  done
}

is() { # FILTER VALUE: of the error in `json`
  local value
  value=$(jq -r ".errors[0] | $1" json)
  [ "$value" = "$2" ] || { echo "$1 is $value, not $2" && return 1; }
}

# The step with a star in front of it is the critical one.
critical() { # WORDS
  grep -qE "^ +[0-9]+\*.*$1" out && is '.schedule[.critical].op' "$2"
}

queue() {
  report queue.c && shows 'sets up: creates T1 consumer, T2 consumer' \
    'reads q->len = 0 ' 'writes q->len: 0 -> 1 (T1 consumer read it at step' \
    'waits on q->not_empty' 'broadcasts q->not_empty: wakes T1 consumer' \
    'T1 consumer  fails; holds q->lock' \
    'in queue_take queue.c:35 < consumer queue.c:45' &&
    hides 'queue_new' 'reads q->head' && critical 'locks q->lock' lock &&
    [ "$(wc -l <out)" -lt 35 ] && report --full queue.c &&
    shows 'writes q->items[0] = 1' 'initialises q->lock' 'reads q->head = 0'
}
check "a wait without a loop" queue

deadlock() {
  report pool.c && shows 'T1 worker waits to lock account#1.lock, held by T2' \
    'locks from->lock [account#2]' 'locks from->lock [account#1]' \
    'waits to lock to->lock [account#1], held by T2 worker; holds from->lock' \
    'in transfer pool.c:47 < worker pool.c:57' \
    'account#1, account#2: 48 bytes allocated at pool.c:23' &&
    critical 'locks from->lock' lock && hides 'workers' 'balance'
}
check "locks in two orders" deadlock

freed() {
  report connection.c && shows 'reads table[1] = connection#2' \
    'frees connection#2 (T1 handler read it' 'writes table[1]: connection#2 -> NULL' \
    'connection#2: 24 bytes allocated at connection.c:21' \
    'warning: data race: T1 handler writes c->requests [connection#2]' &&
    critical 'frees' free && hides 'alice' 'connection_open' &&
    report --full connection.c && shows 'c->user [connection#2]: "bob"' \
    'writes c->state [connection#2] = CLOSING'
}
check "memory that another thread has freed" freed

json() {
  report pool.c && [ "$(jq .format json)" = 2 ] && is '.threads | length' 3 &&
    is '.threads[1] | .thread, .start, .state' $'T1\nworker\nwaits' &&
    is '.threads[1].stack[1].function' worker &&
    is '.schedule[.threads[1].holds[0].locked].variable' 'from->lock' &&
    is '[.objects[].name] | join(" ")' 'account#1 account#2 job#1 job#2' &&
    is '[.schedule[] | select(.reads_from) | .variable] | join(" ")' \
      'pool->jobs' &&
    is '. as $e | .schedule[] | select(.reads_from) |
      $e.schedule[.reads_from] | .before' 'job#2' &&
    is '[.schedule[] | select(.op == "create") | .target] | join(" ")' 'T1 T2' &&
    is '[.schedule[] | select(.shown)] | length' 4
}
check "JSON has what the text has" json

# Many steps of one kind are one line, long schedules lose their middle.
long() {
  cat >sweep.c <<'C'
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static char text[32];
static atomic_int ping, pong, done;
static void *writer(void *p) {
  for (const char *from = p, *at = from; *at; at++)
    text[at - from] = *at;
  done = 1;
  return 0;
}
static void *player(void *p) {
  for (int i = 1; i <= 100; i++) {
    while (pong != i - 1)
      ;
    ping = i;
  }
  return p;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, writer, "alice and bob");
  pthread_join(a, 0);
  int length = 0;
  for (; text[length]; length++)
    ;
  pthread_create(&b, 0, player, 0);
  for (int i = 1; i <= 100; i++) {
    while (ping != i)
      ;
    pong = i;
  }
  pthread_join(b, 0);
  assert(length == 0);
}
C
  report --races=off sweep.c && shows 'more like these: "alice and bob"' \
    'more lines like these ...' && [ "$(wc -l <out)" -lt 100 ] &&
    is '[.schedule[] | select(.variable == "ping" and .op == "store")] | length' 100
}
check "long schedules are short" long

# ---- replay of a program that has changed -----------------------------------

replays() { # CODE TEXT...
  "$HEDDLE" replay error >out 2>err
  [ $? = "$1" ] || { cat err && return 1; }
  cat err >>out
  shift
  shows "$@"
}

comments() {
  report --error-file error pool.c &&
    sed -i 's|^  struct pool \*pool = arg;|  // more to come\n\n&|' pool.c &&
    replays 1 'The program has changed' 'deadlock: main waits for the end of T1' \
      'locks from->lock [account#2]' 'waits to lock to->lock [account#1]'
}
check "replay after a comment was added" comments

prints() {
  sed -i '1i #include <stdio.h>
    s|^    transfer(job|    printf("a job of %ld\\n", job->amount);\n&|' pool.c &&
    replays 1 'deadlock: main waits for the end of T1' '  | a job of 20' &&
    report --error-file error pool.c && sed -i '/printf/d' pool.c &&
    replays 1 'deadlock: main waits for the end of T1' && hides 'a job of 20'
}
check "replay after a printf was added or removed" prints

departs() {
  sed -i 's|pthread_mutex_lock(&pool->lock)|pthread_mutex_trylock(\&pool->lock)|' \
    pool.c && replays 2 'leaves the recorded path at step 7: expected: T1 worker' \
    'locks pool->lock in pool_take (pool.c:38); but its next operation is' \
    'another: trylock in pool_take (pool.c:'
}
check "replay of another program says where it departs" departs

repaired() {
  cp "$here/examples/queue.c" . && report --error-file error queue.c &&
    sed -i 's|if (q->len == 0)|while (q->len == 0)|' queue.c &&
    replays 2 'has changed since this error was found'
}
check "replay of a program that was repaired" repaired

[ $failures = 0 ]
