#!/bin/bash
# One search by several ranks of an MPI job, on this machine: the counts and the
# error of one process.  Skipped without Open MPI.  Run alone: tests/cli/mpi.sh
group=mpi
. "$(dirname "$0")/begin"
if ! command -v mpirun >/dev/null || [ ! -e "$(dirname "$HEDDLE")/lib/mpi.so" ]; then
  echo "mpi: skipped: heddle was built without Open MPI (libopenmpi-dev, openmpi-bin)"
  exit 0
fi
export OMPI_MCA_rmaps_base_oversubscribe=1 OMPI_ALLOW_RUN_AS_ROOT=1
export OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_btl_vader_single_copy_mechanism=none

# N threads write to one place: N! executions.  With FAIL, those fail in which
# the last three are 2, 0, 1.
cat >writers.c <<'C'
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
static atomic_int last, count;
static int order[N];
static void *run(void *n) {
  atomic_exchange(&last, (int)(long)n);
#ifdef FAIL
  order[atomic_fetch_add(&count, 1)] = (int)(long)n;
#endif
  return 0;
}
int main(void) {
  pthread_t t[N];
  for (long i = 0; i < N; i++)
    pthread_create(&t[i], 0, run, (void *)i);
  for (int i = 0; i < N; i++)
    pthread_join(t[i], 0);
#ifdef FAIL
  assert(!(order[N - 3] == 2 && order[N - 2] == 0 && order[N - 1] == 1));
#endif
  printf("%d", last);
}
C
"$HEDDLE" cc -DN=7 writers.c -o writers && "$HEDDLE" cc -g -DN=3 -DFAIL writers.c -o fails &&
  "$HEDDLE" cc -DN=3 writers.c -o few && "$HEDDLE" cc -DN=10 writers.c -o long || echo "not ok - $group: cc"

ranks() { # EXIT-CODE N COMMAND...: leaves the report in json
  local code=$1 n=$2
  shift 2
  rm -f json
  timeout 60 mpirun -n "$n" "$HEDDLE" "$@" --json json --error-file error >text 2>err
  local got=$?
  cat text err
  [ $got = "$code" ] || { echo "exit code $got, expected $code" && false; }
}

has() { # FILTER VALUE
  local got
  got=$(jq -c "$1" json)
  [ "$got" = "$2" ] || { echo "$1 is $got, not $2" && false; }
}

counts() {
  ranks 0 4 check -DN=7 writers.c --races=off --outcomes &&
    has '[.algorithm, .verdict, .executions, .blocked]' '["pop","safe",5040,0]' &&
    has '[.outcomes[].count] | unique' '[720]' && [ "$(grep -c SAFE text)" = 1 ]
}
check "as many executions, and each outcome as often" counts

# More ranks than processors, and more than there is work for: 8! executions.
crowd() {
  ranks 0 8 check -DN=8 writers.c --races=off && has '[.verdict, .executions, .blocked]' '["safe",40320,0]'
}
check "eight ranks on one machine" crowd

# Rank 0 asks all ranks back all the time, and writes what is left.
tiny() {
  rm -f cp
  ranks 0 4 check -DN=8 writers.c --races=off --verbose --checkpoint cp --checkpoint-every 0 &&
    has '[.verdict, .executions, .blocked]' '["safe",40320,0]' && [ ! -e cp ]
}
check "tiny units" tiny

# Steps are not compared: how many are taken again depends on who explores what.
stable='del(.time_s, .max_rss_kb, .steps, (.errors, .warnings)[].replay)'
same_error() {
  "$HEDDLE" check ./fails --minimize=off --hunt=off --algo naive --json one >text 2>&1
  ranks 1 3 check ./fails --minimize=off --algo naive && diff <(jq -S "$stable" one) <(jq -S "$stable" json)
}
check "the same first error, after as many executions" same_error

samples() {
  "$HEDDLE" check ./few --algo pct=3 --races=off --json one >text 2>&1
  ranks 3 3 check ./few --algo pct=3 --races=off && diff <(jq -S "$stable" one) <(jq -S "$stable" json)
}
check "samples: the same runs, and never SAFE" samples

classes() {
  ranks 0 3 check ./writers --algo dc --races=off && has '[.executions, .blocked]' '[5040,0]'
}
check "dc: the same classes" classes

# Parts go back to rank 0, which splits what is left again and again.
returns() { # ALGORITHM
  ranks 0 3 check -DN=8 writers.c --races=off --algo $1 --outcomes &&
    has '[.verdict, .executions, .blocked]' '["safe",40320,0]' &&
    has '[.outcomes[].count] | unique' '[5040]'
}
check "source, whose races reach above a part" returns source
check "dpor" returns dpor
completed() {
  ranks 0 4 check -DP=3 -DW=5 "$here/bench/papers/mpc.c" --races=off --algo source && has .executions 2958
}
check "the same complete executions" completed
erring() {
  ranks 1 3 check ./fails --minimize=off --algo source --keep-going && has '.errors | length' 1
}
check "the same errors" erring

# The processes of the ranks are children of mpirun's.
number_of() { # RANK: its process is in $rank
  for rank in $(pgrep -P "$(pgrep -P $pid)"); do
    tr '\0' '\n' <"/proc/$rank/environ" | grep -qx "OMPI_COMM_WORLD_RANK=$1" && return
  done
  return 1
}
begin() { # COMMAND...: three ranks; the process of the last one becomes rank, all pid
  rm -f json
  timeout 60 mpirun -n 3 "$HEDDLE" "$@" >text 2>&1 &
  pid=$!
  soon number_of 2
}

# It does not answer for a while.
slow() {
  begin check -DN=9 writers.c --races=off --json json && sleep 0.5
  kill -STOP $rank && sleep 0.5 && kill -CONT $rank
  wait $pid && has .executions 362880 || { cat text && false; }
}
check "a rank that is slow" slow

# A rank is killed: mpirun ends all.  What is left can be resumed.
killed() { # ALGORITHM
  rm -f cp
  begin check ./long --algo $1 --races=off --checkpoint cp --checkpoint-every 1 && soon test -e cp && rm cp
  kill -9 $rank
  wait $pid
  cat text
  grep -q INCOMPLETE text && [ -e cp ] &&
    ranks 3 3 resume cp --time-limit 1 && has '.executions > 1000' true && [ -e cp ]
}
check "a rank that is killed leaves a checkpoint" killed pop
check "and one of source" killed source

# Two ranks take it up, then one process.
resumed() {
  rm -f cp
  ranks 3 3 check -DN=9 writers.c --algo source --races=off --checkpoint cp --time-limit 1
  [ ! -e cp ] || ranks 3 3 resume cp --time-limit 1
  [ ! -e cp ] || "$HEDDLE" resume cp --json json >text 2>&1
  cat text
  has '[.complete, .executions]' '[true,362880]'
}
check "ranks and one process go on with it" resumed

refused() { # TEXT COMMAND
  local text=$1
  shift
  ranks 2 2 "$@" && [ "$(grep -cF -- "$text" err)" = 1 ]
}
check "another algorithm" refused 'mpirun: this algorithm cannot share' check ./writers --algo unfold
check "known states" refused 'use -j there' check ./writers --algo stateful
check "-j" refused 'more ranks instead of -j' check ./writers -j 2
check "a program that is not there" refused 'nothing.c: No such file' check nothing.c
exit $((failures > 0))
