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

# Types and calls: tests/hooks/types.c.
types=tests/hooks/types.c

expected_types() {
  awk -F '// type ' 'NF > 1 && NR > 6 { n = split($2, names, ", *")
    for (i = 1; i <= n; i++) print NR, names[i] }' $types | sort -u
}
found_types() { # OBJECT
  objcopy -O binary --only-section=.rodata.str1.1 "$1" "$folder/strings"
  tr '\0' '\n' <"$folder/strings" |
    sed -n 's/^[^\t]*\t[^\t]*\t.*types\.c:\([0-9]*\):[0-9]*\t\([^\t]*\)$/\1 \2/p' |
    sed 's/ $/ -/' |
    awk 'NR == FNR { wanted[$1]; next } $1 in wanted' \
      "$folder/expected-types" - | sort -u
}
expected_calls() {
  awk -F '// call ' 'NF > 1 && NR > 6 { print NR, $2 }' $types
}
found_calls() { # OBJECT
  objcopy -O binary --only-section=heddle_calls "$1" "$folder/strings"
  tr '\0' '\n' <"$folder/strings" | awk -F '\t' '
    function or_none(text) { return text == "" ? "-" : text }
    NF { split($1, place, ":")
      print place[1], $3, or_none($4), or_none($5), or_none($7) }'
}

expected_types >"$folder/expected-types"
expected_calls >"$folder/expected-calls"
for clang in clang clang-{14..25}; do
  command -v "$clang" >/dev/null || continue
  HEDDLE_CLANG=$clang $HEDDLE cc -c $types -o "$folder/$clang.o" || continue
  if diff "$folder/expected-types" <(found_types "$folder/$clang.o") &&
    diff "$folder/expected-calls" <(found_calls "$folder/$clang.o"); then
    echo "ok - types and calls with $clang"
  else
    echo "not ok - types and calls with $clang"
  fi
done
