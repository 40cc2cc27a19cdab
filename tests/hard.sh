#!/bin/bash
# The hostile build (src/util/hostile.h) passes the whole suite, with --verify as
# well, and with searches that are shared; what is not the native runtime passes
# under the address and undefined-behaviour sanitizers, too.
#
#   make test-hard            everything
#   tests/hard.sh suite       only the suite in the hostile build
#   tests/hard.sh sanitized   only models and fuzzing under the sanitizers
#   tests/hard.sh real        only real threads, with more runs
#
# BUILD is the folder that the two builds go to, FUZZ the seconds of fuzzing, LIMIT
# the seconds that one search may take.
set -u
cd "$(dirname "$0")/.."
BUILD=${BUILD:-$PWD/build}/hard
hostile=-DHOSTILE=1
export LIMIT=${LIMIT:-600}
bad=0

build() { # FOLDER TARGET MAKE-ARGUMENTS...
  local folder=$1 target=$2
  shift 2
  mkdir -p "$folder"
  make --no-print-directory -j"$(nproc)" BUILD="$folder" "$@" \
    "$target" >"$folder/log" 2>&1 || { cat "$folder/log"; exit 1; }
}

# tests/planted.sh builds what it runs itself, as it is.
suite() {
  local folder=$BUILD/hostile
  build "$folder" all CPPFLAGS=$hostile
  ALL=1 BUILD=$folder HEDDLE=$folder/heddle CPPFLAGS=$hostile \
    tests/run "units layers symbols hooks native verify models fuzz cli" || bad=1
  BUILD=$folder HEDDLE=$folder/heddle CHECK_OPTIONS=--verify \
    tests/run native || bad=1
  BUILD=$folder HEDDLE=$folder/heddle tests/run shared || bad=1
}

sanitized() {
  local folder=$BUILD/sanitized
  local flags="-fsanitize=address,undefined -fno-sanitize-recover=all"
  build "$folder" "${folder#"$PWD/"}/heddle" CPPFLAGS=$hostile CFLAGS="-O1 -g $flags"
  BUILD=$folder HEDDLE=$folder/heddle tests/run models || bad=1
  "$folder/heddle" fuzz --seed 1 --seconds "${FUZZ:-30}" --verify 4 \
    --save "$folder" || bad=1
}

# The runtime that is judged by real threads is the ordinary one.
real() {
  local folder=${BUILD%/hard}
  build "$folder" all
  BUILD=$folder HEDDLE=$folder/heddle ALL=1 RUNS=${RUNS:-300} \
    COMPILERS=gcc,clang tests/run real || bad=1
}

for part in ${1:-suite sanitized real}; do
  $part
done
exit $bad
