#!/bin/bash
# Actors without heddle: tests/native/actor_*.c and some of bench/papers/actors,
# built with an ordinary compiler and src/actor, under ThreadSanitizer.  Each runs
# several times.  Its output must be one of those that heddle is expected to find,
# and it must fail as its head says.
#
#   tests/run actors fifo     programs whose name has "fifo"
cd "$(dirname "$0")/.." || exit 1
flags="-std=gnu11 -g -O1 -Iinclude"

# Does this program fail in every run, in some, or in none?
fails() { # SOURCE
  case $1 in
  *_misuse_* | *_undeclared_* | *_deadlock.c) echo always ;;
  *_assert.c | *_race.c) echo sometimes ;;
  *) echo never ;;
  esac
}

# Mistakes that only heddle notices.
heddle_only() { # SOURCE
  case $1 in
  *_block.c | *_forgotten.c | *_not_future.c | *_in_thread.c) true ;;
  *_private_*) true ;;
  *) false ;;
  esac
}

run_once() { # FOLDER SOURCE
  local code wanted
  timeout 60 "$1/program" >"$1/out" 2>"$1/err"
  code=$?
  wanted=$(fails "$2")
  if [ $wanted = never ] && [ $code != 0 ]; then
    echo "  exit code $code: $(head -n 3 "$1/err")"
  elif [ $wanted = always ] && ! grep -q '^heddle_actor: ' "$1/err"; then
    echo "  no message, exit code $code"
  fi
  if grep -q '^// expect output' "$2" && [ $wanted = never ]; then
    sed -n 's/^\/\/ expect output "\(.*\)\\n"$/\1/p' "$2" |
      grep -qxF -- "$(cat "$1/out")" || echo "  output: $(cat "$1/out")"
  fi
}

one() { # SOURCE RUNS FLAGS
  local name folder problems i
  name=$(basename "$1" .c) folder=$scratch/actors/$(basename "$1" .c)
  mkdir -p "$folder"
  problems=$(
    ${CC:-gcc} $flags $3 "$1" src/actor/heddle_actor.c -o "$folder/program" \
      -lpthread 2>&1
    for ((i = 0; i < $2; i++)); do
      run_once "$folder" "$1"
    done
  )
  if [ -z "$problems" ]; then
    echo "ok - actors $name"
    rm -rf "$folder"
  else
    printf '%s\n' "$problems" | sort | uniq -c
    echo "not ok - actors $name ($folder)"
  fi
}
export -f one run_once fails
export flags

for source in tests/native/actor_*.c bench/papers/actors/{procon,sdn,fib}.c \
  tests/actors/*.c; do
  [[ $source == *"${1:-}"* ]] || continue
  heddle_only "$source" || case $source in
  *_race.c) echo "$source 3 -O0" ;;
  *_misuse_* | *_undeclared_*) echo "$source 1 -O0" ;;
  *) echo "$source 2 -fsanitize=thread -DREPAIRED" ;;
  esac
done | xargs -P "$(nproc)" -L 1 bash -c 'one "$1" "$2" "${*:3}"' actors
