#!/bin/bash
# The names of objects in sites: tests/hooks/sites.c says which are expected.
cd "$(dirname "$0")/.." || exit 1
folder=$scratch/sites
mkdir -p "$folder"
source=tests/hooks/sites.c

# Both print "LINE NAME" for each name.
expected() {
  awk -F '// site ' 'NF > 1 { n = split($2, names, ", *")
    for (i = 1; i <= n; i++) print NR, names[i] }' $source | sort -u
}
found() { # OBJECT
  objcopy -O binary --only-section=.rodata.str1.1 "$1" "$folder/strings"
  tr '\0' '\n' <"$folder/strings" |
    sed -n 's/^\([^\t]*\)\t[^\t]*\t.*sites\.c:\([0-9]*\):[0-9]*\t[^\t]*$/\2 \1/p' |
    sed 's/ $/ -/' |
    awk 'NR == FNR { wanted[$1]; next } $1 in wanted' \
      "$folder/expected" - | sort -u
}

expected >"$folder/expected"
for clang in clang clang-{14..25}; do
  command -v "$clang" >/dev/null || continue
  HEDDLE_CLANG=$clang $HEDDLE cc -c $source -o "$folder/$clang.o" || continue
  found "$folder/$clang.o" >"$folder/$clang"
  if diff "$folder/expected" "$folder/$clang" >"$folder/$clang.diff"; then
    echo "ok - the names of objects with $clang"
  else
    cat "$folder/$clang.diff"
    echo "not ok - the names of objects with $clang"
  fi
done
