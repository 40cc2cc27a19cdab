/* Where a thread can go from here, and what it uses of a value on the way.
 *
 *   do
 *     seen = x;
 *   while ((seen & 1) || !compare_swap(&x, &seen, seen + 1));
 *   y = seen;
 *
 * A swap that fails writes what it found to `seen`.  That value is used behind
 * the loop, but not by a thread whose swap has failed.  So each way is followed
 * by itself, with what is known on it: the swap has failed, and the conditions
 * by which the thread came so far.  A condition that says the same as an
 * earlier one, although it is computed anew, has the same result.
 *
 * A way that comes to a block twice is not followed, and neither are more ways
 * than there are in a loop that waits: then the value is taken to be used.
 */
#include "ways.h"

enum {
  MOST_KNOWN = 16,
  MOST_BLOCKS = 48,
  MOST_STATIONS = 16,
  MOST_STEPS = 512
};

struct known {
  LLVMValueRef condition;
  bool holds;
};

struct ways {
  const struct locals *locals;
  LLVMValueRef swap;                /* it has failed; or NULL */
  LLVMValueRef phi;                 /* that is followed, or NULL */
  unsigned steps;                   /* blocks on all ways so far */
  unsigned blocks, known, stations; /* of the way at hand */
  LLVMBasicBlockRef block[MOST_BLOCKS];
  struct known condition[MOST_KNOWN];
  LLVMValueRef station[MOST_STATIONS]; /* values that are the value */
};

static bool is_station(const struct ways *w, LLVMValueRef value) {
  for (unsigned i = 0; i < w->stations; i++)
    if (w->station[i] == value)
      return true;
  return false;
}

static bool add_station(struct ways *w, LLVMValueRef value) {
  if (is_station(w, value))
    return true;
  if (w->stations == MOST_STATIONS)
    return false;
  w->station[w->stations++] = value;
  return true;
}

/* ---- conditions ---------------------------------------------------------- */

enum truth { FALSE, TRUE, UNKNOWN };
enum { DEEPEST = 8 };

static enum truth opposite(enum truth t) {
  return t == UNKNOWN ? UNKNOWN : t == TRUE ? FALSE : TRUE;
}

static bool is_pure(LLVMValueRef value) {
  return LLVMIsABinaryOperator(value) || LLVMIsACastInst(value) ||
         LLVMIsAICmpInst(value);
}

/* Computed in the same way from the same values? */
static bool is_same(LLVMValueRef a, LLVMValueRef b, int depth) {
  if (a == b)
    return true;
  if (depth == DEEPEST || !is_pure(a) || !is_pure(b) ||
      LLVMGetInstructionOpcode(a) != LLVMGetInstructionOpcode(b) ||
      LLVMTypeOf(a) != LLVMTypeOf(b) ||
      (LLVMIsAICmpInst(a) &&
       LLVMGetICmpPredicate(a) != LLVMGetICmpPredicate(b)))
    return false;
  for (int i = 0; i < LLVMGetNumOperands(a); i++)
    if (!is_same(LLVMGetOperand(a, (unsigned)i), LLVMGetOperand(b, (unsigned)i),
                 depth + 1))
      return false;
  return true;
}

/* The value that the phi got on this way, or NULL. */
static LLVMValueRef phi_value(const struct ways *w, LLVMValueRef phi) {
  LLVMBasicBlockRef block = LLVMGetInstructionParent(phi);
  for (unsigned i = 1; i < w->blocks; i++)
    for (unsigned k = 0; w->block[i] == block && k < LLVMCountIncoming(phi);
         k++)
      if (LLVMGetIncomingBlock(phi, k) == w->block[i - 1])
        return LLVMGetIncomingValue(phi, k);
  return NULL;
}

static bool is_success(const struct ways *w, LLVMValueRef value) {
  return w->swap && LLVMIsAExtractValueInst(value) &&
         LLVMGetOperand(value, 0) == w->swap && LLVMGetIndices(value)[0] == 1;
}

/* What the swap found, compared with what it expected? */
static bool asks_for_success(const struct ways *w, LLVMValueRef compare) {
  if (!w->swap || !LLVMIsAICmpInst(compare))
    return false;
  LLVMValueRef a = LLVMGetOperand(compare, 0), b = LLVMGetOperand(compare, 1);
  LLVMValueRef expected = LLVMGetOperand(w->swap, 1);
  LLVMIntPredicate p = LLVMGetICmpPredicate(compare);
  return (p == LLVMIntEQ || p == LLVMIntNE) &&
         ((is_station(w, a) && b == expected) ||
          (is_station(w, b) && a == expected));
}

static enum truth is_true(const struct ways *, LLVMValueRef, int depth);

static enum truth compares(const struct ways *w, LLVMValueRef compare,
                           int depth) {
  LLVMIntPredicate p = LLVMGetICmpPredicate(compare);
  LLVMValueRef with = LLVMGetOperand(compare, 1);
  if (asks_for_success(w, compare))
    return p == LLVMIntNE ? TRUE : FALSE;
  if ((p != LLVMIntEQ && p != LLVMIntNE) || !LLVMIsAConstantInt(with) ||
      LLVMConstIntGetZExtValue(with))
    return UNKNOWN;
  enum truth t = is_true(w, LLVMGetOperand(compare, 0), depth);
  return p == LLVMIntNE ? t : opposite(t);
}

/* Does it flip a truth value? */
static bool is_not(LLVMValueRef value) {
  return LLVMGetInstructionOpcode(value) == LLVMXor &&
         LLVMIsAConstantInt(LLVMGetOperand(value, 1)) &&
         LLVMConstIntGetZExtValue(LLVMGetOperand(value, 1)) == 1;
}

/* Of a value that is 0 or 1, whatever its type. */
static enum truth is_true_instruction(const struct ways *w, LLVMValueRef value,
                                      int depth) {
  switch (LLVMGetInstructionOpcode(value)) {
  case LLVMZExt:
  case LLVMTrunc:
    return is_true(w, LLVMGetOperand(value, 0), depth + 1);
  case LLVMXor:
    return is_not(value)
               ? opposite(is_true(w, LLVMGetOperand(value, 0), depth + 1))
               : UNKNOWN;
  case LLVMICmp:
    return compares(w, value, depth + 1);
  case LLVMPHI: {
    LLVMValueRef got = phi_value(w, value);
    return got ? is_true(w, got, depth + 1) : UNKNOWN;
  }
  default:
    return UNKNOWN;
  }
}

static enum truth is_true(const struct ways *w, LLVMValueRef value, int depth) {
  if (LLVMIsAConstantInt(value))
    switch (LLVMConstIntGetZExtValue(value)) {
    case 0:
      return FALSE;
    case 1:
      return TRUE;
    default:
      return UNKNOWN;
    }
  if (is_success(w, value))
    return FALSE;
  for (unsigned i = 0; i < w->known; i++)
    if (is_same(w->condition[i].condition, value, 0))
      return w->condition[i].holds ? TRUE : FALSE;
  return depth < DEEPEST && LLVMIsAInstruction(value)
             ? is_true_instruction(w, value, depth)
             : UNKNOWN;
}

/* ---- a way --------------------------------------------------------------- */

/* Memory whose loads the runtime sees may get the value of a failure. */
static bool is_kept(const struct ways *w, LLVMValueRef store) {
  return w->swap && !is_station(w, LLVMGetOperand(store, 1)) &&
         !is_local(w->locals, LLVMGetOperand(store, 1));
}

static bool is_harmless(struct ways *w, LLVMValueRef user) {
  switch (LLVMGetInstructionOpcode(user)) {
  case LLVMBitCast:
  case LLVMPtrToInt:
  case LLVMIntToPtr:
    return add_station(w, user);
  case LLVMStore:
    return is_kept(w, user);
  default:
    return asks_for_success(w, user) ||
           (LLVMIsACallInst(user) && intrinsic_is_marker(user));
  }
}

static bool uses(const struct ways *w, LLVMValueRef instruction) {
  for (int i = 0; i < LLVMGetNumOperands(instruction); i++)
    if (is_station(w, LLVMGetOperand(instruction, (unsigned)i)))
      return true;
  return false;
}

static bool brings_station(const struct ways *w, LLVMValueRef phi,
                           LLVMBasicBlockRef from) {
  for (unsigned i = 0; i < LLVMCountIncoming(phi); i++)
    if (LLVMGetIncomingBlock(phi, i) == from)
      return is_station(w, LLVMGetIncomingValue(phi, i));
  return false;
}

/* All phis of a block get their values at once. */
static bool bring_to_phis(struct ways *w, LLVMBasicBlockRef from,
                          LLVMBasicBlockRef to) {
  struct ways before = *w;
  for (LLVMValueRef i = LLVMGetFirstInstruction(to); LLVMIsAPHINode(i);
       i = LLVMGetNextInstruction(i))
    if (brings_station(&before, i, from) && !add_station(w, i))
      return false;
  return true;
}

/* Back at the head: the phi may go on to be what it was, and nothing else. */
static bool ends_at_head(const struct ways *w, LLVMBasicBlockRef from,
                         LLVMBasicBlockRef head) {
  for (LLVMValueRef i = LLVMGetFirstInstruction(head); LLVMIsAPHINode(i);
       i = LLVMGetNextInstruction(i))
    if (i != w->phi && brings_station(w, i, from))
      return false;
  return true;
}

struct places {
  VEC(LLVMBasicBlockRef) list;
};

static void add_place(struct places *p, LLVMBasicBlockRef block) {
  for (size_t i = 0; i < p->list.size; i++)
    if (p->list.at[i] == block)
      return;
  VEC_PUSH(p->list, block);
}

static bool reaches(LLVMBasicBlockRef from, LLVMBasicBlockRef to,
                    LLVMBasicBlockRef without) {
  struct places p = {0};
  bool found = false;
  add_place(&p, from);
  for (size_t i = 0; i < p.list.size && !found; i++) {
    LLVMValueRef end = LLVMGetBasicBlockTerminator(p.list.at[i]);
    found = p.list.at[i] == to;
    for (unsigned k = 0; k < LLVMGetNumSuccessors(end); k++)
      if (LLVMGetSuccessor(end, k) != without)
        add_place(&p, LLVMGetSuccessor(end, k));
  }
  VEC_FREE(p.list);
  return found;
}

/* A round begins: all that is not among its values must be computed anew before
 * it is used again, since no way leads to its place but by this head. */
static bool ends_in_round(const struct ways *w, LLVMBasicBlockRef head) {
  LLVMBasicBlockRef first =
      LLVMGetEntryBasicBlock(LLVMGetBasicBlockParent(head));
  for (unsigned i = 0; i < w->stations; i++) {
    LLVMBasicBlockRef place = LLVMGetInstructionParent(w->station[i]);
    if (first == head || place == head || reaches(first, place, head))
      return false;
  }
  return true;
}

static bool is_on_way(const struct ways *w, LLVMBasicBlockRef block) {
  for (unsigned i = 0; i < w->blocks; i++)
    if (w->block[i] == block)
      return true;
  return false;
}

static bool follow(struct ways *, LLVMValueRef first);

static bool go_to(struct ways *w, LLVMBasicBlockRef from,
                  LLVMBasicBlockRef to) {
  if (w->phi && to == LLVMGetInstructionParent(w->phi))
    return ends_at_head(w, from, to);
  if (w->swap && loops_begins_round(to))
    return ends_in_round(w, to);
  if (is_on_way(w, to) || w->blocks == MOST_BLOCKS || ++w->steps > MOST_STEPS)
    return false;
  unsigned blocks = w->blocks, stations = w->stations;
  bool harmless = bring_to_phis(w, from, to);
  w->block[w->blocks++] = to;
  harmless = harmless && follow(w, LLVMGetFirstInstruction(to));
  w->blocks = blocks;
  w->stations = stations;
  return harmless;
}

static bool go_if(struct ways *w, LLVMValueRef branch, bool holds) {
  unsigned known = w->known;
  if (known == MOST_KNOWN)
    return false;
  w->condition[w->known++] = (struct known){LLVMGetCondition(branch), holds};
  bool harmless = go_to(w, LLVMGetInstructionParent(branch),
                        LLVMGetSuccessor(branch, holds ? 0 : 1));
  w->known = known;
  return harmless;
}

static bool go_on(struct ways *w, LLVMValueRef end) {
  LLVMBasicBlockRef block = LLVMGetInstructionParent(end);
  if (LLVMIsABranchInst(end) && LLVMIsConditional(end)) {
    enum truth t = is_true(w, LLVMGetCondition(end), 0);
    return (t == FALSE || go_if(w, end, true)) &&
           (t == TRUE || go_if(w, end, false));
  }
  for (unsigned i = 0; i < LLVMGetNumSuccessors(end); i++)
    if (!go_to(w, block, LLVMGetSuccessor(end, i)))
      return false;
  return true;
}

static bool follow(struct ways *w, LLVMValueRef first) {
  for (LLVMValueRef i = first; i; i = LLVMGetNextInstruction(i)) {
    if (!LLVMIsAPHINode(i) && uses(w, i) && !is_harmless(w, i))
      return false;
    if (LLVMIsATerminatorInst(i))
      return go_on(w, i);
  }
  return false;
}

/* ---- what is asked ------------------------------------------------------- */

static bool add_found(struct ways *w) {
  for (LLVMUseRef use = LLVMGetFirstUse(w->swap); use;
       use = LLVMGetNextUse(use)) {
    LLVMValueRef part = LLVMGetUser(use);
    if (!LLVMIsAExtractValueInst(part) ||
        (LLVMGetIndices(part)[0] == 0 && !add_station(w, part)))
      return false;
  }
  return true;
}

bool ways_carry_failure(const struct locals *locals, LLVMValueRef swap) {
  struct ways w = {.locals = locals, .swap = swap, .blocks = 1};
  w.block[0] = LLVMGetInstructionParent(swap);
  return add_found(&w) && follow(&w, LLVMGetNextInstruction(swap));
}

bool ways_ignore_phi(LLVMValueRef phi) {
  struct ways w = {.phi = phi, .blocks = 1};
  w.block[0] = LLVMGetInstructionParent(phi);
  return add_station(&w, phi) && follow(&w, LLVMGetNextInstruction(phi));
}
