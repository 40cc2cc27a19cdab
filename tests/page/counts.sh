#!/bin/bash
# Do the numbers in a JUnit report agree with what is in it?
bad=0
number() { # XPATH
  xmllint --xpath "$1" "$file"
}
file=$1
for pair in 'tests count(//testcase)' 'failures count(//failure)' 'errors count(//error)'; do
  read -r name counted <<<"$pair"
  for element in testsuites testsuite; do
    claimed=$(number "string(//$element/@$name)")
    [ "$claimed" = "$(number "$counted")" ] || {
      echo "$element says $name=$claimed, there are $(number "$counted")"
      bad=1
    }
  done
done
exit $bad
