#!/bin/bash
# realworld/run: its syntax, its table and its options; nothing is fetched.
group=realworld
. "$(dirname "$0")/begin"
run=$here/realworld/run

drivers_exist() {
  sed -n 's/^driver \([^ ]*\).*/\1/p' "$here/realworld/packages" >drivers
  [ -s drivers ] && (cd "$here/realworld" && xargs ls >/dev/null) <drivers
}
refuses() { # MESSAGE WORD...
  "$run" "${@:2}" 2>&1 | grep -q "$1" && [ "${PIPESTATUS[0]}" = 2 ]
}
check "the shell accepts it" bash -n "$run"
check "--help" grep -q '^usage: realworld/run' <("$run" --help)
check "--list reads the table" grep -qx ck-ring-spsc <("$run" --list)
check "every driver is there" drivers_exist
check "an unknown check is refused" refuses 'called nothing' nothing
check "an unknown option is refused" refuses 'unknown option' --nothing
[ $failures = 0 ]
