#!/bin/bash
# Model programs: tests/models/*.model carry their expectations in comments.
cd "$(dirname "$0")/.." || exit 1
true
