# Compares JSON reports with the expectations in the head of a test program:
# comments, "//" in C programs and "#" in models.  native.sh and models.sh list
# the words.
#
# Starting jq, awk or sed takes longer than exploring most test programs.  So all
# reports of a program are read at once, by one jq and one awk (expect.awk).

facts() { # REPORT...: what is compared: REPORT, NAME and VALUE, with tabs
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

# The folder has the reports NAME.json, and in `runs` a line for each, by ran().
compare_all() { # SOURCE FOLDER: a line for each difference
  facts "$2"/*.json >"$2/facts"
  awk -v folder="$2" -f tests/expect.awk "$1" "$2/runs" "$2/facts"
}

ran() { # FOLDER NAME ALGORITHM EXIT-CODE LABEL
  printf '%s\t%s\t%s\t%s\n' "${@:2}" >>"$1/runs"
  [ -f "$1/$2.json" ] || cat "$1/$2.txt"
}

# What the head says after these words: head_options, head_algorithms, ...
read_head() { # SOURCE
  local line word
  for word in options libs algorithms modes; do
    printf -v "head_$word" ''
  done
  while IFS= read -r line; do
    case $line in
    "// options "* | "// libs "* | "// modes "* | "// algorithms "* | "# algorithms "*)
      line=${line#* } word=head_${line%% *}
      printf -v "$word" '%s' "${!word:+${!word} }${line#* }"
      ;;
    esac
  done <"$1"
}

# Wherever optimal is run, pop is, which has no bound on preemptions.
with_pop() { # ALGORITHMS OPTIONS
  case " $1 / $2" in
  *--preemptions*) echo "$1" ;;
  *" optimal "*) echo "$1 pop" ;;
  *) echo "$1" ;;
  esac
}
export -f facts compare_all ran read_head with_pop
