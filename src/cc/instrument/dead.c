/* Stacks that hold nothing that is dead.
 *
 * An algorithm that stores states compares stacks byte by byte.  Values that
 * are never used again would keep states apart: in registers that callees keep,
 * in the slots that they are spilled to, and in what frames of finished calls
 * have left in the gaps of new ones.  A build with -fheddle-clear-dead leaves
 * none of them at a call, that is, wherever another thread may run:
 *
 *   - a value that is live across a call has a place in memory, and is loaded
 *     from there after each call.  So the compiler keeps nothing of its own
 *     across calls;
 *   - before a call, places of values that are dead are overwritten, and so are
 *     local variables that will not be read before they are written;
 *   - then the registers that callees keep are cleared, and the stack below the
 *     frame is (heddle_clear in system/native/engine/switch_*.S).
 *
 * Nothing has to be ignored by the runtime: if a value were called dead by
 * mistake, the program would use DEAD instead.  --verify puts something else
 * into all places of values that hold DEAD, and compares what steps do.
 *
 * This happens after all hooks are there: hooks and steps are those of any
 * other build.
 */
#include <stdlib.h>
#include <string.h>

#include "core/hook.h"
#include "util/ensure.h"
#include "live.h"
#include "unit.h"

/* keep: one function. */
struct dead {
  struct unit *u;
  struct live live;
  LLVMValueRef places;      /* an array of words */
  VEC(uint32_t) offset;     /* by item: its first word; NO_PLACE */
  uint32_t words;           /* of all places */
  VEC(LLVMValueRef) cached; /* by item: the value since the last call */
  VEC(uint32_t) in_cache;
  LLVMTypeRef places_type;
  LLVMValueRef clearing; /* assembly, or NULL */
};

#define NO_PLACE UINT32_MAX

/* ---- functions that are left alone --------------------------------------- */

static bool has_attribute(LLVMValueRef function, const char *name) {
  unsigned kind = LLVMGetEnumAttributeKindForName(name, strlen(name));
  return kind && LLVMGetEnumAttributeAtIndex(function,
                                             LLVMAttributeFunctionIndex, kind);
}

/* A call that may return twice, to where dead values are live again. */
static bool returns_twice(LLVMValueRef call) {
  static const char name[] = "returns_twice";
  unsigned kind = LLVMGetEnumAttributeKindForName(name, strlen(name));
  LLVMValueRef callee = LLVMGetCalledValue(call);
  return LLVMGetCallSiteEnumAttribute(call, LLVMAttributeFunctionIndex, kind) ||
         (LLVMIsAFunction(callee) && has_attribute(callee, name));
}

/* Control may come and go in ways that the graph does not show, or a value be
 * made where nothing can be inserted behind it. */
static bool is_strange(LLVMValueRef i) {
  if (LLVMIsACallInst(i))
    return !is_assembly(i) && returns_twice(i);
  switch (LLVMGetInstructionOpcode(i)) {
  case LLVMInvoke:
  case LLVMCallBr:
  case LLVMIndirectBr:
  case LLVMLandingPad:
  case LLVMCatchPad:
  case LLVMCleanupPad:
  case LLVMCatchSwitch:
    return true;
  default:
    return false;
  }
}

static bool is_left_alone(LLVMValueRef function) {
  if (has_attribute(function, "naked"))
    return true;
  for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b;
       b = LLVMGetNextBasicBlock(b))
    for (LLVMValueRef i = LLVMGetFirstInstruction(b); i;
         i = LLVMGetNextInstruction(i))
      if (is_strange(i))
        return true;
  return false;
}

/* ---- places -------------------------------------------------------------- */

static LLVMValueRef word_at(struct dead *d, uint32_t word) {
  LLVMValueRef index[] = {unit_word(d->u, 0), unit_word(d->u, word)};
  return LLVMBuildInBoundsGEP2(d->u->builder, d->places_type, d->places, index,
                               2, "");
}

static LLVMValueRef place_of(struct dead *d, uint32_t item, LLVMTypeRef type) {
  return LLVMBuildBitCast(d->u->builder, word_at(d, d->offset.at[item]),
                          LLVMPointerType(type, 0), "");
}

static uint32_t words_of(const struct dead *d, uint32_t item) {
  LLVMTypeRef type = LLVMTypeOf(d->live.items.at[item].value);
  return (uint32_t)((LLVMABISizeOfType(d->u->layout, type) + 7) / 8);
}

/* Which values are live behind some call? */
static void find_places(struct dead *d) {
  struct live *l = &d->live;
  for (uint32_t i = 0; i < l->items.size; i++) {
    VEC_PUSH(d->offset, NO_PLACE);
    VEC_PUSH(d->cached, NULL);
    for (size_t c = 0; c < l->calls.size && !l->items.at[i].size; c++)
      if (live_has(l->calls.at[c].after, i)) {
        d->offset.at[i] = d->words;
        d->words += words_of(d, i);
        break;
      }
  }
}

static void store_word(struct dead *d, LLVMValueRef pointer, uint64_t word) {
  LLVMSetAlignment(
      LLVMBuildStore(d->u->builder, unit_word(d->u, word), pointer), 8);
}

/* As what the value lies in its place.  Small integers fill a word: machine
 * code may load more than there is. */
static LLVMTypeRef kept_type(const struct dead *d, uint32_t item) {
  LLVMTypeRef type = LLVMTypeOf(d->live.items.at[item].value);
  return LLVMGetTypeKind(type) == LLVMIntegerTypeKind &&
                 LLVMGetIntTypeWidth(type) < 64
             ? d->u->word
             : type;
}

static void keep_value(struct dead *d, uint32_t item) {
  LLVMValueRef value = d->live.items.at[item].value;
  LLVMTypeRef type = kept_type(d, item);
  LLVMValueRef place = place_of(d, item, type);
  if (type != LLVMTypeOf(value))
    value = LLVMBuildZExt(d->u->builder, value, type, "");
  LLVMSetAlignment(LLVMBuildStore(d->u->builder, value, place), 8);
}

/* The value where the builder stands. */
static LLVMValueRef value_at(struct dead *d, uint32_t item) {
  if (!d->cached.at[item]) {
    LLVMTypeRef wanted = LLVMTypeOf(d->live.items.at[item].value);
    LLVMTypeRef type = kept_type(d, item);
    LLVMValueRef load =
        LLVMBuildLoad2(d->u->builder, type, place_of(d, item, type), "");
    LLVMSetAlignment(load, 8);
    if (type != wanted)
      load = LLVMBuildTrunc(d->u->builder, load, wanted, "");
    d->cached.at[item] = load;
    VEC_PUSH(d->in_cache, item);
  }
  return d->cached.at[item];
}

static void know(struct dead *d, uint32_t item, LLVMValueRef value) {
  d->cached.at[item] = value;
  VEC_PUSH(d->in_cache, item);
}

static void forget_all(struct dead *d) {
  while (d->in_cache.size)
    d->cached.at[VEC_POP(d->in_cache)] = NULL;
}

/* 1 + the number of a value that has a place, or 0. */
static uint32_t placed(const struct dead *d, LLVMValueRef value) {
  uint32_t n = live_number(&d->live, value);
  return n && d->offset.at[n - 1] != NO_PLACE ? n : 0;
}

/* ---- clearing ------------------------------------------------------------ */

/* Larger variables are filled by a hook. */
enum { MOST_STORES = 16 };

static void fill(struct dead *d, LLVMValueRef variable, uint64_t size,
                 uint64_t word) {
  struct unit *u = d->u;
  if (size > 8 * MOST_STORES) {
    LLVMValueRef arguments[] = {variable, unit_word(u, word & 0xff),
                                unit_word(u, size)};
    unit_call(u, HOOK_local_fill, arguments);
    return;
  }
  LLVMTypeRef byte = LLVMInt8TypeInContext(u->context);
  LLVMValueRef start =
      LLVMBuildBitCast(u->builder, variable, u->byte_pointer, "");
  for (uint64_t at = 0; at < size;) {
    unsigned part = size - at >= 8 ? 8 : size - at >= 4 ? 4 : 1;
    LLVMTypeRef type = LLVMIntTypeInContext(u->context, 8 * part);
    LLVMValueRef index = unit_word(u, at);
    LLVMValueRef to =
        LLVMBuildInBoundsGEP2(u->builder, byte, start, &index, 1, "");
    to = LLVMBuildBitCast(u->builder, to, LLVMPointerType(type, 0), "");
    LLVMSetAlignment(
        LLVMBuildStore(u->builder, LLVMConstInt(type, word, false), to), 1);
    at += part;
  }
}

static void clear_item(struct dead *d, uint32_t item) {
  const struct live_item *it = &d->live.items.at[item];
  if (it->size) {
    fill(d, it->value, it->size, ~HOOK_DEAD); /* may be written in part */
    return;
  }
  for (uint32_t i = 0; i < words_of(d, item); i++)
    store_word(d, word_at(d, d->offset.at[item] + i), HOOK_DEAD);
}

static bool is_used_by(const struct dead *d, LLVMValueRef call, uint32_t item) {
  const struct live *l = &d->live;
  uint32_t n = (uint32_t)(uintptr_t)map_get(&l->first, call);
  for (; n; n = l->effects.at[n - 1].next)
    if (l->effects.at[n - 1].item == item)
      return true;
  return false;
}

static bool is_cleared(const struct dead *d, const struct live_call *call,
                       uint32_t item) {
  const struct live_item *it = &d->live.items.at[item];
  if (it->unknown || (!it->size && d->offset.at[item] == NO_PLACE))
    return false;
  return !live_has(call->after, item) &&
         !(it->size && is_used_by(d, call->call, item));
}

/* ---- what need not be cleared again -------------------------------------- */

static void mark(uint64_t *set, uint32_t item, bool dirty) {
  uint64_t bit = UINT64_C(1) << item % 64;
  set[item / 64] = dirty ? set[item / 64] | bit : set[item / 64] & ~bit;
}

static void note_effects(const struct dead *d, LLVMValueRef i, uint64_t *set) {
  const struct live *l = &d->live;
  uint32_t own = placed(d, i), n;
  for (n = (uint32_t)(uintptr_t)map_get(&l->first, i); n;
       n = l->effects.at[n - 1].next)
    if (l->effects.at[n - 1].kind != LIVE_READS)
      mark(set, l->effects.at[n - 1].item, true);
  if (own)
    mark(set, own - 1, true);
}

static void note_clearing(const struct dead *d, LLVMValueRef call,
                          uint64_t *set) {
  const struct live_call *c = live_at(&d->live, call);
  for (uint32_t i = 0; i < d->live.items.size; i++)
    if (live_has(set, i) && is_cleared(d, c, i))
      mark(set, i, false);
}

static void pass_block(const struct dead *d, uint32_t block, uint64_t *set) {
  for (LLVMValueRef i = LLVMGetFirstInstruction(d->live.graph.blocks.at[block]);
       i; i = LLVMGetNextInstruction(i)) {
    if (live_is_call(i))
      note_clearing(d, i, set);
    note_effects(d, i, set);
  }
}

/* Variables begin as something else than DEAD. */
static void dirty_at_entry(const struct dead *d, uint64_t *set) {
  for (uint32_t i = 0; i < d->live.items.size; i++)
    if (d->live.items.at[i].size || LLVMIsAArgument(d->live.items.at[i].value))
      mark(set, i, true);
}

/* By block: what may hold something else than DEAD at its beginning. */
static uint64_t *find_dirty(const struct dead *d) {
  const struct graph *g = &d->live.graph;
  size_t words = d->live.words;
  uint64_t *dirty = calloc(g->blocks.size * words + 1, sizeof *dirty);
  uint64_t *set = calloc(words + 1, sizeof *set);
  ensure(dirty && set);
  dirty_at_entry(d, dirty);
  for (bool more = true; more;) {
    more = false;
    for (uint32_t b = 0; b < g->blocks.size; b++) {
      memcpy(set, &dirty[b * words], words * sizeof *set);
      pass_block(d, b, set);
      for (uint32_t e = g->leaving.at[b]; e < g->leaving.at[b + 1]; e++)
        for (size_t i = 0; i < words; i++) {
          uint64_t *known = &dirty[g->edges.at[e].to * words + i];
          more = more || (set[i] & ~*known);
          *known |= set[i];
        }
    }
  }
  free(set);
  return dirty;
}

/* ---- registers ----------------------------------------------------------- */

static bool is_large_frame(LLVMValueRef function) {
  bool moves = false, aligned = false;
  for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b;
       b = LLVMGetNextBasicBlock(b))
    for (LLVMValueRef i = LLVMGetFirstInstruction(b); i;
         i = LLVMGetNextInstruction(i)) {
      bool fixed = b == LLVMGetEntryBasicBlock(function) &&
                   LLVMIsAAllocaInst(i) &&
                   LLVMIsAConstantInt(LLVMGetOperand(i, 0));
      moves = moves || (LLVMIsAAllocaInst(i) && !fixed);
      aligned = aligned || (LLVMIsAAllocaInst(i) && LLVMGetAlignment(i) > 16);
    }
  return moves && aligned;
}

/* The call that clears registers, as assembly, since it changes those that
 * calls leave alone; or NULL.  In a frame that is both aligned and of variable
 * size one of them leads to the variables. */
static LLVMValueRef clearing_call(const struct unit *u) {
  static const char x86[] = "call heddle_clear@PLT";
  static const char x86_changes[] =
      "~{rbx},~{r12},~{r13},~{r14},~{r15},~{xmm15},~{dirflag},~{fpsr},"
      "~{flags}";
  static const char arm[] = "bl heddle_clear";
  static const char arm_changes[] =
      "~{x16},~{x17},~{x19},~{x20},~{x21},~{x22},~{x23},~{x24},~{x25},~{x26},"
      "~{x27},~{x28},~{x30}";
  LLVMTypeRef type =
      LLVMFunctionType(LLVMVoidTypeInContext(u->context), NULL, 0, false);
  bool is_x86 = !strncmp(LLVMGetTarget(u->module), "x86_64", 6);
  const char *text = is_x86 ? x86 : arm;
  const char *changes = is_x86 ? x86_changes : arm_changes;
  return LLVMGetInlineAsm(type, (char *)text, strlen(text), (char *)changes,
                          strlen(changes), true, false, LLVMInlineAsmDialectATT,
                          false);
}

static void clear_registers(struct dead *d) {
  LLVMTypeRef type =
      LLVMFunctionType(LLVMVoidTypeInContext(d->u->context), NULL, 0, false);
  LLVMBuildCall2(d->u->builder, type, d->clearing, NULL, 0, "");
}

/* ---- rewriting ----------------------------------------------------------- */

static void use_places(struct dead *d, LLVMValueRef i) {
  uint32_t n;
  for (unsigned k = 0; k < (unsigned)LLVMGetNumOperands(i); k++)
    if ((n = placed(d, LLVMGetOperand(i, k)))) {
      LLVMValueRef value = value_at(d, n - 1);
      if (value != LLVMGetOperand(i, k))
        LLVMSetOperand(i, k, value);
    }
}

/* The values that a block's phis take from the one at hand. */
static void use_places_in_phis(struct dead *d, LLVMBasicBlockRef to,
                               LLVMBasicBlockRef from) {
  uint32_t n;
  for (LLVMValueRef phi = LLVMGetFirstInstruction(to);
       phi && LLVMIsAPHINode(phi); phi = LLVMGetNextInstruction(phi))
    for (unsigned k = 0; k < LLVMCountIncoming(phi); k++)
      if (LLVMGetIncomingBlock(phi, k) == from &&
          (n = placed(d, LLVMGetIncomingValue(phi, k))))
        LLVMSetOperand(phi, k, value_at(d, n - 1));
}

static void before_call(struct dead *d, LLVMValueRef call, uint64_t *dirty) {
  const struct live_call *c = live_at(&d->live, call);
  for (uint32_t i = 0; i < d->live.items.size; i++)
    if (live_has(dirty, i) && is_cleared(d, c, i))
      clear_item(d, i);
  note_clearing(d, call, dirty);
  if (d->clearing)
    clear_registers(d);
  forget_all(d);
}

static void keep_result(struct dead *d, LLVMValueRef i) {
  uint32_t n = placed(d, i);
  if (!n)
    return;
  LLVMPositionBuilderBefore(d->u->builder, LLVMGetNextInstruction(i));
  keep_value(d, n - 1);
  know(d, n - 1, i);
}

static LLVMValueRef keep_phis(struct dead *d, LLVMBasicBlockRef block) {
  LLVMValueRef first = LLVMGetFirstInstruction(block);
  while (LLVMIsAPHINode(first))
    first = LLVMGetNextInstruction(first);
  LLVMPositionBuilderBefore(d->u->builder, first);
  for (LLVMValueRef phi = LLVMGetFirstInstruction(block); LLVMIsAPHINode(phi);
       phi = LLVMGetNextInstruction(phi)) {
    uint32_t n = placed(d, phi);
    if (n) {
      keep_value(d, n - 1);
      know(d, n - 1, phi);
    }
  }
  return first;
}

static void rewrite_block(struct dead *d, uint32_t block, uint64_t *dirty) {
  const struct graph *g = &d->live.graph;
  LLVMBasicBlockRef b = g->blocks.at[block];
  LLVMValueRef next, end = LLVMGetBasicBlockTerminator(b);
  for (LLVMValueRef i = keep_phis(d, b); i; i = next) {
    next = LLVMGetNextInstruction(i);
    LLVMPositionBuilderBefore(d->u->builder, i);
    use_places(d, i);
    for (unsigned s = 0; i == end && s < LLVMGetNumSuccessors(end); s++)
      use_places_in_phis(d, LLVMGetSuccessor(end, s), b);
    if (live_is_call(i))
      before_call(d, i, dirty);
    note_effects(d, i, dirty);
    if (i != end)
      keep_result(d, i);
  }
  forget_all(d);
}

/* Uninitialised variables begin as zeros: a frame's bytes are those of frames
 * before it. */
static void begin_variables(struct dead *d) {
  enum { MOST = 64 << 10 };
  for (uint32_t i = 0; i < d->live.items.size; i++) {
    const struct live_item *it = &d->live.items.at[i];
    if (!it->size || it->size > MOST)
      continue;
    LLVMPositionBuilderBefore(d->u->builder, LLVMGetNextInstruction(it->value));
    fill(d, it->value, it->size, 0);
  }
}

/* At the very beginning: the places, and the parameters in them. */
static void begin_places(struct dead *d, LLVMValueRef function) {
  struct unit *u = d->u;
  LLVMBasicBlockRef entry = LLVMGetEntryBasicBlock(function);
  LLVMPositionBuilderBefore(u->builder, LLVMGetFirstInstruction(entry));
  d->places_type = LLVMArrayType(u->word, d->words);
  d->places = LLVMBuildAlloca(u->builder, d->places_type, "");
  LLVMSetAlignment(d->places, 16);
  for (uint32_t i = 0; i < d->words; i++)
    store_word(d, word_at(d, i), HOOK_DEAD);
  for (unsigned i = 0; i < LLVMCountParams(function); i++) {
    uint32_t n = placed(d, LLVMGetParam(function, i));
    if (!n)
      continue;
    keep_value(d, n - 1);
    know(d, n - 1, LLVMGetParam(function, i));
  }
}

static void set_frame_pointer(struct unit *u, LLVMValueRef function) {
  LLVMAddAttributeAtIndex(
      function, LLVMAttributeFunctionIndex,
      LLVMCreateStringAttribute(u->context, "frame-pointer", 13, "all", 3));
}

static void rewrite(struct dead *d, LLVMValueRef function) {
  uint64_t *dirty = find_dirty(d);
  if (d->words)
    begin_places(d, function);
  for (uint32_t b = 0; b < d->live.graph.blocks.size; b++)
    rewrite_block(d, b, &dirty[b * d->live.words]);
  begin_variables(d);
  free(dirty);
}

void dead_clear(struct unit *u, LLVMValueRef function) {
  struct dead d = {.u = u};
  if (is_left_alone(function))
    return;
  if (live_find(u, function, &d.live)) {
    find_places(&d);
    d.clearing = is_large_frame(function) ? NULL : clearing_call(u);
    if (d.clearing)
      set_frame_pointer(u, function);
    rewrite(&d, function);
  }
  live_free(&d.live);
  VEC_FREE(d.offset);
  VEC_FREE(d.cached);
  VEC_FREE(d.in_cache);
}
