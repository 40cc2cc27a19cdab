#!/bin/bash
# Nothing points upward: util <- core <- {explore, system, report} <- run <- cli,
# and explore, system and report never include each other.
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
forbid util 'core|explore|system|report|run|cli'
forbid core 'explore|system|report|run|cli'
forbid explore 'system|report|run|cli'
forbid system 'explore|report|run|cli'
forbid report 'explore|system|run|cli'
forbid run 'report|cli'
[ $bad = 0 ] && echo "ok - layers" || echo "not ok - layers"
