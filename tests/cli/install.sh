#!/bin/bash
# make install puts a command in place that works from there; make uninstall
# takes everything away again.
folder=$scratch/install
mkdir -p "$folder"
result() { # NAME STATUS
  [ "$2" = 0 ] && echo "ok - $1" || echo "not ok - $1"
}
make -s install BUILD="$BUILD" PREFIX="$folder/prefix" >"$folder/log" 2>&1
result "make install" $?
PATH=$folder/prefix/bin:$PATH
cat >"$folder/program.c" <<'END'
#include <heddle.h>
#include <stdio.h>
int main(void) { printf("%d\n", heddle_choose(3)); }
END
(cd "$folder" && heddle check program.c --outcomes >"$folder/out" 2>&1)
grep -q '3 outcomes' "$folder/out"
result "the installed command finds its library and header" $?
[ -f "$folder/prefix/share/man/man1/heddle.1" ]
result "the manual is installed" $?
(cd "$folder" && heddle-cc program.c -o program && heddle check ./program \
  --outcomes) >"$folder/out" 2>&1
grep -q '3 outcomes' "$folder/out"
result "heddle-cc is installed, and finds them, too" $?
make -s uninstall BUILD="$BUILD" PREFIX="$folder/prefix" >>"$folder/log" 2>&1
[ -z "$(find "$folder/prefix" ! -type d)" ]
result "make uninstall leaves no file" $?
