/* What is left of a process: which variables and objects its code can still
 * touch, from each instruction on, whatever it computes.
 *
 * Each symbol has one bit: the elements of an array share it, and so do the
 * parts of a variable; beyond 64 symbols several symbols share a bit.  So a
 * process may touch less than is said here, never more.  The future of a
 * created process is part of its creator's.
 */
#include "machine.h"

static struct future touches(uint32_t symbol, bool write) {
  uint64_t bit = (uint64_t)1 << symbol % 64;
  return (struct future){write ? 0 : bit, write ? bit : 0};
}

/* True if `to` has changed. */
static bool join(struct future *to, struct future more) {
  bool grows = (more.reads & ~to->reads) || (more.writes & ~to->writes);
  to->reads |= more.reads;
  to->writes |= more.writes;
  return grows;
}

/* Adds what the instruction itself touches or makes possible. */
static bool join_statement(struct model *m, struct future *to,
                           const struct instruction *i) {
  if (i->code != CODE_VISIBLE && i->code != CODE_AWAIT &&
      i->code != CODE_ACCESS)
    return false;
  const struct statement *s = &m->g->statements.at[i->statement];
  switch ((enum statement_kind)s->kind) {
  case STATEMENT_CREATE:
    return join(to, m->futures.at[m->g->processes.at[s->symbol].entry]);
  case STATEMENT_JOIN:
  case STATEMENT_CHOOSE:
  case STATEMENT_TASK:
    return false;
  case STATEMENT_READ:
  case STATEMENT_AWAIT:
    return join(to, touches(s->symbol, false));
  case STATEMENT_COND_WAIT:
    join(to, touches(s->other, true));
    return join(to, touches(s->symbol, true));
  default:
    return join(to, touches(s->symbol, true));
  }
}

static bool jumps(const struct instruction *i) {
  return i->code == CODE_UNLESS || i->code == CODE_COUNT ||
         i->code == CODE_JUMP;
}

static bool falls_through(const struct instruction *i) {
  return i->code != CODE_JUMP && i->code != CODE_END;
}

static bool join_all(struct model *m, size_t at) {
  const struct instruction *i = &m->g->code.at[at];
  struct future *f = &m->futures.at[at];
  bool grows = join_statement(m, f, i);
  if (jumps(i))
    grows |= join(f, m->futures.at[i->target]);
  if (falls_through(i))
    grows |= join(f, m->futures.at[at + 1]);
  return grows;
}

/* Goes backwards over the code, again and again as long as loops and creations
 * add something new. */
static void find_futures(struct model *m) {
  bool grows = true;
  for (size_t i = 0; i < m->g->code.size; i++)
    VEC_PUSH(m->futures, (struct future){0, 0});
  while (grows) {
    grows = false;
    for (size_t i = m->g->code.size; i-- > 0;)
      grows |= join_all(m, i);
  }
}

static bool is_alive(const struct model *m, unsigned p) {
  return status_of(m, p) >= STATUS_RUNNING &&
         status_of(m, p) <= STATUS_RELOCKING;
}

static uint32_t symbol_at(const struct program *g, uint64_t addr) {
  uint64_t slot = (addr - MODEL_BASE) / 8;
  uint32_t symbol = 0;
  while (symbol + 1 < g->symbols.size &&
         g->symbols.at[symbol + 1].slot <= slot) /* in the order of slots */
    symbol++;
  return symbol;
}

bool model_may_touch(struct system *system, unsigned but,
                     const struct access *access, uint32_t count) {
  struct model *m = (struct model *)system;
  struct future mine = {0, 0}, theirs = {0, 0};
  if (!m->futures.size)
    find_futures(m);
  for (uint32_t i = 0; i < count; i++) {
    if (access[i].addr >= address_of(m->g->lines))
      return true; /* future messages are not known */
    join(&mine, touches(symbol_at(m->g, access[i].addr),
                        access[i].mode & ACCESS_WRITE));
  }
  for (unsigned p = 0; p < m->places.size; p++)
    if (p != but && is_alive(m, p))
      join(&theirs,
           m->futures.at[m->state.at[m->places.at[p].block + SLOT_PC]]);
  return (theirs.writes & (mine.reads | mine.writes)) ||
         (theirs.reads & mine.writes);
}
