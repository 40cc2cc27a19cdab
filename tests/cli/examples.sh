#!/bin/bash
# The reports in README.md and docs are what heddle prints: make examples.
# The hostile build runs steps ahead of time, so that it learns earlier which memory
# is shared, and its searches take fewer steps.
case ${CPPFLAGS:-} in *HOSTILE*) exit 0 ;; esac
cd "$(dirname "$0")/../.." || exit 1
export HEDDLE=${HEDDLE:-$PWD/build/heddle}
failures=0
for document in $(grep -l '^    \$ heddle check ' README.md docs/*.md); do
  if scripts/doc-examples "$document" | diff "$document" -; then
    echo "ok - the examples in $document"
  else
    echo "not ok - the examples in $document: make examples"
    failures=1
  fi
done
exit $failures
