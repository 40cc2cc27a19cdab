#!/bin/bash
# Native agreement: model programs are emitted as C with threads, compiled with
# heddle cc and checked natively by every algorithm whose counts are known.  The
# outcomes, failures, deadlocks and the number of executions must be those of
# the model.  The programs:
#  - two random ones of each profile, always the same, and one of each kind of
#    `halves`; not of `endless`, which only
#    `stateful` judges;
#  - tests/agree/*.model, which the generator does not make;
#  - tests/models/*.model, if they are small enough to be judged and come to an end
#    in other algorithms than `stateful`.
#
#   tests/run agree spin      profiles and models whose name has "spin"
cd "$(dirname "$0")/.." || exit 1
. tests/each.sh
seed=1403
programs=2

one() { # NAME, ARGUMENTS OF heddle fuzz...
  local name=$1 folder
  shift
  folder=$scratch/agree/$name
  mkdir -p "$folder"
  if $HEDDLE fuzz --native 1 --verify 0 --save "$folder" "$@" \
    >"$folder/result" 2>&1 && ! grep -q ' 0 checked natively' "$folder/result"
  then
    echo "ok - agree $name"
    rm -rf "$folder"
  else
    sed 's/^/  /' "$folder/result"
    echo "not ok - agree $name ($HEDDLE fuzz --native 1 $*)"
  fi
}
export -f one

profiles() {
  $HEDDLE fuzz --profile help 2>&1 | sed -n 's/.*--profile is one of//p' |
    tr ' ' '\n' | grep . | grep -v '^endless'
}

{
  profiles | grep -e "${1:-}" | while read -r profile; do
    case $profile in halves-*) count=1 ;; *) count=$programs ;; esac
    echo "random-$profile --profile $profile --seed $seed" \
      "--programs $count --jobs 1"
  done
  find tests/agree tests/models -name "*${1:-}*.model" |
    xargs -r grep -L '^# algorithms stateful$' | while read -r model; do
    echo "$(basename "$model" .model) $model"
  done
} | each one
