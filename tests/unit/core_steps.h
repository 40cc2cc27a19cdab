/* Steps written by hand, for tests of the core. */
#ifndef CORE_STEPS_H
#define CORE_STEPS_H

#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "core/trace.h"

static inline void push(struct trace *t, uint32_t proc, uint64_t addr,
                        uint32_t size, uint32_t mode) {
  struct access a = {addr, size, mode};
  struct step s = {.op = mode & ACCESS_WRITE ? OP_WRITE : OP_READ,
                   .choices = 1,
                   .accesses = size ? 1 : 0,
                   .access = &a};
  trace_push(t, proc, &s);
}

static inline void reads(struct trace *t, uint32_t proc, uint64_t addr) {
  push(t, proc, addr, 4, 0);
}

static inline void writes(struct trace *t, uint32_t proc, uint64_t addr) {
  push(t, proc, addr, 4, ACCESS_WRITE);
}

static inline void locks(struct trace *t, uint32_t proc, uint64_t addr) {
  struct access a = {addr, 4, ACCESS_WRITE | ACCESS_ATOMIC};
  struct step s = {.op = OP_LOCK,
                   .flags = STEP_BLOCKING,
                   .wants = OFFER_ONE,
                   .offers = OFFER_ONE,
                   .choices = 1,
                   .accesses = 1,
                   .access = &a};
  trace_push(t, proc, &s);
}

static inline void unlocks(struct trace *t, uint32_t proc, uint64_t addr) {
  struct access a = {addr, 4, ACCESS_WRITE | ACCESS_ATOMIC};
  struct step s = {
      .op = OP_UNLOCK, .choices = 1, .accesses = 1, .access = &a};
  trace_push(t, proc, &s);
}

static inline bool has_race(const struct trace *t, uint32_t first,
                            uint32_t second) {
  for (size_t i = 0; i < t->races.size; i++)
    if (t->races.at[i].kind == RACE_ORDER && t->races.at[i].first == first &&
        t->races.at[i].second == second)
      return true;
  return false;
}

#endif
