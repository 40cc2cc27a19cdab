# Compares JSON reports with the expectations in the head of a test program:
# comments, "//" in C programs and "#" in models.  native.sh and models.sh list
# the words.
#
# jq takes longer to start than most test programs take to be explored.  So it
# reads all reports of a program at once, into lines of REPORT, NAME and VALUE.

facts() { # REPORT...: what is compared, tabs between the columns
  jq -r '
    def scalars_of: to_entries[] | select(.value | type != "array");
    def without_chance: del(.time_s, .max_rss_kb, .steps,
                            (.errors, .warnings)[].replay);
    (scalars_of | [.key, (.value | tostring)]),
    (.errors[] | ["error", .kind]),
    (.outcomes[] | ["output", (.output | tojson)]),
    ["outputs", (.outcomes | length | tostring)],
    ["stable", (without_chance | tojson)]
    | [input_filename] + . | join("\t")' "$@"
}

fields() { # NAME REPORT FACTS: each value of that name
  awk -F '\t' -v name="$1" -v report="$2" \
    '$1 == report && $2 == name { print $3 }' "$3"
}

expected() { # SOURCE PATTERN: the text behind it in the head's comments
  sed -n "s/^\(\/\/\|#\) $2//p" "$1"
}

# What stateful counts means nothing, so "all" does not mean it.  Of pop the counts
# of optimal are expected.
check_counts() { # SOURCE ALGORITHM REPORT FACTS
  local found name value all=all algorithm=${2/#pop/optimal}
  [ "$2" != stateful ] || all=stateful
  sed -n "s/^\(\/\/\|#\) expect \($algorithm\|$all\): *//p" "$1" | tr ',' '\n' |
    while read -r name value; do
      found=$(fields "$name" "$3" "$4")
      [ "$found" = "$value" ] || echo "$name is $found, expected $value"
    done
}

check_verdict() { # SOURCE CODE REPORT FACTS
  local kinds wanted code=0
  kinds=$(fields error "$3" "$4" | sort -u | tr '\n' ' ')
  wanted=$(expected "$1" 'expect error ' | sed 's/ .*//' | sort -u | tr '\n' ' ')
  [ "$kinds" = "$wanted" ] || echo "errors: $kinds, expected: $wanted"
  if [ -n "$wanted" ]; then
    code=1
  elif grep -qE '^(//|#) expect incomplete' "$1"; then
    code=3
  fi
  [ "$2" = $code ] || echo "exit code $2, expected $code"
}

check_outputs() { # SOURCE REPORT FACTS [SED SCRIPT for both sides]
  local wanted found
  grep -qE '^(//|#) expect output' "$1" || return
  wanted=$(expected "$1" 'expect output ' | sed "${4:-}" | sort -u)
  found=$(fields output "$2" "$3" | sed "${4:-}" | sort -u)
  [ "$wanted" = "$found" ] || {
    echo "outputs: $(echo $found)"
    echo "expected: $(echo $wanted)"
  }
}

# Wherever optimal is run, pop is, which has no bound on preemptions.
with_pop() { # ALGORITHMS OPTIONS
  case " $1 / $2" in
  *--preemptions*) echo "$1" ;;
  *" optimal "*) echo "$1 pop" ;;
  *) echo "$1" ;;
  esac
}
export -f facts fields expected check_counts check_verdict check_outputs with_pop
