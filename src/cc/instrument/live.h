/* What is live at the calls of a function. */
#ifndef CC_INSTRUMENT_LIVE_H
#define CC_INSTRUMENT_LIVE_H

#include "graph.h"
#include "unit.h"

/* What may be dead at a call: a value, or a local variable in memory. */
struct live_item {
  LLVMValueRef value; /* the variable: its alloca */
  uint64_t size;      /* of the variable; 0: it is a value */
  bool unknown;       /* others may know the variable */
};

/* What an instruction does with a variable. */
enum live_effect_kind { LIVE_READS, LIVE_WRITES, LIVE_RENEWS };

struct live_effect {
  enum live_effect_kind kind;
  uint32_t item;
  uint32_t next; /* 1 + another one of the instruction, or 0 */
};

struct live_call {
  LLVMValueRef call;
  uint64_t *after; /* a bit for each item: live behind the call */
};

struct live {
  struct graph graph;
  VEC(struct live_item) items;
  struct map number; /* of items: 1 + position */
  VEC(struct live_effect) effects;
  struct map first; /* of an instruction: 1 + position of its first effect */
  size_t words;     /* of a set of items */
  VEC(struct live_call) calls; /* backward in each block */
  struct map call;             /* 1 + position */
};

/* May other code run in this instruction? */
bool live_is_call(LLVMValueRef instruction);

/* False: the function is too large. */
bool live_find(struct unit *, LLVMValueRef function, struct live *);
void live_free(struct live *);

/* 1 + the value's number, or 0 if it is no item. */
uint32_t live_number(const struct live *, LLVMValueRef value);
const struct live_call *live_at(const struct live *, LLVMValueRef call);

static inline bool live_has(const uint64_t *set, uint32_t item) {
  return set[item / 64] >> item % 64 & 1;
}

#endif
