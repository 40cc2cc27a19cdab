#!/bin/bash
# Programs in the ways of SV-COMP's categories, unchanged: svcomp/*.c have the verdicts
# that svcomp/*.yml expect.  The programs are our own; what is right follows from the
# conventions of the competition.  A number of threads without end is a limit.
cd "$(dirname "$0")/.." || exit 1

. tests/each.sh

one() { # TASK
  local name=${1##*/} all='found unknown' found
  name=${name%.yml}
  found=$($HEDDLE check -w --yml "$1" --nondet=0..2 --max-threads=4 2>&1)
  [ "$name" = ext_many_threads ] || all=': right$\|: not a property'
  if [ -n "$found" ] && ! grep -qv -- "$all" <<<"$found"; then
    echo "ok - svcomp $name"
  else
    echo "$found"
    echo "not ok - svcomp $name ($HEDDLE check --yml $1 --nondet=0..2)"
  fi
}
export -f one
ls tests/svcomp/*"${1:-}"*.yml | each one
