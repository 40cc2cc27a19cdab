#!/bin/bash
# The page of --html in a headless browser, SARIF and JUnit reports against what
# their formats demand.  SHOTS=FOLDER keeps screenshots of the page, to be
# looked at.
cd "$(dirname "$0")/.." || exit 1
here=$PWD
HEDDLE=${HEDDLE:-$here/build/heddle}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
export XDG_STATE_HOME=$folder/state LC_ALL=C.UTF-8

cat >"$folder/several.c" <<'C'
#include <assert.h>
#include <heddle.h>
#include <pthread.h>
#include <stdio.h>
static int x;
static void *work(void *p) {
  x++;
  return p;
}
int main(void) {
  pthread_t s, t;
  pthread_create(&s, 0, work, 0);
  pthread_create(&t, 0, work, 0);
  pthread_join(s, 0);
  pthread_join(t, 0);
  printf("</script>\x01 <b>&amp; \"%d\"\n", heddle_choose(2));
  assert(x == 2 && "<&>");
}
C
cat >"$folder/safe.c" <<'C'
int main(void) { return 0; }
C
cat >"$folder/long.c" <<'C'
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int total;
static int data[16];
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static void *work(void *p) {
  for (int i = 0; i < 420; i++) {
    pthread_mutex_lock(&mutex);
    data[i % 16] += i;
    pthread_mutex_unlock(&mutex);
    total++;
  }
  return p;
}
int main(void) {
  pthread_t t[6];
  for (int i = 0; i < 6; i++)
    pthread_create(&t[i], 0, work, 0);
  for (int i = 0; i < 6; i++)
    pthread_join(t[i], 0);
  assert(total == 3);
}
C

write_all() { # NAME EXIT-CODE OPTIONS: the three reports
  local name=$1 wanted=$2
  shift 2
  "$HEDDLE" check "$@" --html "$folder/$name.html" --sarif "$folder/$name.sarif" \
    --junit "$folder/$name.xml" >"$folder/out" 2>&1
  [ $? = "$wanted" ] && echo "ok - page: $name is written" && return
  cat "$folder/out"
  echo "not ok - page: $name is written"
}
write_all deadlock 1 examples/shutdown.c
write_all several 1 "$folder/several.c" --keep-going --outcomes
write_all safe 0 "$folder/safe.c"
write_all incomplete 3 bench/papers/pi.c --max-executions 2
write_all model 1 tests/models/pending-at-end.model
write_all long 1 "$folder/long.c" --races=off

# tests/page/junit.xsd says what CI servers read.
for name in deadlock several safe incomplete model long; do
  if xmllint --noout --schema tests/page/junit.xsd "$folder/$name.xml" 2>"$folder/err" &&
    tests/page/counts.sh "$folder/$name.xml" >>"$folder/err"; then
    echo "ok - page: JUnit, $name"
  else
    cat "$folder/err"
    echo "not ok - page: JUnit, $name"
  fi
done
python3 tests/page/sarif.py "$folder"/*.sarif || echo "not ok - page: SARIF: exit code $?"
python3 tests/page/page.py "$folder" ${SHOTS:+"$SHOTS"} || echo "not ok - page: exit code $?"
