#!/bin/bash
# The sources are laid out by clang-format, where it is installed.
cd "$(dirname "$0")/.." || exit 1
command -v clang-format >/dev/null || exit 0
if MAKEFLAGS= make -s check-format; then
  echo "ok - format"
else
  echo "not ok - format (make format)"
fi
