#!/bin/bash
# Every hook that an installed clang emits is one that the runtime defines.
# tests/hooks/*.c provoke all kinds; the test programs are looked at, too.
cd "$(dirname "$0")/.." || exit 1
folder=$scratch/hooks
mkdir -p "$folder"
nm --defined-only "$BUILD/lib/heddle.o" | awk '{ print $3 }' | sort -u \
  >"$folder/defined"

emitted() { # CLANG
  local source
  for source in tests/hooks/*.c tests/native/count_*.c examples/*.c; do
    HEDDLE_CLANG=$1 $HEDDLE cc -c "$source" -o "$folder/one.o" || return
    nm -u "$folder/one.o" | awk '{ print $2 }'
  done | grep -E '^(__tsan_|__atomic_|__emutls_)' | sort -u
}

for clang in clang clang-{14..25}; do
  command -v "$clang" >/dev/null || continue
  emitted "$clang" >"$folder/$clang" 2>"$folder/$clang.err" ||
    cat "$folder/$clang.err"
  missing=$(comm -23 "$folder/$clang" "$folder/defined")
  count=$(wc -l <"$folder/$clang")
  if [ -z "$missing" ] && [ "$count" -gt 60 ]; then
    echo "ok - the $count hooks of $clang"
  else
    echo "$count hooks; not defined: $missing"
    echo "not ok - the hooks of $clang"
  fi
done
