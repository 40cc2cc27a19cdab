/* Values that a loop only takes along.
 *
 * A thread that tries to swap until it succeeds does the same whatever value
 * made it fail, up to the loop's next round: the value goes through phis and
 * casts into the values of that round, or nowhere.  So do parts of it, some
 * bytes side by side, as the members of a struct are.  It may also be stored:
 * in memory of the thread's own, as the runtime sees.  The runtime must know
 * that to leave failures out (system/native/engine/retry.c).
 */
#include "unit.h"
#include "ways.h"

/* More than a retry loop has; a longer way is not followed. */
enum { MOST_STATIONS = 16 };

struct way {
  const struct locals *locals;
  LLVMValueRef swap; /* where the value is from, or NULL: a load */
  bool arrives;      /* at a round */
  bool asked;        /* if the swap succeeded */
  bool parted;
  unsigned stations;
  LLVMValueRef station[MOST_STATIONS]; /* values that are the value */
};

static bool add(struct way *w, LLVMValueRef value) {
  for (unsigned i = 0; i < w->stations; i++)
    if (w->station[i] == value)
      return true;
  if (w->stations == MOST_STATIONS)
    return false;
  w->station[w->stations++] = value;
  return true;
}

/* Compared with what the swap expects, the value of a failure is different. */
static bool asks_for_success(struct way *w, LLVMValueRef compare) {
  if (!w->swap || !LLVMIsAICmpInst(compare))
    return false;
  LLVMIntPredicate predicate = LLVMGetICmpPredicate(compare);
  LLVMValueRef expected = LLVMGetOperand(w->swap, 1);
  w->asked = (predicate == LLVMIntEQ || predicate == LLVMIntNE) &&
             (LLVMGetOperand(compare, 0) == expected ||
              LLVMGetOperand(compare, 1) == expected);
  return w->asked;
}

/* Some bytes of a value, with zeros above them? */
static bool is_part(LLVMValueRef user) {
  if (LLVMGetInstructionOpcode(user) == LLVMTrunc)
    return LLVMGetIntTypeWidth(LLVMTypeOf(user)) % 8 == 0;
  LLVMValueRef by = LLVMGetOperand(user, 1);
  return LLVMIsAConstantInt(by) && LLVMConstIntGetZExtValue(by) % 8 == 0;
}

/* Is the store the last thing that happens before a round begins? */
static bool ends_before_round(LLVMValueRef store) {
  LLVMValueRef i = LLVMGetNextInstruction(store);
  while (LLVMIsACallInst(i) && intrinsic_is_marker(i))
    i = LLVMGetNextInstruction(i);
  return LLVMIsABranchInst(i) && !LLVMIsConditional(i) &&
         loops_begins_round(LLVMGetSuccessor(i, 0));
}

/* Not as an address, and not in a variable whose loads the runtime does not
 * see. */
static bool is_kept(struct way *w, LLVMValueRef store, LLVMValueRef station) {
  if (LLVMGetOperand(store, 1) == station ||
      is_local(w->locals, LLVMGetOperand(store, 1)))
    return false;
  w->arrives = w->arrives || ends_before_round(store);
  return true;
}

static bool is_followed(struct way *w, LLVMValueRef user,
                        LLVMValueRef station) {
  switch (LLVMGetInstructionOpcode(user)) {
  case LLVMPHI:
    if (!loops_begins_round(LLVMGetInstructionParent(user)))
      return add(w, user);
    return w->arrives = true;
  case LLVMBitCast:
  case LLVMPtrToInt:
  case LLVMIntToPtr:
    return add(w, user);
  case LLVMTrunc:
  case LLVMLShr:
    w->parted = true;
    return is_part(user) && add(w, user);
  case LLVMStore:
    return is_kept(w, user, station);
  default:
    return asks_for_success(w, user);
  }
}

static bool shows_only_in_rounds(struct way *w) {
  for (unsigned i = 0; i < w->stations; i++)
    for (LLVMUseRef use = LLVMGetFirstUse(w->station[i]); use;
         use = LLVMGetNextUse(use))
      if (!is_followed(w, LLVMGetUser(use), w->station[i]))
        return false;
  return !w->asked || !w->parted;
}

/* A swap gives the value it found and whether it succeeded. */
static bool add_found(struct way *w, LLVMValueRef swap) {
  for (LLVMUseRef use = LLVMGetFirstUse(swap); use; use = LLVMGetNextUse(use)) {
    LLVMValueRef part = LLVMGetUser(use);
    if (!LLVMIsAExtractValueInst(part))
      return false;
    if (LLVMGetIndices(part)[0] == 0 && !add(w, part))
      return false;
  }
  return true;
}

bool is_carried(const struct locals *locals, LLVMValueRef access) {
  struct way w = {.locals = locals};
  if (LLVMIsAAtomicCmpXchgInst(access)) {
    w.swap = access;
    return (add_found(&w, access) && shows_only_in_rounds(&w)) ||
           ways_carry_failure(locals, access);
  }
  return add(&w, access) && shows_only_in_rounds(&w) && w.arrives;
}
