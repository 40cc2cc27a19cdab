#!/bin/bash
# A test of the fuzzer: each bug of src/util/planted.h is built into a copy of
# `heddle fuzz`, which must find it within seconds.  A copy without a bug must find
# nothing.  Files without a bug are those of the build.
cd "$(dirname "$0")/.." || exit 1
. tests/each.sh
folder=$scratch/planted
most=60 # seconds of one process until a bug counts as not found
mkdir -p "$folder"
cat >"$folder/main.c" <<'END'
#include "cli/command.h"
int main(int argc, char **argv) { (void)argc; return cmd_fuzz(argv); }
END

plants=$(sed -n 's/^  PLANT_\([A-Z_]*\),.*/\1/p' src/util/planted.h |
  grep -e "$(echo "${1:-}" | tr a-z- A-Z_)")
sources=$(make -s sources | tr ' ' '\n' | grep -v src/cli/main.c)

# The algorithms that the bug concerns, and the profiles that show it: the rest
# only takes time.
options() { # PLANT
  case $1 in
  NONE | RACE | DEPENDENCE | SLEEP) ;; # all
  INSERTION | SETTLED | PENDING) echo --algo optimal ;;
  SOURCE_PENDING) echo --algo dpor,source ;;
  BLOCK) echo --algo dpor,source --profile blocks ;;
  POP_CHOICE) echo --algo pop --profile conditions,choices ;;
  POP_*) echo --algo pop ;;
  UPDATE_TESTED) echo --algo optimal --profile updates ;;
  DC_*) echo --algo dc ;;
  OBSERVER) echo --algo observers ;;
  APART_*) echo --algo optimal --profile unprotected ;;
  UNFOLD_UPDATE) echo --algo unfold --profile updates ;;
  UNFOLD_*) echo --algo unfold ;;
  LOOK_CUT) echo --algo dpor,source --profile rounds,rounds-wide ;;
  LOOK_* | ROUND_*) echo --algo dpor,source,optimal --profile rounds ;;
  RETRY_*) echo --algo dpor,source,optimal --profile retries ;;
  STATE_DATA) echo --algo stateful tests/models/stateful-data-race.model ;;
  STATE_BLOCKS) echo --algo stateful tests/models/stateful-block-race.model ;;
  STATE_HANDED) echo --algo stateful tests/models/stateful-block-hands-on.model ;;
  STATE_LEADING) echo --algo stateful tests/models/stateful-block-leading.model ;;
  STATE_CYCLE | STATE_OPEN) echo --algo stateful --profile rounds ;;
  STATE_KNOWN) echo --algo stateful --profile endless-flags ;;
  STATE_MET) echo --algo stateful tests/models/stateful-block-read.model ;;
  STATE_UNDER | STATE_ALONE) echo --algo stateful --profile endless-guards ;;
  STATE_SIGNAL) echo --algo stateful --profile conditions,threads ;;
  STATE_*) echo --algo stateful ;;
  CONTEXT_UPDATE) echo --algo cs,optimal-cs --profile updates,commuting ;;
  CONTEXT_LATE) echo --algo optimal-cs --profile commuting ;;
  CONTEXT_*) echo --algo cs,optimal-cs --profile contexts,commuting ;;
  esac
}

compile() { # FOLDER SOURCE [FLAG]
  gcc -std=gnu11 -O1 -g -Isrc -Iinclude $3 -c "$2" -o "$1/${2//\//_}.o"
}

asking() { # PLANT: the files in which it is
  grep -l "planted($1)" $sources
}

# For each bug the files in which it is, and what the build does not have.
list() {
  local plant source
  echo "$folder $folder/main.c"
  for source in $sources; do
    [ -f "$BUILD/obj/command/$source.o" ] || echo "$folder $source"
  done
  for plant in $plants; do
    mkdir -p "$folder/$plant"
    for source in $(asking "$plant"); do
      echo "$folder/$plant $source -DHEDDLE_PLANT=PLANT_$plant"
    done
  done
}

objects() { # PLANT
  local source name object
  for source in "$folder/main.c" $sources; do
    name=${source//\//_}.o
    for object in "$folder/$1/$name" "$BUILD/obj/command/$source.o" \
      "$folder/$name"; do
      [ ! -f "$object" ] || break
    done
    echo "$object"
  done
}

hunt() { # PLANT SECONDS CODE
  local at=$folder/$1 code name
  name=$(echo "planted $1" | tr A-Z_ a-z-)
  gcc -o "$at/fuzz" $(objects "$1") -ldw -lelf
  "$at/fuzz" --seed 1 --seconds "$2" --failures 1 --jobs 1 --save "$at" \
    $(options "$1") >"$at/log" 2>&1
  code=$?
  tail -n 1 "$at/log" | sed "s/^/$name: /"
  if [ $code = "$3" ]; then
    echo "ok - $name"
  else
    echo "not ok - $name: exit code $code" \
      "($at/fuzz --seed 1 $(options "$1"))"
  fi
}

export -f compile hunt objects options
export folder sources
list | each compile || exit 1
# Linking takes as long as most hunts, so several run at a time.
for plant in $plants; do
  case $plant in
  NONE) echo NONE 6 0 ;;
  *) echo "$plant" "$most" 1 ;;
  esac
done | each hunt
