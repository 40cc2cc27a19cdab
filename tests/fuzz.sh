#!/bin/bash
# Random programs, every algorithm, against the judge: half a minute with fixed
# seeds, then ten seconds with one that nobody has tried, and five with accesses
# that overlap in part.
cd "$(dirname "$0")/.." || exit 1
mkdir -p "$scratch/fuzz"

fuzz() { # SEED SECONDS [OPTION]...
  local log=$scratch/fuzz/$1.log code
  $HEDDLE fuzz --seed "$1" --seconds "$2" --save "$scratch/fuzz" "${@:3}" \
    >"$log" 2>&1
  code=$?
  if [ $code = 0 ]; then
    tail -n 1 "$log" | sed "s/^/fuzz seed $1: /"
    echo "ok - fuzz seed $1"
  else
    cat "$log"
    echo "not ok - fuzz seed $1: exit code $code ($HEDDLE fuzz --seed $1 ${*:3})"
  fi
}

for seed in 1 2 3; do
  fuzz $seed 10
done
fuzz "$(od -An -N4 -tu4 /dev/urandom | tr -d ' ')" 10
fuzz 4 5 --profile halves,halves-contexts,halves-wide,halves-observers
