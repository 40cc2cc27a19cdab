/* Messages in the order sent.
 *
 * The tasks for the messages that one actor sends to another, which is `fifo`,
 * form a line.  Creating a task writes the end of its line; a task that is not
 * the first in its line begins with a step of its own that waits until the task
 * before it has begun.  The program itself is a sender, too, of the tasks that
 * exist from the start.  (system/native/actor/actor.c does the same.)
 */
#include "machine.h"

/* ---- where it is kept -----------------------------------------------------
 *
 * For each pair of a sender and an actor the last task in that line, then for
 * each process whether it has begun, and the task before it.  Tasks are numbers
 * from 1, 0 is none.
 */

/* The program, the actors, and each process as if it had an actor to itself. */
static uint32_t senders(const struct program *g) {
  return 1 + (uint32_t)(g->actors.size + g->processes.size);
}

static uint32_t sender_of(const struct program *g, uint32_t process) {
  if (process == NIL)
    return 0;
  uint32_t actor = g->processes.at[process].actor;
  return 1 + (actor == NIL ? (uint32_t)g->actors.size + process : actor);
}

static uint32_t line_slot(const struct program *g, uint32_t from, uint32_t to) {
  return g->lines + sender_of(g, from) * (uint32_t)g->actors.size +
         g->processes.at[to].actor;
}

static uint32_t begun_slot(const struct program *g, uint32_t p) {
  return g->lines + senders(g) * (uint32_t)g->actors.size + 2 * p;
}

static uint32_t before_slot(const struct program *g, uint32_t p) {
  return begun_slot(g, p) + 1;
}

void lines_place(struct program *g) {
  bool any = false;
  for (size_t i = 0; i < g->actors.size; i++)
    any |= g->actors.at[i].fifo;
  g->lines = g->slots;
  if (any)
    g->slots = begun_slot(g, (uint32_t)g->processes.size);
}

bool lines_has(const struct program *g, uint32_t p) {
  const struct process *task = &g->processes.at[p];
  return task->task != NIL && task->actor != NIL &&
         g->actors.at[task->actor].fifo;
}

/* ---- steps ----------------------------------------------------------------
 */

/* Adds a read and a write of the slot to the step: the write is not blind. */
static void touch(struct model *m, uint32_t slot) {
  for (size_t i = 0; i < m->accesses.size; i++)
    if (m->accesses.at[i].addr == address_of(slot))
      return;
  VEC_PUSH(m->accesses, (struct access){address_of(slot), 8, ACCESS_ATOMIC});
  VEC_PUSH(m->accesses,
           (struct access){address_of(slot), 8, ACCESS_ATOMIC | ACCESS_WRITE});
}

void lines_join(struct model *m, uint32_t from, uint32_t p) {
  if (!lines_has(m->g, p))
    return;
  uint32_t slot = line_slot(m->g, from, p);
  slot_set(m, before_slot(m->g, p), m->state.at[slot]);
  slot_set(m, slot, 1 + (int64_t)p);
  if (from != NIL)
    touch(m, slot);
}

bool lines_first(const struct model *m, uint32_t p) {
  return !m->state.at[before_slot(m->g, p)];
}

void lines_begin(struct model *m, uint32_t p) {
  if (!lines_has(m->g, p))
    return;
  slot_set(m, begun_slot(m->g, p), 1);
  touch(m, begun_slot(m->g, p));
}

/* The task before p, and the slot that says whether it has begun. */
uint32_t lines_before(const struct model *m, uint32_t p) {
  return (uint32_t)m->state.at[before_slot(m->g, p)] - 1;
}

uint32_t lines_awaited(const struct model *m, uint32_t p) {
  return begun_slot(m->g, lines_before(m, p));
}
