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

# The hooks that the objects of all kinds of programs call.
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
# these.  All other opcodes of the header must be listed as harmless, or not at all.
touching='Load Store VAArg Fence AtomicCmpXchg AtomicRMW CatchPad CatchRet Call
Invoke CallBr'

opcodes() { # VERSION
  local name
  sed -n '/LLVMRet  *= 1,/,/} LLVMOpcode;/p' \
    "/usr/lib/llvm-$1/include/llvm-c/Core.h" |
    sed -n 's/^ *LLVM\([A-Za-z0-9]*\) *= .*/\1/p' | sort >"$folder/opcodes"
  sed -n 's/^HARMLESS(\(.*\))/\1/p' src/cc/instrument/opcodes.def |
    sort >"$folder/harmless"
  [ "$(wc -l <"$folder/opcodes")" -gt 60 ] || echo "cannot read the opcodes"
  for name in $touching; do
    grep -qx "$name" "$folder/harmless" && echo "$name is called harmless"
  done
  comm -13 "$folder/opcodes" "$folder/harmless" | sed 's/$/ is no opcode/'
}

intrinsics() { # VERSION
  local llvm=/usr/lib/llvm-$1
  gcc -std=gnu11 -D_GNU_SOURCE -Isrc -isystem "$llvm/include" \
    tests/hooks/walk.c $(find "$BUILD/obj/instrument-$1" -name '*.o') \
    $("$llvm/bin/llvm-config" --ldflags --libs) -o "$folder/walk" || return
  sed -n 's,.*// \(llvm\.[a-zA-Z0-9_.]*\).*,\1,p' \
    "$llvm"/include/llvm/IR/Intrinsic{Enums.inc,sX86.h,sAArch64.h} |
    "$folder/walk" >"$folder/intrinsics" 2>&1
  grep -qE '^[0-9]{4} intrinsics, 0 of them not tried' "$folder/intrinsics" ||
    echo "the walk did not come to its end"
  grep -v 'intrinsics, 0 of them not tried' "$folder/intrinsics"
}

# Builds the files with a clang, checks the program, prints its outputs.
outputs() { # VERSION FILE...
  HEDDLE_CLANG=/usr/lib/llvm-$1/bin/clang $HEDDLE cc -w "${@:2}" \
    -o "$folder/program" &&
    $HEDDLE check --races=off --outcomes "$folder/program" |
    sed -n 's/^ *[0-9]*  "\(.*\)"$/\1/p' | sort | paste -sd ' '
}

expect() { # GOT WANTED
  [ "$1" = "$2" ] || echo "got $1, expected $2"
}

# Masked loads and stores, gathers, scatters: as LLVM's own optimiser writes them.
vectors() { # VERSION
  [ "$(uname -m)" = x86_64 ] || return
  "/usr/lib/llvm-$1/bin/clang" -O3 -mavx512f -mprefer-vector-width=512 -S \
    -emit-llvm tests/hooks/vectors.c -o - |
    sed -E 's/"target-(cpu|features)"="[^"]*"//g' >"$folder/vectors.ll"
  local kind
  for kind in load store gather scatter; do
    grep -q "call .*llvm.masked.$kind" "$folder/vectors.ll" ||
      echo "no masked $kind"
  done
  expect "$(outputs "$1" "$folder/vectors.ll")" '0\n 7\n'
}

elements() { # VERSION
  local pointer=ptr name=p0.p0
  [ "$1" -gt 14 ] || pointer='i8*' name=p0i8.p0i8
  cat >"$folder/elements.ll" <<IR
define void @copy_two($pointer %to, $pointer %from) {
  call void @llvm.memcpy.element.unordered.atomic.$name.i64($pointer align 4 %to, $pointer align 4 %from, i64 8, i32 4)
  ret void
}
declare void @llvm.memcpy.element.unordered.atomic.$name.i64($pointer nocapture, $pointer nocapture, i64, i32)
IR
  expect "$(outputs "$1" tests/hooks/elements.c "$folder/elements.ll")" \
    '0 0\n 1 0\n 1 1\n'
}

for module in "$BUILD"/lib/instrument-*.so; do
  version=${module##*-} version=${version%.so}
  verdict "LLVM $version: the hooks are defined" "$(all_defined "$version" 2>&1)"
  verdict "LLVM $version: opcodes" "$(opcodes "$version" 2>&1)"
  verdict "LLVM $version: intrinsics" "$(intrinsics "$version" 2>&1)"
  verdict "LLVM $version: vectors" "$(vectors "$version" 2>&1)"
  verdict "LLVM $version: elements" "$(elements "$version" 2>&1)"
done
