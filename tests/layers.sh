#!/bin/bash
# Nothing points upward: util <- core <- {explore, system, report} <- run <- cli,
# and explore, system and report never include each other.  fuzz, the judges,
# may know all but the reports; real is linked into other programs.
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
forbid util 'core|explore|system|report|run|fuzz|real|cc|cli'
forbid core 'explore|system|report|run|fuzz|real|cc|cli'
forbid explore 'system|report|run|fuzz|real|cc|cli'
forbid system 'explore|report|run|fuzz|real|cc|cli'
forbid report 'explore|system|run|fuzz|real|cc|cli'
forbid run 'report|fuzz|real|cc|cli'
forbid fuzz 'report|cc'
forbid cc 'explore|system|report|run|fuzz|real|cli'
forbid real 'core|explore|system|report|run|fuzz|cc|cli'
[ $bad = 0 ] && echo "ok - layers" || echo "not ok - layers"
