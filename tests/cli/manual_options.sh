#!/bin/bash
# The manual has every option of the commands' help texts, in the same words.
name="the manual's options"
scratch=$(mktemp) || exit 1
trap 'rm -f "$scratch"' EXIT
if ! scripts/manual-options man/heddle.1 >"$scratch"; then
  echo "not ok - $name: one is missing"
elif ! cmp -s "$scratch" man/heddle.1; then
  echo "not ok - $name (make manual)"
elif [ "$(grep -c '^\.\\" Option check .*, by make manual:$' man/heddle.1)" != \
  "$("$HEDDLE" check --help | grep -c '^  --')" ]; then
  echo "not ok - $name: not as many as in the help text"
else
  echo "ok - $name"
fi
