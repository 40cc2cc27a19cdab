#!/bin/bash
# Algorithms that run samples: random, pct=D, pos.  Run alone:
# tests/cli/sampling.sh
group=sampling
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
  local got
  got=$(jq -r ".$1" json)
  [ "$got" = "$2" ] || { echo "\"$1\" is $got, not $2" && false; }
}

# Two processes with two dependent steps each: 6 traces.
cat >together.model <<'M'
var x
p: x = 1; x = 2
q: x = 3; x = 4
M
cat >choice.model <<'M'
var x
p: a = choose(3); assert(a != 2)
q: x = 1
M
cat >race.c <<'C'
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int x;
static void *add(void *unused) {
  int seen = atomic_load(&x);
  atomic_store(&x, seen + 1);
  return unused;
}
int main(void) {
  pthread_t t[2];
  for (int i = 0; i < 2; i++)
    pthread_create(&t[i], 0, add, 0);
  for (int i = 0; i < 2; i++)
    pthread_join(t[i], 0);
  assert(x == 2);
}
C

# A hundred runs miss one of six traces with a chance below 10^-6; the seed is
# fixed.
sees_all() { # ALGORITHM
  explore 3 together.model --algo "$1" --max-executions 100 &&
    has executions 100 && has traces 6 && has complete false &&
    grep -q 'ran samples only' text
}

same_again() { # ALGORITHM
  explore 3 together.model --algo "$1" --max-executions 7 --sample-seed 5 &&
    cp json first &&
    explore 3 together.model --algo "$1" --max-executions 7 --sample-seed 5 &&
    [ "$(jq .traces,.steps first)" = "$(jq .traces,.steps json)" ]
}

finds() { # ALGORITHM
  explore 1 race.c --algo "$1" && "$HEDDLE" replay error >replayed
  local code=$?
  cat replayed
  [ $code = 1 ] && grep -q 'x == 2' replayed
}

stops_by_itself() { # ALGORITHM
  explore 3 together.model --algo "$1" && has executions 100000
}

bound_is_told() {
  explore 3 together.model --algo pct=3 --max-executions 50 &&
    grep -qF 'at least 1/(2*4^2)' text
}

for algorithm in random pct=3 pos; do
  check "$algorithm sees every trace" sees_all $algorithm
  check "$algorithm: the same seed, the same runs" same_again $algorithm
  check "$algorithm finds a lost update" finds $algorithm
done
check 'alternatives are drawn, too' explore 1 choice.model --algo random
check 'runs end by themselves' stops_by_itself random
check 'pct says how likely it finds an error' bound_is_told
exit $((failures > 0))
