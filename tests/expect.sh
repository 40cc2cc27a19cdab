# What test programs expect, in comments in their head (see native.sh), and how
# that is compared with a JSON report.  C programs use //, models #.

field() { # NAME JSON
  sed -n "s/^ *\"$1\": *\"\{0,1\}\([^\",]*\)\"\{0,1\},\{0,1\}$/\1/p" "$2" |
    head -n 1
}

expected() { # SOURCE PATTERN: what follows it in the head's comments
  sed -n "s/^\(\/\/\|#\) $2//p" "$1"
}

check_counts() { # SOURCE ALGORITHM JSON
  local item name value
  sed -n "s/^\(\/\/\|#\) expect \($2\|all\): *//p" "$1" | tr ',' '\n' |
    while read -r name value; do
      item=$(field "$name" "$3")
      [ "$item" = "$value" ] || echo "$name is $item, expected $value"
    done
}

check_verdict() { # SOURCE JSON CODE
  local kinds wanted
  kinds=$(sed -n '/"errors"/,/"warnings"/s/.*"kind": "\([a-z]*\)".*/\1/p' "$2" |
    sort -u | tr '\n' ' ')
  wanted=$(expected "$1" 'expect error ' | sed 's/ .*//' | sort -u | tr '\n' ' ')
  [ "$kinds" = "$wanted" ] || echo "errors: $kinds, expected: $wanted"
  if [ -n "$wanted" ]; then
    [ "$3" = 1 ] || echo "exit code $3, expected 1"
  elif grep -qE '^(//|#) expect incomplete' "$1"; then
    [ "$3" = 3 ] || echo "exit code $3, expected 3"
  else
    [ "$3" = 0 ] || echo "exit code $3, expected 0"
  fi
}

check_outputs() { # SOURCE JSON [SED SCRIPT for both sides]
  local wanted found
  grep -qE '^(//|#) expect output' "$1" || return
  wanted=$(expected "$1" 'expect output ' | sed "${3:-}" | sort -u)
  found=$(sed -n 's/.*"output": \("\([^"\\]\|\\.\)*"\), "count".*/\1/p' "$2" |
    sed "${3:-}" | sort -u)
  [ "$wanted" = "$found" ] || {
    echo "outputs: $(echo $found)"
    echo "expected: $(echo $wanted)"
  }
}
export -f field expected check_counts check_verdict check_outputs
