/* What is live at the calls of a function.
 *
 * The usual walk backward over the graph of blocks.  A value is live if it may
 * be used later; a variable in memory if it may be read before all of it is
 * written.  A phi uses a value at the end of the block that the value comes
 * from.
 *
 * Variables are those of a fixed size of which every use is known: loads,
 * stores, copies by hooks, and what compares addresses.
 */
#include "live.h"

#include <stdlib.h>
#include <string.h>

#include "util/ensure.h"

/* A function with larger sets is left as it is. */
enum { MOST_WORDS = 4 << 20 };

static bool is_intrinsic_call(LLVMValueRef call) {
  LLVMValueRef callee = LLVMGetCalledValue(call);
  return LLVMIsAFunction(callee) && LLVMGetIntrinsicID(callee);
}

bool live_is_call(LLVMValueRef i) {
  return LLVMIsACallInst(i) && !is_assembly(i) && !is_intrinsic_call(i);
}

uint32_t live_number(const struct live *l, LLVMValueRef value) {
  return (uint32_t)(uintptr_t)map_get(&l->number, value);
}

const struct live_call *live_at(const struct live *l, LLVMValueRef call) {
  return &l->calls.at[(uintptr_t)map_get(&l->call, call) - 1];
}

static void add_item(struct live *l, LLVMValueRef value, uint64_t size) {
  VEC_PUSH(l->items, (struct live_item){value, size, false});
  *map_place(&l->number, value) = (void *)(uintptr_t)l->items.size;
}

/* ---- variables ----------------------------------------------------------- */

static void add_effect(struct live *l, LLVMValueRef instruction, uint32_t item,
                       enum live_effect_kind kind) {
  void **first = map_place(&l->first, instruction);
  VEC_PUSH(l->effects,
           (struct live_effect){kind, item, (uint32_t)(uintptr_t)*first});
  *first = (void *)(uintptr_t)l->effects.size;
}

/* Where uses of a variable are collected. */
struct use_walk {
  struct unit *u;
  struct live *l;
  LLVMValueRef variable;
  uint64_t size;
  uint32_t item;
  value_list pointers;
};

static void effect(struct use_walk *w, LLVMValueRef user,
                   enum live_effect_kind kind) {
  add_effect(w->l, user, w->item, kind);
}

static enum live_effect_kind write_of(const struct use_walk *w,
                                      LLVMValueRef pointer, LLVMValueRef size) {
  return pointer == w->variable && LLVMIsAConstantInt(size) &&
                 LLVMConstIntGetZExtValue(size) >= w->size
             ? LIVE_RENEWS
             : LIVE_WRITES;
}

static bool look_at_store(struct use_walk *w, LLVMValueRef store,
                          LLVMValueRef pointer) {
  LLVMValueRef stored = LLVMGetOperand(store, 0);
  if (stored == pointer)
    return false;
  uint64_t size = unit_size(w->u, LLVMTypeOf(stored));
  effect(w, store, write_of(w, pointer, unit_word(w->u, size)));
  return true;
}

static bool look_at_call(struct use_walk *w, LLVMValueRef call,
                         LLVMValueRef pointer) {
  unsigned byval = w->u->attribute[ATTRIBUTE_BYVAL];
  if (is_assembly(call) || LLVMGetCalledValue(call) == pointer)
    return false;
  if (is_intrinsic_call(call)) {
    if (intrinsic_is_marker(call))
      return true;
    effect(w, call, LIVE_READS);
    return !intrinsic_lets_escape(call);
  }
  if (unit_is_call(call, HOOK_bounds))
    return true;
  if (unit_is_call(call, HOOK_local_copy) ||
      unit_is_call(call, HOOK_local_fill)) {
    bool copies = unit_is_call(call, HOOK_local_copy);
    if (copies && LLVMGetOperand(call, 1) == pointer)
      effect(w, call, LIVE_READS);
    if (LLVMGetOperand(call, 0) == pointer)
      effect(w, call, write_of(w, pointer, LLVMGetOperand(call, 2)));
    return true;
  }
  for (unsigned i = 0; i < LLVMGetNumArgOperands(call); i++)
    if (LLVMGetOperand(call, i) == pointer &&
        !LLVMGetCallSiteEnumAttribute(call, i + 1, byval))
      return false;
  effect(w, call, LIVE_READS);
  return true;
}

/* False: it may let the variable be known elsewhere. */
static bool look_at_use(struct use_walk *w, LLVMValueRef user,
                        LLVMValueRef pointer) {
  if (!LLVMIsAInstruction(user))
    return false;
  switch (LLVMGetInstructionOpcode(user)) {
  case LLVMLoad:
  case LLVMVAArg:
    effect(w, user, LIVE_READS);
    return true;
  case LLVMICmp:
    return true;
  case LLVMStore:
    return look_at_store(w, user, pointer);
  case LLVMGetElementPtr:
  case LLVMBitCast:
  case LLVMAddrSpaceCast:
  case LLVMPHI:
  case LLVMSelect:
  case LLVMFreeze:
    if (LLVMGetTypeKind(LLVMTypeOf(user)) != LLVMPointerTypeKind)
      return false;
    if (!value_list_has(&w->pointers, user))
      VEC_PUSH(w->pointers, user);
    return true;
  case LLVMCall:
    return look_at_call(w, user, pointer);
  default:
    return false;
  }
}

static bool find_effects(struct use_walk *w) {
  bool known = true;
  VEC_PUSH(w->pointers, w->variable);
  for (size_t i = 0; i < w->pointers.size && known; i++) {
    LLVMValueRef pointer = w->pointers.at[i];
    for (LLVMUseRef use = LLVMGetFirstUse(pointer); use && known;
         use = LLVMGetNextUse(use))
      known = look_at_use(w, LLVMGetUser(use), pointer);
  }
  VEC_FREE(w->pointers);
  return known;
}

static void add_variable(struct unit *u, struct live *l, LLVMValueRef local) {
  LLVMTypeRef type = LLVMGetAllocatedType(local);
  LLVMValueRef count = LLVMGetOperand(local, 0);
  if (!LLVMIsAConstantInt(count))
    return;
  uint64_t size =
      LLVMABISizeOfType(u->layout, type) * LLVMConstIntGetZExtValue(count);
  struct use_walk w = {u, l, local, size, (uint32_t)l->items.size, {0}};
  if (!size)
    return;
  add_item(l, local, size);
  VEC_TOP(l->items).unknown = !find_effects(&w);
}

static void add_variables(struct unit *u, struct live *l,
                          LLVMValueRef function) {
  LLVMBasicBlockRef entry = LLVMGetEntryBasicBlock(function);
  for (LLVMValueRef i = LLVMGetFirstInstruction(entry); i;
       i = LLVMGetNextInstruction(i))
    if (LLVMIsAAllocaInst(i))
      add_variable(u, l, i);
}

/* ---- values -------------------------------------------------------------- */

static bool has_a_place(LLVMTypeRef type) {
  switch (LLVMGetTypeKind(type)) {
  case LLVMIntegerTypeKind:
  case LLVMPointerTypeKind:
  case LLVMHalfTypeKind:
  case LLVMFloatTypeKind:
  case LLVMDoubleTypeKind:
  case LLVMX86_FP80TypeKind:
  case LLVMFP128TypeKind:
  case LLVMVectorTypeKind:
  case LLVMStructTypeKind:
  case LLVMArrayTypeKind:
    return true;
  default:
    return false;
  }
}

static bool is_fixed_variable(LLVMValueRef i) {
  LLVMBasicBlockRef block = LLVMGetInstructionParent(i);
  return LLVMIsAAllocaInst(i) && LLVMIsAConstantInt(LLVMGetOperand(i, 0)) &&
         block == LLVMGetEntryBasicBlock(LLVMGetBasicBlockParent(block));
}

static void add_values(struct live *l, LLVMValueRef function) {
  for (unsigned i = 0; i < LLVMCountParams(function); i++)
    if (has_a_place(LLVMTypeOf(LLVMGetParam(function, i))))
      add_item(l, LLVMGetParam(function, i), 0);
  for (size_t b = 0; b < l->graph.blocks.size; b++)
    for (LLVMValueRef i = LLVMGetFirstInstruction(l->graph.blocks.at[b]); i;
         i = LLVMGetNextInstruction(i))
      if (!is_fixed_variable(i) && has_a_place(LLVMTypeOf(i)) &&
          LLVMGetFirstUse(i))
        add_item(l, i, 0);
}

/* ---- the walk backward --------------------------------------------------- */

static void set_bit(uint64_t *set, uint32_t item) {
  set[item / 64] |= UINT64_C(1) << item % 64;
}

static void clear_bit(uint64_t *set, uint32_t item) {
  set[item / 64] &= ~(UINT64_C(1) << item % 64);
}

static void take_effects_back(const struct live *l, LLVMValueRef i,
                              enum live_effect_kind kind, uint64_t *set) {
  uint32_t n = (uint32_t)(uintptr_t)map_get(&l->first, i);
  for (; n; n = l->effects.at[n - 1].next) {
    const struct live_effect *e = &l->effects.at[n - 1];
    if (e->kind != kind)
      continue;
    if (kind == LIVE_READS)
      set_bit(set, e->item);
    else
      clear_bit(set, e->item);
  }
}

/* Back over an instruction that is no phi. */
static void take_back(const struct live *l, LLVMValueRef i, uint64_t *set) {
  uint32_t own = live_number(l, i), used;
  if (own && !l->items.at[own - 1].size)
    clear_bit(set, own - 1);
  take_effects_back(l, i, LIVE_RENEWS, set);
  take_effects_back(l, i, LIVE_READS, set);
  for (unsigned n = 0; n < (unsigned)LLVMGetNumOperands(i); n++)
    if ((used = live_number(l, LLVMGetOperand(i, n))) &&
        !l->items.at[used - 1].size)
      set_bit(set, used - 1);
}

/* The values that phis of `to` take from the block. */
static void add_incoming(const struct live *l, LLVMBasicBlockRef to,
                         LLVMBasicBlockRef from, uint64_t *set) {
  for (LLVMValueRef phi = LLVMGetFirstInstruction(to);
       phi && LLVMIsAPHINode(phi); phi = LLVMGetNextInstruction(phi))
    for (unsigned i = 0; i < LLVMCountIncoming(phi); i++) {
      uint32_t used = live_number(l, LLVMGetIncomingValue(phi, i));
      if (used && LLVMGetIncomingBlock(phi, i) == from &&
          !l->items.at[used - 1].size)
        set_bit(set, used - 1);
    }
}

static void note_call(struct live *l, LLVMValueRef call, const uint64_t *set) {
  struct live_call c = {call, malloc(l->words * sizeof *set)};
  uint32_t own = live_number(l, call);
  ensure(c.after);
  memcpy(c.after, set, l->words * sizeof *set);
  if (own)
    clear_bit(c.after, own - 1);
  VEC_PUSH(l->calls, c);
  *map_place(&l->call, call) = (void *)(uintptr_t)l->calls.size;
}

/* From what is live at the end of the block to what is at its beginning. */
static void walk_block(struct live *l, LLVMBasicBlockRef block, uint64_t *set,
                       bool note) {
  for (LLVMValueRef i = LLVMGetLastInstruction(block); i;
       i = LLVMGetPreviousInstruction(i)) {
    uint32_t own = live_number(l, i);
    if (LLVMIsAPHINode(i)) {
      if (own)
        clear_bit(set, own - 1);
      continue;
    }
    if (note && live_is_call(i))
      note_call(l, i, set);
    take_back(l, i, set);
  }
}

static void live_at_end(const struct live *l, const uint64_t *beginnings,
                        uint32_t block, uint64_t *set) {
  const struct graph *g = &l->graph;
  memset(set, 0, l->words * sizeof *set);
  for (uint32_t e = g->leaving.at[block]; e < g->leaving.at[block + 1]; e++) {
    uint32_t to = g->edges.at[e].to;
    for (size_t i = 0; i < l->words; i++)
      set[i] |= beginnings[to * l->words + i];
    add_incoming(l, g->blocks.at[to], g->blocks.at[block], set);
  }
}

/* Until nothing is added any more. */
static void solve(struct live *l, uint64_t *beginnings, uint64_t *set) {
  bool more = true;
  while (more) {
    more = false;
    for (uint32_t b = (uint32_t)l->graph.blocks.size; b-- > 0;) {
      uint64_t *known = &beginnings[b * l->words];
      live_at_end(l, beginnings, b, set);
      walk_block(l, l->graph.blocks.at[b], set, false);
      more = more || memcmp(known, set, l->words * sizeof *set);
      memcpy(known, set, l->words * sizeof *set);
    }
  }
}

static void find_calls(struct live *l) {
  size_t blocks = l->graph.blocks.size;
  uint64_t *beginnings = calloc(blocks * l->words + 1, sizeof *beginnings);
  uint64_t *set = calloc(l->words + 1, sizeof *set);
  ensure(beginnings && set);
  solve(l, beginnings, set);
  for (uint32_t b = 0; b < blocks; b++) {
    live_at_end(l, beginnings, b, set);
    walk_block(l, l->graph.blocks.at[b], set, true);
  }
  free(set);
  free(beginnings);
}

static size_t count_calls(const struct live *l) {
  size_t count = 0;
  for (size_t b = 0; b < l->graph.blocks.size; b++)
    for (LLVMValueRef i = LLVMGetFirstInstruction(l->graph.blocks.at[b]); i;
         i = LLVMGetNextInstruction(i))
      count += live_is_call(i);
  return count;
}

bool live_find(struct unit *u, LLVMValueRef function, struct live *l) {
  memset(l, 0, sizeof *l);
  graph_make(&l->graph, function);
  add_variables(u, l, function);
  add_values(l, function);
  l->words = (l->items.size + 63) / 64;
  if (l->words * (l->graph.blocks.size + count_calls(l)) > MOST_WORDS)
    return false;
  find_calls(l);
  return true;
}

void live_free(struct live *l) {
  for (size_t i = 0; i < l->calls.size; i++)
    free(l->calls.at[i].after);
  VEC_FREE(l->calls);
  VEC_FREE(l->items);
  VEC_FREE(l->effects);
  map_free(&l->number);
  map_free(&l->first);
  map_free(&l->call);
  graph_free(&l->graph);
}
