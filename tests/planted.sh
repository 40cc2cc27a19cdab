#!/bin/bash
# A test of the fuzzer: each bug of src/util/planted.h is built into a copy of
# `heddle fuzz`, which must find it within seconds; without one it must find
# nothing.
cd "$(dirname "$0")/.." || exit 1
folder=$scratch/planted
seconds=20 # until a bug counts as not found
mkdir -p "$folder"
export folder seconds

cat >"$folder/main.c" <<'END'
#include "cli/command.h"
int main(int argc, char **argv) { return cmd_fuzz(argc, argv); }
END

compile() { # PLANT SOURCE
  gcc -std=gnu11 -O1 -g -Isrc -Iinclude -DHEDDLE_PLANT="$1" -c "$2" \
    -o "$folder/$1/$(echo "$2" | tr / _).o"
}

# Only the few files that ask for a plant are compiled once for each.
sources=$(ls src/util/*.c src/core/*.c src/explore/*.c src/system/model/*.c \
  src/system/check/*.c src/run/*.c src/cli/complain.c src/cli/fuzz.c 2>/dev/null |
  grep -v src/run/native_)
asking=$(grep -l 'util/planted.h' $sources)
plants=$(sed -n 's/^  \(PLANT_[A-Z_]*\),.*/\1/p' src/util/planted.h)

compile_all() {
  local plant source
  for plant in $plants; do
    mkdir -p "$folder/$plant"
    for source in $asking; do echo "$plant $source"; done
  done
  mkdir -p "$folder/common"
  for source in "$folder/main.c" $sources; do
    case " "$(echo $asking)" " in *" $source "*) ;; *) echo "common $source" ;; esac
  done
}

hunt() { # PLANT
  local plant=$1 code begun=$SECONDS name=${1#PLANT_}
  gcc -o "$folder/$plant/fuzz" "$folder/$plant"/*.o "$folder"/common/*.o ||
    return
  "$folder/$plant/fuzz" --seed 1 --seconds $seconds --failures 1 \
    --save "$folder/$plant" >"$folder/$plant/log" 2>&1
  code=$?
  name=$(echo "$name" | tr A-Z_ a-z-)
  if [ $code = 1 ]; then
    echo "ok - planted $name: $(grep -c . /dev/null)"
  fi
}
