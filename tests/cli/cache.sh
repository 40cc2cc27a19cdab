#!/bin/bash
# The cache of heddle cc: which results are taken from it, and which must not be.
# Stand-ins for clang and the linker write a log, which shows whether they ran.
# Run alone: tests/cli/cache.sh
set -u
here=$(cd "$(dirname "$0")/../.." && pwd)
HEDDLE=${HEDDLE:-$here/build/heddle}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
bin=$work/tools/linux/bin
mkdir -p "$work/tmp" "$bin"
export TMPDIR=$work/tmp LC_ALL=C log=$work/ran
real=$(command -v "${HEDDLE_CLANG:-clang}" || ls /usr/lib/llvm-*/bin/clang | head -1)
failures=0

stand_in() { # PROGRAM PATTERN NAME: logs runs with a word like the pattern
  cat >"$bin/$3" <<END
#!/bin/sh
case " \$* " in *"$2"*) echo $3 >>"$log" ;; esac
exec "$1" "\$@"
END
  chmod +x "$bin/$3"
}
stand_in "$real" ' -emit-llvm ' clang
stand_in "$(command -v ld)" ' -o ' ld
export HEDDLE_CLANG=$bin/clang COMPILER_PATH=$bin

cc() { "$HEDDLE" cc "$@"; }

# check NAME COMMAND...: in a new folder, with an empty cache.
check() {
  local name=$1 messages=$work/messages
  shift
  rm -rf "$work/here" "$work/cache" && mkdir "$work/here"
  export HEDDLE_CACHE_DIR=$work/cache
  if (cd "$work/here" && "$@") >"$messages" 2>&1; then
    echo "ok - cache: $name"
  else
    echo "not ok - cache: $name"
    sed 's/^/  /' "$messages"
    failures=$((failures + 1))
  fi
}

same() { diff <(printf '%s\n' "$1") <(printf '%s\n' "$2"); }

# runs "PROGRAMS" COMMAND...: the command succeeds and runs just these.
runs() {
  local wanted=$1
  shift
  : >"$log"
  "$@" || return
  same "$(sort -u "$log" | xargs)" "$wanted" || { echo "in: $*"; return 1; }
}

# A file that changes while it is read is not trusted, and clocks are coarse.
settle() { sleep 0.05; }

write_source() {
  echo 'int value(void);' >value.h
  printf '#include "value.h"\nint value(void) { return %d; }\n' "${1:-1}" >value.c
  cat >main.c <<'C'
#include <stdio.h>
#include "value.h"
int main(void) { printf("%d\n", value()); }
C
  settle
}

entries() { find "$HEDDLE_CACHE_DIR" -name '????????????????????????????????'; }

# ---- objects ----------------------------------------------------------------

unchanged() {
  write_source
  runs clang cc -c value.c -o a.o && runs "" cc -c value.c -o b.o &&
    cmp a.o b.o && runs "" cc -c value.c && cmp a.o value.o
}
check "nothing changed" unchanged

changed() {
  write_source
  runs clang cc -c value.c || return
  write_source 2
  runs clang cc -c value.c -o b.o && ! cmp -s value.o b.o || return
  write_source 1
  runs "" cc -c value.c -o c.o && cmp value.o c.o || return
  echo '/* more */' >>value.h
  settle
  runs clang cc -c value.c && runs "" cc -c value.c || return
  touch value.h value.c
  settle
  runs "" cc -c value.c # the same contents
}
check "a source or a header changed, and changed back" changed

option() {
  write_source
  runs clang cc -c value.c && runs clang cc -DX -c value.c &&
    runs clang cc -fPIC -c value.c && runs clang cc -S value.c &&
    runs "" cc -DX -c value.c || return
  CPATH=/nowhere runs clang cc -c value.c || return
  mkdir sub && cp value.? sub && cd sub && settle
  runs clang cc -c value.c # debug information names the folder
}
check "other options, environment, folder" option

compiler_changed() {
  write_source
  runs clang cc -c value.c || return
  touch "$bin/clang"
  runs clang cc -c value.c && runs "" cc -c value.c
}
check "another clang" compiler_changed

rebuilt() {
  write_source
  local folder
  folder=$(dirname "$HEDDLE")
  mkdir copy
  cp -rL "$HEDDLE" "$folder/lib" "$folder/include" copy
  HEDDLE=$PWD/copy/heddle
  runs "clang ld" cc value.c main.c -o prog &&
    runs "" cc value.c main.c -o prog || return
  touch copy/heddle
  runs "clang ld" cc value.c main.c -o prog || return
  touch copy/lib/libheddle.a
  settle
  runs "clang ld" cc value.c main.c -o prog
}
check "another heddle" rebuilt

messages() {
  echo 'int f(void) { int unused; return 0; }' >a.c
  settle
  runs clang cc -Wall -c a.c 2>first && grep -q unused first || return
  runs "" cc -Wall -c a.c 2>second && diff first second || return
  ! cc -Wall -Werror -c a.c 2>first && ! cc -Wall -Werror -c a.c 2>second &&
    diff first second && grep -q error second
}
check "warnings are printed again, errors stay errors" messages

dependencies() {
  write_source
  local flags
  for flags in -MMD -MD "-MMD -MP" "-MMD -MF dep" "-MD -MT x -MT y" \
    "-MMD -MQ a\$b"; do
    rm -rf a && mkdir a
    (cd a && cp ../value.? . && settle && "$real" $flags -c value.c &&
      cp -r . ../plain) || return
    (cd a && cc $flags -c value.c && rm -f ./*.d dep &&
      runs "" cc $flags -c value.c) || return
    diff -rB --exclude='*.o' plain a || return
    rm -rf plain
  done
  cd a && runs "" cc -c value.c && runs "" cc -MMD -c value.c -o other.o &&
    same "$(cat other.d)" "other.o: value.c value.h"
}
check "dependency files from the cache" dependencies

dated() {
  local word
  for word in __TIME__ __DATE__ __TIMESTAMP__; do
    echo "const char *s = $word;" >a.c
    settle
    runs clang cc -Wno-date-time -c a.c && runs clang cc -Wno-date-time -c a.c || return
  done
  echo 'const char *s = WHEN;' >a.c
  settle
  runs clang cc -DWHEN=__TIME__ -c a.c && runs clang cc -DWHEN=__TIME__ -c a.c
}
check "what depends on the time is compiled anew" dated

other_files() {
  echo 7 >data
  echo '__asm__(".data\n.incbin \"data\"\n");' >a.c
  settle
  runs clang cc -c a.c && runs clang cc -c a.c || return
  cc -c a.c -o first.o && echo 8 >data && cc -c a.c && ! cmp -s a.o first.o
}
check "what reads other files is compiled anew" other_files

new_header() {
  mkdir early late
  echo 'int from_late;' >late/x.h
  echo '#include "x.h"' >a.c
  settle
  runs clang cc -Iearly -Ilate -c a.c && runs "" cc -Iearly -Ilate -c a.c || return
  echo 'int from_early;' >early/x.h
  settle
  runs clang cc -Iearly -Ilate -c a.c && nm a.o | grep -q from_early || return
  echo 'int from_here;' >x.h
  settle
  runs clang cc -Iearly -Ilate -c a.c && nm a.o | grep -q from_here || return
  rm x.h early/x.h
  cc -Iearly -Ilate -c a.c && nm a.o | grep -q from_late
}
check "a new header in front of another one" new_header

optional_header() {
  printf '#if __has_include("maybe.h")\n#include "maybe.h"\n#endif\nint a;\n' >a.c
  settle
  runs clang cc -c a.c && runs "" cc -c a.c || return
  echo 'int maybe;' >maybe.h
  settle
  runs clang cc -c a.c && nm a.o | grep -q maybe || return
  rm maybe.h
  cc -c a.c && ! nm a.o | grep -q maybe || return
  printf '#if __has_include("maybe.h")\nint yes;\n#endif\nint a;\n' >a.c
  : >maybe.h
  settle
  runs clang cc -c a.c && nm a.o | grep -q yes && rm maybe.h &&
    runs clang cc -c a.c && ! nm a.o | grep -q yes
}
check "a header that __has_include did not find" optional_header

special() {
  echo 'int x;' | runs clang cc -c -x c - -o a.o &&
    echo 'int y;' | runs clang cc -c -x c - -o b.o && nm b.o | grep -q ' y$' || return
  echo 'int x;' >a.c
  settle
  runs clang cc -c a.c && runs clang cc -c a.c -o /dev/null && [ -c /dev/null ] &&
    runs clang cc -c a.c -Xclang -fno-builtin && runs clang cc -c a.c -Xclang -fno-builtin
}
check "standard input, devices and unusual options" special

# ---- programs ---------------------------------------------------------------

programs() {
  write_source
  runs "clang ld" cc main.c value.c -o prog && same "$(./prog)" 1 || return
  runs "" cc main.c value.c -o again && cmp prog again && same "$(./again)" 1 || return
  write_source 2
  runs "clang ld" cc main.c value.c -o prog && same "$(./prog)" 2 || return
  runs ld cc main.c value.c -o prog -Wl,-z,now && runs "" cc main.c value.c -o prog
}
check "linked programs" programs

checked() {
  write_source
  runs "clang ld" "$HEDDLE" check main.c value.c && runs "" "$HEDDLE" check main.c value.c
}
check "heddle check without compiler and linker" checked

libraries() {
  write_source
  mkdir early late
  "$real" -fPIC -shared value.c -o late/libvalue.so && settle
  link() { cc main.c -o prog -Learly -Llate -lvalue -Wl,-rpath,"$PWD/early:$PWD/late"; }
  runs "clang ld" link && runs "" link && same "$(./prog)" 1 || return
  write_source 2
  "$real" -fPIC -shared value.c -o late/libvalue.so && settle
  runs ld link && same "$(./prog)" 2 || return
  write_source 3
  "$real" -fPIC -shared value.c -o early/libvalue.so && settle
  runs ld link && same "$(./prog)" 3
}
check "libraries that change or come to stand in front" libraries

archives() {
  write_source
  cc -c value.c && ar rcs libvalue.a value.o && settle
  runs "clang ld" cc main.c libvalue.a -o prog &&
    runs "" cc main.c libvalue.a -o prog || return
  write_source 2
  cc -c value.c && ar rcs libvalue.a value.o && settle
  runs ld cc main.c libvalue.a -o prog && same "$(./prog)" 2
}
check "archives" archives

link_messages() {
  echo 'int missing(void); int main(void) { return missing(); }' >a.c
  settle
  local first second
  first=$(cc a.c -o prog 2>&1) && return 1
  second=$(cc a.c -o prog 2>&1) && return 1
  same "$(grep -c 'undefined reference' <<<"$second")" 1 &&
    grep -q 'linker command failed' <<<"$second" && [ ! -e prog ]
}
check "link errors are clang's, each time" link_messages

# ---- the folder -------------------------------------------------------------

off() {
  write_source
  export HEDDLE_CACHE_DIR=
  runs clang cc -c value.c && runs clang cc -c value.c || return
  unset HEDDLE_CACHE_DIR
  HOME= XDG_CACHE_HOME= runs clang cc -c value.c || return
  export HEDDLE_CACHE_DIR=/dev/null/cache
  runs clang cc -c value.c 2>message && [ ! -s message ] || return
  "$HEDDLE" check --verbose main.c value.c 2>message && grep -q 'cache.*/dev/null' message
}
check "switched off, without home, not to be written" off

usual_folder() {
  write_source
  unset HEDDLE_CACHE_DIR
  XDG_CACHE_HOME=$PWD/x cc -c value.c && [ -d x/heddle ] &&
    XDG_CACHE_HOME= HOME=$PWD cc -c value.c && [ -d .cache/heddle ] || return
  HEDDLE_CACHE_DIR=$PWD/of/its/own cc -c value.c && [ -d of/its/own ]
}
check "where the folder is" usual_folder

damaged() {
  write_source
  runs "clang ld" cc main.c value.c -o prog || return
  local entry
  for entry in $(entries); do
    printf 'x' | dd of="$entry" bs=1 seek=$(($(stat -c %s "$entry") / 2)) \
      conv=notrunc 2>/dev/null
  done
  runs "clang ld" cc main.c value.c -o again && cmp prog again || return
  for entry in $(entries); do
    truncate -s $(($(stat -c %s "$entry") - 3)) "$entry"
  done
  runs "clang ld" cc main.c value.c -o again && cmp prog again || return
  for entry in $(entries); do : >"$entry"; done
  echo nonsense >"$HEDDLE_CACHE_DIR/size"
  runs "clang ld" cc main.c value.c -o again && cmp prog again &&
    runs "" cc main.c value.c -o again && cmp prog again
}
check "damaged entries are made anew" damaged

parallel() {
  write_source
  cc main.c value.c -o prog || return
  rm -rf "$HEDDLE_CACHE_DIR"
  local i pids=
  for i in $(seq 12); do
    cc main.c value.c -o "prog$i" &
    pids="$pids $!"
    [ $((i % 4)) = 0 ] && rm -rf "$HEDDLE_CACHE_DIR"
  done
  for i in $pids; do wait "$i" || return; done
  for i in $(seq 12); do cmp prog "prog$i" || return; done
  [ -z "$(find "$HEDDLE_CACHE_DIR" -name 'new.*')" ]
}
check "several at once, while the folder is emptied" parallel

bound() {
  local i
  export HEDDLE_CACHE_SIZE=300K
  echo 'int kept;' >kept.c
  settle
  cc -c kept.c
  for i in $(seq 20); do
    echo "#include <stdio.h>
      int f$i(void) { return printf(\"$i\"); }" >f.c
    settle
    cc -c f.c && runs "" cc -c kept.c || return
    [ "$(cat $(entries) | wc -c)" -le $((300 * 1024)) ] || return
  done
  runs "" cc -c f.c || return
  HEDDLE_CACHE_SIZE=0 runs clang cc -c f.c || return
  HEDDLE_CACHE_SIZE=much cc -c f.c 2>message && grep -q HEDDLE_CACHE_SIZE message
}
check "the size; what is used stays" bound

check "nothing is left in TMPDIR" same "$(ls -A "$TMPDIR")" ""

exit $((failures > 0))
