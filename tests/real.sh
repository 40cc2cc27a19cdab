#!/bin/bash
# What real threads do is among what heddle lists: `heddle judge` over the
# programs of tests/native, the examples and some of the papers'.  In the head of
# a program:
#
#   // real no: REASON           what it asserts holds only under heddle
#   // real sequential: REASON   only without optimisation, on one processor
#
# Programs that heddle refuses or does not explore to the end are left out, and
# unless ALL=1 those that misuse memory or primitives: nothing is demanded of
# them.  RUNS and COMPILERS say how much is run.
cd "$(dirname "$0")/.." || exit 1
. tests/each.sh

runs=${RUNS:-25}
compilers=${COMPILERS:-gcc -O2,clang -O0}
export runs compilers

# Without races=off, since a program with a data race may do anything, and
# without limits that are meant for one algorithm.
options_of() { # SOURCE
  sed -n 's/^\/\/ \(options\|libs\) //p' "$1" |
    sed 's/--races=[a-z]*//; s/--max-steps=[0-9]*//; s/--verify//'
}

# In a folder of its own, since on real threads a program's files are real.
one() { # SOURCE
  local name code top=$PWD folder=$scratch/real options more=
  name=$(basename "$1" .c)
  options=$(options_of "$1")
  grep -q '^// real sequential: ' "$1" && more=--sequential
  mkdir -p "$folder/$name"
  ln -sfn "$top/tests" "$folder/$name/tests"
  cd "$folder/$name" || exit
  timeout 100 $HEDDLE judge "$top/$1" --runs "$runs" --compilers "$compilers" \
    $more $options >"$folder/$name.txt" 2>&1
  code=$?
  cd "$top" || exit
  if [ $code = 0 ]; then
    echo "ok - real $name"
    rm -rf "$folder/$name.txt" "${folder:?}/$name"
  else
    cat "$folder/$name.txt"
    echo "not ok - real $name: exit code $code ($HEDDLE judge $1 $more" \
      "$options)"
  fi
}
export -f one options_of

left_out='^// (real no: |expect (refused|incomplete|error nondeterminism)'
[ "${ALL:-}" = 1 ] || left_out+='|expect error (misuse|memory)'
papers=$(printf 'bench/papers/%s.c\n' boundedbuffer disp floatingread \
  lastzero mpat peterson pol running)
grep -LE "$left_out)" tests/native/*.c examples/*.c $papers |
  grep -F -- "${1:-}" | each one
