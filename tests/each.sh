# Runs a function for each line of the input, on all processors; the words of the
# line are its arguments.  TIMES=1 prints the seconds of processor time of each.

timed() { # FUNCTION ARGUMENT...
  "$@"
  [ -z "${TIMES:-}" ] || times >"$scratch/times.$$"
  [ -z "${TIMES:-}" ] || awk -v name="${*:2}" '
    function seconds(text, part) {
      split(text, part, "[ms]")
      return 60 * part[1] + part[2]
    }
    { sum += seconds($1) + seconds($2) }
    END { printf "time %.2f %s\n", sum, name }' "$scratch/times.$$"
}
export -f timed

each() { # FUNCTION
  xargs -r -P "$(nproc)" -L 1 bash -c 'timed "$@"' "$1" "$1"
}
