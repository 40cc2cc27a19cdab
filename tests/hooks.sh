#!/bin/bash
# The instrumenter, with every LLVM that it was built for:
#  - every hook that it emits is one that the runtime defines;
#  - every opcode and every intrinsic function of LLVM that may touch memory is
#    hooked or refused.
cd "$(dirname "$0")/.." || exit 1
folder=$scratch/hooks
mkdir -p "$folder"
nm --defined-only "$BUILD/lib/heddle.o" | awk '{ print $3 }' | sort -u \
  >"$folder/defined"

verdict() { # NAME PROBLEMS
  if [ -z "$2" ]; then
    echo "ok - $1"
  else
    echo "$2"
    echo "not ok - $1"
  fi
}

# What the objects of all kinds of programs call.
emitted() { # CLANG
  local source
  for source in tests/hooks/all.c tests/native/count_*.c examples/*.c; do
    HEDDLE_CLANG=$1 $HEDDLE cc -w -c "$source" -o "$folder/one.o" || return
    nm -u "$folder/one.o" | awk '{ print $2 }'
  done | grep -E '^(heddle_hook|__atomic_)' | sort -u
}

all_defined() { # VERSION
  emitted "/usr/lib/llvm-$1/bin/clang" >"$folder/emitted" || return
  comm -23 "$folder/emitted" "$folder/defined"
  [ "$(grep -c heddle_hook "$folder/emitted")" -ge 10 ] ||
    echo "only $(wc -l <"$folder/emitted") hooks are emitted"
}

# Instruction::mayReadFromMemory and mayWriteToMemory of LLVM can be true of
# these.  The others of the header must be called harmless, or nothing at all.
touching='Load Store VAArg Fence AtomicCmpXchg AtomicRMW CatchPad CatchRet Call
Invoke CallBr'

opcodes() { # VERSION
  local name
  sed -n '/LLVMRet  *= 1,/,/} LLVMOpcode;/p' \
    "/usr/lib/llvm-$1/include/llvm-c/Core.h" |
    sed -n 's/^ *LLVM\([A-Za-z0-9]*\) *= .*/\1/p' | sort >"$folder/opcodes"
  sed -n 's/^HARMLESS(\(.*\))/\1/p' src/cc/opcodes.def | sort >"$folder/harmless"
  [ "$(wc -l <"$folder/opcodes")" -gt 60 ] || echo "cannot read the opcodes"
  for name in $touching; do
    grep -qx "$name" "$folder/harmless" && echo "$name is called harmless"
  done
  comm -13 "$folder/opcodes" "$folder/harmless" | sed 's/$/ is no opcode/'
}

intrinsics() { # VERSION
  local llvm=/usr/lib/llvm-$1
  gcc -std=gnu11 -D_GNU_SOURCE -Isrc -isystem "$llvm/include" \
    tests/hooks/walk.c "$BUILD/obj/instrument-$1"/src/*/*.o \
    $("$llvm/bin/llvm-config" --ldflags --libs) -o "$folder/walk" || return
  sed -n 's,.*// \(llvm\.[a-zA-Z0-9_.]*\).*,\1,p' \
    "$llvm"/include/llvm/IR/Intrinsic{Enums.inc,sX86.h,sAArch64.h} |
    "$folder/walk" >"$folder/intrinsics" 2>&1
  grep -qE '^[0-9]{4} intrinsics, 0 of them not tried' "$folder/intrinsics" ||
    echo "the walk did not come to its end"
  grep -v 'intrinsics, 0 of them not tried' "$folder/intrinsics"
}

for module in "$BUILD"/lib/instrument-*.so; do
  version=${module##*-} version=${version%.so}
  verdict "LLVM $version: the hooks are defined" "$(all_defined "$version" 2>&1)"
  verdict "LLVM $version: opcodes" "$(opcodes "$version" 2>&1)"
  verdict "LLVM $version: intrinsics" "$(intrinsics "$version" 2>&1)"
done
