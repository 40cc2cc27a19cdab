#!/bin/bash
# Several checks by one command: --args-file and --yml; what JSON says is assumed.
# Run alone: tests/cli/series.sh
group=series
. "$(dirname "$0")/begin"

says() { # EXIT-CODE TEXT OPTIONS...: the command prints the text
  local code=$1 text=$2
  shift 2
  "$HEDDLE" check "$@" >out 2>&1
  local got=$?
  cat out
  [ $got = "$code" ] || { echo "exit code $got, expected $code" && false; } &&
    grep -qF -- "$text" out
}

# ---- --args-file --------------------------------------------------------------

cat >words.c <<'C'
#include <stdio.h>
int main(int count, char **words) {
  for (int i = 1; i < count; i++)
    printf("<%s>", words[i]);
  return count > 3;
}
C
printf 'one "two words"\n\na b c\n' >lines
check "each line is a check" says 1 '"<one><two words>"' \
  words.c --args-file lines --outcomes
check "the worst exit code counts" says 1 'arguments: a b c' \
  --args-file=lines words.c --quiet
check "a missing file of lines" says 2 'cannot be read' --args-file none words.c
check "one report is not for several" says 2 'several results' \
  --args-file lines --json=x words.c

# ---- --yml --------------------------------------------------------------------

mkdir tasks
cat >tasks/choice.c <<'C'
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
int main(void) {
  if (__VERIFIER_nondet_int() == 3)
    reach_error();
  return 1;
}
C
task() { # VERDICT
  cat >tasks/choice.yml <<Y
format_version: '2.0'
input_files: 'choice.c'
properties:
  - property_file: ../properties/unreach-call.prp
    expected_verdict: $1
  - property_file: ../properties/termination.prp
    expected_verdict: true
options:
  data_model: ILP32
Y
}
task false
check "an error that is expected" says 0 'expected false, found false: right' \
  --yml tasks/choice.yml --nondet=0..4
check "a property that is not judged" says 0 'not a property that heddle judges' \
  --yml tasks/choice.yml --nondet=0..4
check "the data model" says 0 'ILP32' --yml tasks/choice.yml --nondet=0..4
task true
check "an error that is not" says 1 'expected true, found false: WRONG' \
  --yml tasks/choice.yml --nondet=0..4
check "no error" says 0 'expected true, found true: right' \
  --yml=tasks/choice.yml --nondet=0..2
check "not all values" says 3 'found unknown: incomplete' --yml tasks/choice.yml
sed -i 's/== 3/== 1/; s/reach_error();$/abort();/; s/^extern void/void abort(void);\n&/' tasks/choice.c
check "another error, and not all values" says 3 'found unknown: incomplete' \
  --yml tasks/choice.yml
echo 'a: b' >bad.yml
check "no task" says 2 'names no program' --yml bad.yml
check "two programs" says 2 'give no other' --yml tasks/choice.yml words.c

# ---- assumptions --------------------------------------------------------------

# The README has the list of the JSON.
assumed() {
  "$HEDDLE" check words.c --json json >/dev/null
  jq -r '.assumptions[]' json >told
  [ "$(wc -l <told)" -gt 4 ] || { echo "too few" && false; } &&
    while IFS= read -r line; do
      tr '\n' ' ' <"$here/README.md" | sed 's/  */ /g; s/`//g' | grep -qF -- "$line" ||
        { echo "the README lacks: $line" && return 1; }
    done <told
}
check "what is assumed" assumed

[ $failures = 0 ]
