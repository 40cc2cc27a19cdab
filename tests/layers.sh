#!/bin/bash
# Nothing points upward, by an include or by a call.  The first column of the
# table is a room; it may know itself and the rooms after it.  Rooms inside of
# others come before them.
cd "$(dirname "$0")/.." || exit 1
BUILD=${BUILD:-$PWD/build}

table='
util
core                util
explore/dpor        util core
explore/context     util core explore/dpor
explore/observers   util core explore/dpor explore/algorithms.h
explore/datacentric util core explore/algorithms.h
explore/unfolding   util core explore/dpor explore/algorithms.h
explore/asprinted   util core explore/algorithms.h
explore/stateful    util core explore/dpor explore/context explore/backtrack.h explore/backtrack.c explore/backtrack_stack.c explore/backtrack_units.c explore/algorithms.h
explore             util core
system/native       util core
system/model        util core
system/check        util core
session             util core explore system
report              util core
host                util
cc/instrument       util core
cc/driver           util core host cc/instrument
supervise           util core report host cc/driver
mpi                 supervise
real                util
fuzz                util core explore system session host cc/driver supervise real
cli                 util core explore system session report host cc/driver supervise fuzz
'

# FROM TO, both below src/: what a file includes.
includes() {
  (cd src && grep -rHE '^ *# *include "' --include='*.[chS]' .) |
    sed -E 's|^\./([^:]*):.*"(.*)".*|\1 \2|' |
    while read -r from to; do
      [ -e "src/$(dirname "$from")/$to" ] && to=$(dirname "$from")/$to
      [ -e "src/$to" ] && echo "$from $to"
    done
}

# FROM TO NAME: which file uses what the other defines.  The runtime's own names
# for functions of libc are put in by the build.
calls() {
  local kind
  for kind in command runtime; do
    (cd "$BUILD/obj/$kind/src" && find . -name '*.o' -print0 |
      xargs -0 nm -A --format=posix) |
      sed -E 's|^\./||; s|\.o: | |' |
      awk '
        $3 ~ /[TDRBVW]/ { home[$2] = $1 }
        $3 ~ /[Uvw]/    { user[NR] = $1; name[NR] = $2 }
        END {
          for (i in user)
            if (name[i] in home && name[i] !~ /^heddle_real_/)
              print user[i], home[name[i]], name[i]
        }' |
      while read -r from to name; do
        [ -e "src/$from" ] && [ -e "src/$to" ] && echo "$from $to $name"
      done
  done
}

found=$({ includes && calls; } | sort -u | awk -v table="$table" '
  BEGIN {
    lines = split(table, line, "\n")
    for (i = 1; i <= lines; i++) {
      words = split(line[i], word, " ")
      if (words)
        room[++rooms] = word[1]
      for (w = 1; w <= words; w++)
        may[word[1], word[w]] = 1
    }
  }
  function room_of(path,   i) {
    for (i = 1; i <= rooms && index(path, room[i] "/") != 1; i++)
      ;
    return room[i]
  }
  function may_know(from, path) { # the path itself, or a room it is in
    while (!((from, path) in may) && sub("/[^/]*$", "", path))
      ;
    return (from, path) in may
  }
  !may_know(room_of($1), $2) { print $1 " knows " $2, $3 }')
if [ -z "$found" ]; then
  echo "ok - layers"
else
  echo "$found"
  echo "not ok - layers"
fi

# No two structs, enums or unions share a tag: debuggers and searches by name
# would mix them up.  The exception are actors without heddle, which have the
# public tags of heddle_actor.h once more.
twice=$(cd src && grep -rhoE --include='*.[ch]' \
  '(struct|enum|union) [a-z_]+ \{' $(ls | grep -vx actor) | sort | uniq -d)
if [ -z "$twice" ]; then
  echo "ok - tags"
else
  echo "$twice"
  echo "not ok - tags"
fi
