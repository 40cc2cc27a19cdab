#!/bin/bash
# The manual's table of algorithms is that of src/explore/algorithms.def.
name="the manual's table of algorithms"
scratch=$(mktemp) || exit 1
trap 'rm -f "$scratch"' EXIT
scripts/manual-algorithms man/heddle.1 >"$scratch" || exit 1
if ! cmp -s "$scratch" man/heddle.1; then
  echo "not ok - $name (make manual)"
elif [ "$(grep -c '^ALGORITHM' src/explore/algorithms.def)" != \
  "$(sed -n '/by make manual/,/End of algorithms/p' man/heddle.1 | grep -c '^\.It Cm')" ]; then
  echo "not ok - $name: not as many as in the list"
else
  echo "ok - $name"
fi
