#include "session/native_result.h"

#include <stdlib.h>
#include <string.h>

#include "session/native_crew.h"
#include "system/native/engine/control.h"
#include "util/ensure.h"

#define MARK UINT64_C(0x74696e752d6c6468)

/* ---- the text ------------------------------------------------------------ */

static void pack_part(struct packed *p, struct native_part *part) {
  packed_part(p, &part->at, &part->size);
}

static void pack(struct packed *p, struct native_result *r) {
  PACKED(p, r->mark);
  PACKED(p, r->result);
  PACKED(p, r->error);
  PACKED(p, r->raced);
  PACKED(p, r->counters);
  pack_part(p, &r->limits);
  pack_part(p, &r->messages);
  pack_part(p, &r->outcomes);
  pack_part(p, &r->seen);
  pack_part(p, &r->left);
  PACKED(p, r->mark);
}

static struct native_part part_of(const struct text *t) {
  return (struct native_part){t->at, t->size};
}

bool result_read(struct native_result *r, const char *at, size_t size) {
  struct packed p = packed_reader(at, size);
  pack(&p, r);
  return packed_is_over(&p) && r->mark == MARK;
}

/* ---- outcomes ------------------------------------------------------------ */

struct outcome_head {
  uint64_t count;
  uint64_t status;
  uint64_t moves;
  uint64_t length;
};

static void write_outcomes(const struct session *s, struct text *to) {
  for (size_t i = 0; i < s->found.outcomes.size; i++) {
    const struct outcome *o = &s->found.outcomes.at[i];
    bool example = i < s->examples.size;
    struct outcome_head head = {o->count, o->status,
                                example ? s->examples.at[i].moves.size : 0,
                                o->length};
    text_add(to, &head, sizeof head);
    text_add(to, example ? s->examples.at[i].moves.at : NULL, head.moves);
    text_add(to, s->found.texts.at + o->text, o->length);
  }
}

static void add_outcomes(struct session *s, const char *at, size_t size) {
  struct outcome_head o;
  for (const char *end = at + size; at < end; at += o.moves + o.length) {
    memcpy(&o, at, sizeof o);
    at += sizeof o;
    if (!collect_outcomes(&s->found, at + o.moves, o.length, (unsigned)o.status,
                          o.count) ||
        s->examples.size >= s->control->examples)
      continue;
    struct session_example example = {0};
    VEC_SIZED(example.moves, o.moves);
    memcpy(example.moves.at, at, o.moves);
    VEC_PUSH(s->examples, example);
  }
}

/* ---- messages ------------------------------------------------------------ */

static char *copy(const char *text, size_t length) {
  char *made = calloc(length + 1, 1);
  ensure(made);
  memcpy(made, text, length);
  return made;
}

/* Is the finding new here, too? */
static bool is_new(struct session *s, const char *body) {
  struct wire_finding wire;
  memcpy(&wire, body, sizeof wire);
  body += sizeof wire;
  char *file = copy(body, wire.file_length);
  char *message = copy(body + wire.file_length, wire.message_length);
  struct finding f = {.kind = wire.kind,
                      .pc = wire.pc,
                      .other_pc = wire.other_pc,
                      .line = wire.line,
                      .file = wire.file_length ? file : NULL,
                      .message = message};
  bool found = collect_finding(&s->found, &f, wire.warning);
  free(file);
  free(message);
  return found;
}

static void add_messages(struct session *s, const char *at, size_t size) {
  struct message m;
  for (const char *end = at + size; at < end; at += sizeof m + m.length) {
    memcpy(&m, at, sizeof m);
    if (m.type != MESSAGE_FINDING || is_new(s, at + sizeof m))
      crew_send(s, m.type, NULL, 0, at + sizeof m, m.length);
  }
}

/* ---- counters ------------------------------------------------------------ */

static void keep_greater(uint64_t *to, uint64_t value) {
  if (*to < value)
    *to = value;
}

void counters_add(struct counters *to, const struct counters *more) {
  uint64_t threads = to->threads, depth = to->max_depth;
#define COUNTER(field, name, words) to->field += more->field;
#define SOMETIMES COUNTER
#define STATISTIC COUNTER
#include "core/counters.def"
#undef STATISTIC
#undef SOMETIMES
#undef COUNTER
  to->threads = threads, to->max_depth = depth;
  keep_greater(&to->threads, more->threads);
  keep_greater(&to->max_depth, more->max_depth);
}

/* ---- limits -------------------------------------------------------------- */

/* Not those that are no longer true when the search goes on, nor a text that is
 * made at the end of a search and is still empty: the process that makes it has
 * that limit, too. */
static bool remains(const char *limit) {
  return *limit && strcmp(limit, "--max-executions") != 0;
}

static void write_limits(const struct session *s, struct text *to) {
  for (unsigned i = 0; i < s->x->limit_count; i++)
    if (remains(s->x->limits[i]))
      text_add(to, s->x->limits[i], strlen(s->x->limits[i]) + 1);
}

static void add_limits(struct session *s, const char *at, size_t size) {
  for (const char *end = at + size; at < end; at += strlen(at) + 1)
    explorer_limit(s->x, copy(at, strlen(at)));
}

/* ---- all of it ----------------------------------------------------------- */

void result_write(struct session *s, enum explore_result result,
                  const char *refusal, const struct text *left,
                  struct text *to) {
  struct packed p = packed_writer(to);
  struct text limits = {0}, outcomes = {0}, seen = {0};
  struct packed what = packed_writer(&seen);
  if (refusal)
    text_add(&limits, refusal, strlen(refusal) + 1);
  else
    write_limits(s, &limits);
  write_outcomes(s, &outcomes);
  if (s->x->algorithm->seen)
    s->x->algorithm->seen(s->x->state, &what);
  struct native_result r = {.mark = MARK,
                            .result = (uint32_t)result,
                            .error = s->x->error,
                            .raced = s->x->raced,
                            .counters = *s->x->counters,
                            .limits = part_of(&limits),
                            .messages = part_of(&s->messages),
                            .outcomes = part_of(&outcomes),
                            .seen = part_of(&seen),
                            .left = part_of(left)};
  pack(&p, &r);
  VEC_FREE(limits);
  VEC_FREE(outcomes);
  VEC_FREE(seen);
}

bool result_add(struct session *s, const struct native_result *r) {
  struct packed seen = packed_reader(r->seen.at, r->seen.size);
  counters_add(s->x->counters, &r->counters);
  add_messages(s, r->messages.at, r->messages.size);
  add_outcomes(s, r->outcomes.at, r->outcomes.size);
  if (r->result != EXPLORE_REFUSED)
    add_limits(s, r->limits.at, r->limits.size);
  if (s->x->algorithm->seen && r->seen.size)
    s->x->algorithm->seen(s->x->state, &seen);
  s->x->error |= r->error != 0;
  s->x->raced |= r->raced != 0;
  return !seen.bad;
}
