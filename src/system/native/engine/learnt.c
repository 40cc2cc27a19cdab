#include "learnt.h"

#include "engine.h"
#include "native_replay.h"
#include "timekeeping.h"
#include "system/native/pthread/join_chain.h"

void engine_learns(void) {
  engine.stale = engine.stale || engine.frozen;
}

/* Addresses must mean the same. */
static void places_learnt(struct packed *p) {
  for (size_t i = 0; i < modules()->size && !p->bad; i++) {
    uint64_t bias = modules()->at[i].bias;
    PACKED(p, bias);
    p->bad |= bias != modules()->at[i].bias;
  }
}

/* Threads that ever waited in a loop, by their numbers. */
static void spinners_learnt(struct packed *p) {
  size_t count = packed_count(p, engine.spinners.size, sizeof(uint32_t));
  for (size_t i = 0; i < count && !p->bad; i++) {
    uint32_t id = p->to ? engine.spinners.at[i]->id : 0;
    PACKED(p, id);
    if (id >= thread_count())
      p->bad = true;
    else if (!p->to)
      VEC_PUSH(engine.spinners, thread_get(id));
  }
}

void learnt_pack(struct packed *p) {
  places_learnt(p);
  PACKED(p, engine.finest);
  PACKED(p, engine.hiding);
  PACKED(p, engine.waits);
  PACKED(p, step_extras);
  threads_learnt(p);
  spinners_learnt(p);
  PACKED_VEC(p, engine.looked);
  sharing_learnt(p);
  commuting_learnt(p);
  updates_learnt(p);
  blind_learnt(p);
  polling_learnt(p);
  timed_learnt(p);
  taken_back_learnt(p);
  locals_learnt(p);
  leftover_learnt(p);
  tls_learnt(p);
  join_chain_learnt(p);
  actors_learnt(p);
  nodes_learnt(p);
  paths_learnt(p);
  interrupts_learnt(p);
}

uint32_t native_steps_learnt(void) {
  return (step_extras & EXTRA_SIGNALS ? MOVE_SIGNALS : 0) |
         (step_extras & EXTRA_CANCELS ? MOVE_CANCELS : 0) |
         (step_extras & EXTRA_STARTS ? MOVE_STARTS : 0) |
         (step_extras & EXTRA_STREAMS ? MOVE_STREAMS : 0) |
         (step_extras & EXTRA_CLOCK ? MOVE_CLOCK : 0) |
         (step_extras & EXTRA_DEFAULTS ? MOVE_DEFAULTS : 0) |
         (engine.misses ? MOVE_MISSES : 0);
}

void native_learn_steps(uint32_t flags) {
  step_extras |= (flags & MOVE_SIGNALS ? EXTRA_SIGNALS : 0) |
                 (flags & MOVE_CANCELS ? EXTRA_CANCELS : 0) |
                 (flags & MOVE_STARTS ? EXTRA_STARTS : 0) |
                 (flags & MOVE_STREAMS ? EXTRA_STREAMS : 0) |
                 (flags & MOVE_CLOCK ? EXTRA_CLOCK : 0) |
                 (flags & MOVE_DEFAULTS ? EXTRA_DEFAULTS : 0);
  engine.misses = flags & MOVE_MISSES;
}
