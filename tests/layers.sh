#!/bin/bash
# Nothing points upward: util <- core <- {explore, system, report} <- run <- cli,
# and explore, system and report never include each other.  fuzz, which makes C
# programs, knows util only.
cd "$(dirname "$0")/.." || exit 1
bad=0
forbid() { # LAYER FORBIDDEN-PATTERN
  local found
  found=$(grep -rnE "#include \"($2)/" "src/$1" --include='*.[chS]')
  if [ -n "$found" ]; then
    echo "$found"
    bad=1
  fi
}
forbid util 'core|explore|system|report|run|fuzz|cli'
forbid core 'explore|system|report|run|fuzz|cli'
forbid explore 'system|report|run|fuzz|cli'
forbid system 'explore|report|run|fuzz|cli'
forbid report 'explore|system|run|fuzz|cli'
forbid run 'report|fuzz|cli'
forbid fuzz 'core|explore|system|report|run|cli'
[ $bad = 0 ] && echo "ok - layers" || echo "not ok - layers"
