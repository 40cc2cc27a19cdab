#define _GNU_SOURCE
#include "fuzz/c/c_generate.h"

#include <stdlib.h>

#include "fuzz/c/pieces.h"
#include "util/ensure.h"

/* What is being generated.  An object's description is complete before the
 * first statement about it is made. */
struct c_generator {
  struct c_program *program;
  struct rng rng;
  const struct c_taste *taste;
  bool races; /* plain accesses without a guard may come */
  bool weak;  /* weak memory orders may come */
  bool address_passed;
  const struct piece *pieces[3];
  const struct guard *guards[3];
  const struct object_place *places[3];
};

static bool wanted(const struct c_generator *g, const char *name) {
  return !g->taste->wanted || g->taste->wanted(g->taste->context, name);
}

static const struct guard no_guard = {
    .declarations = "", .opening = "", .enter = "", .leave = ""};
static const struct object_place no_place = {.name = "itself",
                                             .declarations = "",
                                             .opening = "",
                                             .object = "",
                                             .closing = ""};

/* ---- objects ---------------------------------------------------------------
 */

/* Where races may come, plain data is preferred: it can have them. */
static const struct piece *choose_piece(struct c_generator *g) {
  for (unsigned tries = 0; tries < 1000; tries++) {
    const struct piece *piece = &pieces[rng_below(&g->rng, piece_count)];
    bool fits =
        !g->races || !(piece->traits & ATOMIC) || rng_percent(&g->rng, 30);
    if (fits && wanted(g, piece->name))
      return piece;
  }
  return &pieces[0];
}

static const struct object_place *choose_place(struct c_generator *g,
                                               const struct piece *piece) {
  if (piece->traits & ITSELF)
    return &no_place;
  for (unsigned tries = 0; tries < 1000 && !(piece->traits & GLOBAL); tries++) {
    const struct object_place *place = &places[rng_below(&g->rng, place_count)];
    bool fits = !(place->traits & PLAIN) || !(piece->traits & ATOMIC);
    if (fits && wanted(g, place->name))
      return place;
  }
  return &places[0];
}

/* Loops that wait are rare: they make programs large. */
static const struct guard *choose_guard(struct c_generator *g,
                                        const struct piece *piece) {
  if (piece->traits & ATOMIC)
    return &no_guard;
  for (unsigned tries = 0; tries < 1000; tries++) {
    const struct guard *guard = &guards[rng_below(&g->rng, guard_count)];
    if (wanted(g, guard->name) &&
        (!(guard->traits & SPINS) || rng_percent(&g->rng, 30)))
      return guard;
  }
  return &guards[0];
}

static struct template_context context(struct c_generator *g, unsigned object) {
  return (struct template_context){
      .rng = &g->rng, .number = object, .weak = g->weak};
}

/* One more part of a line. */
static void add_part(const struct template_context *c, const char *from,
                     struct text *line) {
  if (line->size && *from)
    text_print(line, " ");
  template_expand(c, from, line);
}

/* The object as the owner, or another thread, reaches it. */
static char *reach(struct c_generator *g, unsigned object, bool owner) {
  struct template_context c = context(g, object);
  const struct object_place *place = g->places[object];
  return template_text(&c, owner || !place->address ? place->object : "(*@@p)");
}

/* One address is passed to the threads as their argument; the others lie in
 * global variables. */
static void add_address(struct c_generator *g, unsigned object,
                        struct c_object *x, struct text *declarations,
                        struct text *opening) {
  struct template_context c = context(g, object);
  const char *address = g->places[object]->address;
  if (!address)
    return;
  if (!g->address_passed) {
    g->address_passed = true;
    x->address = template_text(&c, address);
    x->pointer = template_text(&c, "@@T *@@p = v; (void)@@p;");
    return;
  }
  template_expand(&c, "PRIVATE @@T *@@p;\n", declarations);
  add_part(&c, "@@p = ", opening);
  template_expand(&c, address, opening);
  text_print(opening, ";");
}

/* Declarations and code of the owner, from the templates of all three. */
static void expand_object(struct c_generator *g, unsigned object,
                          struct c_object *x) {
  const struct piece *piece = g->pieces[object];
  const struct object_place *place = g->places[object];
  const struct guard *guard = g->guards[object];
  struct template_context c = context(g, object);
  struct text declarations = {0}, opening = {0}, closing = {0};
  char *reached = reach(g, object, true);
  c.object = reached;
  template_expand(&c, piece->declarations, &declarations);
  template_expand(&c, place->declarations, &declarations);
  template_expand(&c, guard->declarations, &declarations);
  add_part(&c, place->opening, &opening);
  add_address(g, object, x, &declarations, &opening);
  add_part(&c, piece->opening, &opening);
  add_part(&c, guard->opening, &opening);
  add_part(&c, piece->closing, &closing);
  add_part(&c, place->closing, &closing);
  free(reached);
  x->declarations = text_take(&declarations);
  x->opening = text_take(&opening);
  x->closing = text_take(&closing);
}

static void add_object(struct c_generator *g, unsigned object) {
  const struct piece *piece = g->pieces[object] = choose_piece(g);
  const struct object_place *place = g->places[object] = choose_place(g, piece);
  const struct guard *guard = g->guards[object] = choose_guard(g, piece);
  struct c_object x = {
      .piece = piece->name, .place = place->name, .guard = guard->name};
  expand_object(g, object, &x);
  VEC_PUSH(g->program->objects, x);
}

/* ---- threads ---------------------------------------------------------------
 */

static enum c_thread_kind choose_kind(struct c_generator *g) {
  static const char *const names[THREAD_KINDS] = {"joined", "exits", "thrd",
                                                  "detached"};
  if (rng_percent(&g->rng, 60))
    return THREAD_JOINED;
  uint32_t kind = rng_below(&g->rng, THREAD_KINDS);
  return wanted(g, names[kind]) ? (enum c_thread_kind)kind : THREAD_JOINED;
}

/* Only a thread's creator and its later threads have its handle in time. */
static void choose_joiners(struct c_generator *g) {
  struct c_program *p = g->program;
  for (unsigned t = 1; t < p->threads.size; t++)
    p->threads.at[t].joiner = p->threads.at[t].creator;
  for (unsigned t = 1; t + 1 < p->threads.size; t++)
    if (!p->threads.at[t].creator && !p->threads.at[t + 1].creator &&
        rng_percent(&g->rng, 10) && wanted(g, "join-by-other"))
      p->threads.at[t].joiner = t + 1;
}

static void add_threads(struct c_generator *g) {
  struct c_program *p = g->program;
  uint32_t chance = rng_below(&g->rng, 100);
  unsigned count = chance < 50 ? 2 : chance < 90 ? 3 : 4;
  p->owner_is_thread = rng_percent(&g->rng, 20) && wanted(g, "owner-thread");
  VEC_PUSH(p->threads, (struct c_thread){0});
  for (unsigned t = 1; t < count; t++) {
    bool nested =
        t > 1 && rng_percent(&g->rng, 20) && wanted(g, "nested-create");
    VEC_PUSH(p->threads, (struct c_thread){.kind = choose_kind(g),
                                           .creator = nested ? t - 1 : 0});
  }
  choose_joiners(g);
}

/* ---- statements ------------------------------------------------------------
 */

static const char *choose_text(struct c_generator *g,
                               const char *const *texts) {
  uint32_t count = 0;
  while (texts[count])
    count++;
  return texts[rng_below(&g->rng, count)];
}

/* The guard of a statement: the object's, or none if there may be races. */
static const struct guard *statement_guard(struct c_generator *g,
                                           unsigned object) {
  const struct guard *guard = g->guards[object];
  bool may_race = g->races && !(g->pieces[object]->traits & (ATOMIC | GUARDED));
  if (!may_race || rng_percent(&g->rng, 15))
    return guard;
  g->program->racy = true;
  return &no_guard;
}

static char *statement_text(struct c_generator *g, unsigned object,
                            bool owner) {
  const struct piece *piece = g->pieces[object];
  const struct guard *guard = statement_guard(g, object);
  bool reads = rng_percent(&g->rng, 35), shared = reads && guard->enter_read;
  struct template_context c = context(g, object);
  char *reached = reach(g, object, owner);
  struct text text = {0};
  c.object = reached;
  add_part(&c, shared ? guard->enter_read : guard->enter, &text);
  add_part(&c, choose_text(g, reads ? piece->reads : piece->writes), &text);
  add_part(&c, shared ? guard->leave_read : guard->leave, &text);
  free(reached);
  return text_take(&text);
}

/* What a thread does may depend on what it has seen. */
static char *dressed_text(struct c_generator *g, unsigned object, bool owner) {
  struct template_context c = context(g, object);
  char *plain = statement_text(g, object, owner);
  bool depends = rng_percent(&g->rng, 15) && wanted(g, "if");
  bool repeats = rng_percent(&g->rng, 4) && wanted(g, "for");
  struct text text = {0};
  if (depends)
    add_part(&c, "if (@(o & 1@|!(o & 255)@|(o & 255) == @n@)) {", &text);
  if (repeats)
    add_part(&c, "for (int i_ = 0; i_ < 2; i_++) {", &text);
  text_print(&text, "%s%s", text.size ? " " : "", plain);
  text_print(&text, "%s%s", repeats ? " }" : "", depends ? " }" : "");
  if (rng_percent(&g->rng, 6))
    add_part(&c, "assert((o & 255) != @n);", &text);
  free(plain);
  return text_take(&text);
}

static unsigned children_of(const struct c_program *p, unsigned thread) {
  unsigned count = 0;
  for (unsigned t = 1; t < p->threads.size; t++)
    count += p->threads.at[t].creator == thread;
  return count;
}

/* Mostly while the thread's children run. */
static unsigned choose_point(struct c_generator *g, unsigned thread) {
  unsigned children = children_of(g->program, thread);
  if (!children || rng_percent(&g->rng, 60))
    return children;
  return rng_below(&g->rng, 2 * children);
}

static void add_statement(struct c_generator *g, unsigned thread) {
  unsigned object = rng_below(&g->rng, (uint32_t)g->program->objects.size);
  VEC_PUSH(g->program->statements,
           (struct c_statement){.thread = thread,
                                .object = object,
                                .point = choose_point(g, thread),
                                .text = dressed_text(g, object, !thread)});
}

/* Fewer for each thread the more threads there are. */
static void add_statements(struct c_generator *g) {
  unsigned threads = (unsigned)g->program->threads.size;
  unsigned most = threads == 2 ? 4 : threads == 3 ? 3 : 2;
  for (unsigned t = 0; t < threads; t++) {
    unsigned count = rng_between(&g->rng, t > 0, most);
    while (count-- > 0)
      add_statement(g, t);
  }
}

/* ---- programs --------------------------------------------------------------
 */

/* Threads that share a processor interleave, whatever the memory orders; with
 * races, only if each access is one of the machine. */
static void settle_traits(struct c_generator *g) {
  struct c_program *p = g->program;
  unsigned all = ~0u, any = 0;
  for (size_t i = 0; i < p->objects.size; i++) {
    unsigned traits = g->pieces[i]->traits;
    any |= traits | (g->guards[i]->traits & SPINS);
    all &= traits & (SINGLE | ATOMIC | GUARDED) ? ~0u : ~(unsigned)SINGLE;
  }
  p->clang = any & CLANG;
  p->spins = any & SPINS;
  p->awaits = any & AWAITS;
  p->signals = any & SIGNALS;
  p->real = !p->racy || all & SINGLE;
  p->sequential = p->racy || g->weak;
}

void c_generate(struct c_program *p, uint64_t seed, uint64_t index,
                const struct c_taste *taste) {
  struct c_generator g = {.program = p, .taste = taste};
  *p = (struct c_program){.seed = seed, .index = index};
  rng_seed(&g.rng, rng_mix(seed) ^ index);
  g.races = rng_percent(&g.rng, 50) && wanted(&g, "races");
  g.weak = rng_percent(&g.rng, 50);
  uint32_t chance = rng_below(&g.rng, 100);
  unsigned objects = chance < 65 ? 1 : chance < 93 ? 2 : 3;
  for (unsigned i = 0; i < objects; i++)
    add_object(&g, i);
  add_threads(&g);
  add_statements(&g);
  settle_traits(&g);
}
