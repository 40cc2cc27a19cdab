#!/bin/bash
# --verify finds every access that no hook declares (claims C9 and C10), wherever
# it is, and finds nothing in programs without such an access.  tests/verify/places.c says what is tried;
# tests/verify/unseen.c has no hooks.
cd "$(dirname "$0")/.." || exit 1
folder=$scratch/verify
mkdir -p "$folder"
cc -O1 -Isrc -c tests/verify/unseen.c -o "$folder/unseen.o" || exit 1

judge() { # CODE CLAIM NAME COMMAND...
  local want=$1 claim=$2 name=$3 code
  shift 3
  timeout 100 "$@" >"$folder/$name.txt" 2>&1
  code=$?
  if [ $code = "$want" ] && grep -q -- "$claim" "$folder/$name.txt"; then
    echo "ok - verify $name"
  else
    cat "$folder/$name.txt"
    echo "not ok - verify $name: exit code $code, expected $want ($*)"
  fi
}

places=(. global heap local tls)
who=(. main thread)
access=(. reads writes unseen-read unseen-write)
claims=(. SAFE SAFE "C10:\|C5:" C9:)

one() { # PLACE WHO ACCESS
  local name=${places[$1]}-${who[$2]}-${access[$3]} code=0
  [ "$3" -lt 3 ] || code=70
  $HEDDLE cc -g -DPLACE=$1 -DWHO=$2 -DACCESS=$3 tests/verify/places.c \
    "$folder/unseen.o" -o "$folder/$name" || return
  judge $code "${claims[$3]}" "$name" $HEDDLE check "$folder/$name" --verify \
    --races=off
}

for place in 1 2 3 4; do
  for w in 1 2; do
    for a in 1 2 3 4; do
      case ${places[$place]}-${who[$w]}-${access[$a]} in
      *"${1:-}"*) one $place $w $a ;;
      esac
    done
  done
done
for algorithm in naive optimal; do
  judge 0 SAFE frames-$algorithm $HEDDLE check tests/verify/frames.c --verify \
    --races=off --algo $algorithm
done
# A signal comes before or after what its thread waits for.
judge 0 SAFE signals $HEDDLE check tests/native/signal_cond.c --verify

judge 0 SAFE initialised $HEDDLE check tests/verify/initialised.c --verify
