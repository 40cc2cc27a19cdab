#!/bin/bash
# Builds and runs tests/unit/test_*.c against the command's objects, with the
# address and undefined-behaviour sanitizers.
cd "$(dirname "$0")/.." || exit 1
. tests/each.sh
flags="-std=gnu11 -g -O1 -Wall -Wextra -Isrc -Iinclude
  -fsanitize=address,undefined -fno-sanitize-recover=all ${CPPFLAGS:-}"
sources=$(make -s sources | tr ' ' '\n' | grep -v src/cli/main.c)
mkdir -p "$scratch/unit"
compile() { # SOURCE
  gcc $flags -c "$1" -o "$scratch/unit/$(echo "$1" | tr / _).o"
}
export -f compile
export flags scratch
echo $sources | tr ' ' '\n' | each compile ||
  exit 1
ar rcs "$scratch/unit/all.a" "$scratch"/unit/src_*.o
one() { # SOURCE
  local name out
  name=$(basename "$1" .c)
  out=$scratch/unit/$name.out
  if gcc $flags "$1" -o "$scratch/unit/$name" "$scratch/unit/all.a" \
    -lcmocka -ldw -lelf >"$out" 2>&1 && "$scratch/unit/$name" >"$out" 2>&1
  then
    grep -c '\[       OK \]' "$out" | xargs -I{} seq {} | sed "s/^/ok - $name /"
  else
    cat "$out"
    echo "not ok - $name"
  fi
}
export -f one
printf '%s\n' tests/unit/test_*"${1:-}"*.c |
  each one
