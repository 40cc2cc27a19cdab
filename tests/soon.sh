# Tests that wait for another process ask for what they wait for, and do not rely
# on the time that it takes.

# soon COMMAND...: until it succeeds, but no longer than a minute or so.
soon() {
  local tries
  for ((tries = 0; tries < 1200; tries++)); do
    "$@" >/dev/null 2>&1 && return
    sleep 0.05
  done
  echo "in vain: $*"
  return 1
}
