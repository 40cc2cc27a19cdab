#!/bin/bash
# Only heddle_* and the interposed names are global in the runtime.
cd "$(dirname "$0")/.." || exit 1
if scripts/check-symbols "$BUILD/lib/heddle.o"; then
  echo "ok - symbols"
else
  echo "not ok - symbols"
fi
