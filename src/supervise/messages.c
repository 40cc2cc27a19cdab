#define _GNU_SOURCE
#include "supervise/messages.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/system.h"
#include "util/ensure.h"

/* A schedule of a hundred million moves still fits. */
#define LONGEST_MESSAGE (1u << 30)

static char *copy(const char *text, size_t length) {
  char *made = malloc(length + 1);
  ensure(made); /* out of memory */
  if (length)
    memcpy(made, text, length);
  made[length] = 0;
  return made;
}

static void replace(char **place, const char *text, size_t length) {
  free(*place);
  *place = copy(text, length);
}

/* ---- findings ------------------------------------------------------------ */

uint64_t run_offset(const struct run *run, uint64_t pc) {
  uint64_t bias = 0;
  for (size_t i = 0; i < run->modules.size; i++)
    if (run->modules.at[i].bias <= pc && run->modules.at[i].bias > bias)
      bias = run->modules.at[i].bias;
  return pc - bias;
}

bool run_same_finding(const struct run *r, const struct run_finding *a,
                      const struct run *s, const struct run_finding *b) {
  if (a->wire.kind != b->wire.kind || a->wire.line != b->wire.line ||
      strcmp(a->file, b->file))
    return false;
  if (a->wire.line)
    return true; /* a line may have several code addresses */
  uint64_t a_pc = run_offset(r, a->wire.pc), b_pc = run_offset(s, b->wire.pc);
  uint64_t a_other = run_offset(r, a->wire.other_pc);
  uint64_t b_other = run_offset(s, b->wire.other_pc);
  if (a_pc == b_pc && a_other == b_other)
    return true;
  /* Either access of a race may come first. */
  return a->wire.kind == FINDING_RACE && a_pc == b_other && a_other == b_pc;
}

/* A race's message only tells which access came first. */
static bool same_message(const struct run_finding *a,
                         const struct run_finding *b) {
  return a->wire.kind == FINDING_RACE || !strcmp(a->message, b->message);
}

static void finding_free(struct run_finding *finding) {
  free(finding->file);
  free(finding->message);
  free(finding->moves);
}

/* Of findings that are the same the one with the shortest schedule stays. */
static void keep_finding(struct run *run, struct run_finding *finding) {
  for (size_t i = 0; i < run->findings.size; i++) {
    struct run_finding *known = &run->findings.at[i];
    if (!run_same_finding(run, known, run, finding) ||
        !same_message(known, finding))
      continue;
    if (finding->wire.moves < known->wire.moves) {
      struct run_finding longer = *known;
      *known = *finding;
      *finding = longer;
    }
    finding_free(finding);
    return;
  }
  VEC_PUSH(run->findings, *finding);
}

static bool take_finding(struct run *run, const char *body, size_t length) {
  struct run_finding finding;
  struct wire_finding *wire = &finding.wire;
  if (length < sizeof *wire)
    return false;
  memcpy(wire, body, sizeof *wire);
  body += sizeof *wire;
  uint64_t rest = (uint64_t)wire->file_length + wire->message_length +
                  (uint64_t)wire->moves * sizeof(struct move);
  if (rest != length - sizeof *wire || wire->kind >= FINDINGS)
    return false;
  finding.file = copy(body, wire->file_length);
  body += wire->file_length;
  finding.message = copy(body, wire->message_length);
  body += wire->message_length;
  finding.moves = (struct move *)copy(body, wire->moves * sizeof(struct move));
  keep_finding(run, &finding);
  return true;
}

/* ---- the other messages -------------------------------------------------- */

static bool take_module(struct run *run, const char *body, size_t length) {
  struct wire_module wire;
  if (length < sizeof wire)
    return false;
  memcpy(&wire, body, sizeof wire);
  char *path = copy(body + sizeof wire, length - sizeof wire);
  VEC_PUSH(run->modules, (struct run_module){wire.bias, path});
  return true;
}

static bool take_outcome(struct run *run, const char *body, size_t length) {
  struct wire_outcome wire;
  if (length < sizeof wire)
    return false;
  memcpy(&wire, body, sizeof wire);
  body += sizeof wire, length -= sizeof wire;
  size_t moves = (size_t)wire.moves * sizeof(struct move);
  if (length < moves)
    return false;
  struct run_outcome outcome = {.count = wire.count,
                                .status = wire.status,
                                .moves = (struct move *)copy(body, moves),
                                .moves_count = wire.moves};
  text_add(&outcome.output, body + moves, length - moves);
  VEC_PUSH(run->outcomes, outcome);
  return true;
}

static bool take_sample(struct run *run, const char *body, size_t length) {
  struct wire_sample wire;
  if (length < sizeof wire)
    return false;
  memcpy(&wire, body, sizeof wire);
  body += sizeof wire, length -= sizeof wire;
  size_t moves = (size_t)wire.moves * sizeof(struct move);
  if (length < moves)
    return false;
  struct run_sample sample = {.moves = (struct move *)copy(body, moves),
                              .count = wire.moves};
  text_add(&sample.output, body + moves, length - moves);
  VEC_PUSH(run->samples, sample);
  return true;
}

static bool take_thread(struct run *run, const char *body, size_t length) {
  struct wire_thread thread;
  if (length != sizeof thread)
    return false;
  memcpy(&thread, body, sizeof thread);
  VEC_PUSH(run->threads, thread);
  return true;
}

/* The next part of a text that has tabs between its parts. */
static char *take_part(const char **at, const char *end) {
  const char *tab = *at < end ? memchr(*at, '\t', (size_t)(end - *at)) : 0;
  char *part = copy(*at, (size_t)((tab ? tab : end) - *at));
  *at = tab ? tab + 1 : end;
  return part;
}

static struct run_site take_site(const char *at, const char *end) {
  struct run_site site;
  site.object = take_part(&at, end);
  site.function = take_part(&at, end);
  free(take_part(&at, end)); /* the place comes from the pc */
  site.type = take_part(&at, end);
  return site;
}

static void site_free(struct run_site *site) {
  free(site->object);
  free(site->function);
  free(site->type);
}

static bool take_step(struct run *run, const char *body, size_t length) {
  struct run_step step = {0};
  const char *end = body + length;
  if (length < sizeof step.wire)
    return false;
  memcpy(&step.wire, body, sizeof step.wire);
  body += sizeof step.wire;
  size_t accesses = step.wire.accesses * sizeof(struct access);
  if (step.wire.op >= OPS || step.wire.accesses > WIRE_ACCESSES ||
      step.wire.text > WIRE_TEXT ||
      accesses + step.wire.text > (size_t)(end - body))
    return false;
  step.access = (struct access *)copy(body, accesses);
  body += accesses;
  step.text = copy(body, step.wire.text);
  step.site = take_site(body + step.wire.text, end);
  VEC_PUSH(run->steps, step);
  return true;
}

static bool take_local(struct run *run, const char *body, size_t length) {
  struct run_local local = {.step = run->steps.size};
  if (length < sizeof local.wire)
    return false;
  memcpy(&local.wire, body, sizeof local.wire);
  local.site = take_site(body + sizeof local.wire, body + length);
  VEC_PUSH(run->locals, local);
  return true;
}

static bool take_stand(struct run *run, const char *body, size_t length) {
  struct run_stand stand = {0};
  if (length < sizeof stand.wire)
    return false;
  memcpy(&stand.wire, body, sizeof stand.wire);
  body += sizeof stand.wire, length -= sizeof stand.wire;
  size_t looks = stand.wire.looks * sizeof(struct access);
  if (stand.wire.op >= OPS || stand.wire.looks > WIRE_ACCESSES ||
      looks > length)
    return false;
  stand.looks = (struct access *)copy(body, looks);
  text_add(&stand.stack, body + looks, length - looks);
  VEC_PUSH(run->stands, stand);
  return true;
}

static bool take_departed(struct run *run, const char *body, size_t length) {
  if (length != sizeof run->departed_at)
    return false;
  memcpy(&run->departed_at, body, length);
  run->departed = run->departed_at.op < OPS;
  return run->departed;
}

static bool take_critical(struct run *run, const char *body, size_t length) {
  if (length != sizeof run->critical)
    return false;
  memcpy(&run->critical, body, length);
  return true;
}

static void take_output(struct run *run, const char *body, size_t length) {
  text_add(&run->output, body, length);
  if (run->steps.size)
    text_add(&VEC_TOP(run->steps).printed, body, length);
}

void run_add_limit(struct run *run, const char *format, ...) {
  struct text all = {0};
  char *text;
  va_list arguments;
  va_start(arguments, format);
  ensure(vasprintf(&text, format, arguments) >= 0); /* out of memory */
  va_end(arguments);
  if (run->limit)
    text_print(&all, "%s, ", run->limit);
  text_print(&all, "%s", text);
  replace(&run->limit, all.at, all.size);
  VEC_FREE(all);
  free(text);
}

static bool take_stuck(struct run *run, const char *body, size_t length) {
  if (length != sizeof run->stuck_at)
    return false;
  memcpy(&run->stuck_at, body, length);
  run->stuck = true;
  return true;
}

static bool take_checkpoint(struct message_reader *l, const char *body,
                            size_t length) {
  uint32_t last;
  if (length < sizeof last)
    return false;
  memcpy(&last, body, sizeof last);
  text_add(&l->checkpoint, body + sizeof last, length - sizeof last);
  if (last && l->take_checkpoint)
    l->take_checkpoint(l->context, &l->checkpoint);
  if (last)
    l->checkpoint.size = 0;
  return true;
}

static bool take_message(struct message_reader *l, uint32_t type,
                         const char *body, size_t length) {
  struct run *run = l->run;
  switch (type) {
  case MESSAGE_MODULE:
    return take_module(run, body, length);
  case MESSAGE_FINDING:
    return take_finding(run, body, length);
  case MESSAGE_OUTCOME:
    return take_outcome(run, body, length);
  case MESSAGE_SAMPLE:
    return take_sample(run, body, length);
  case MESSAGE_THREAD:
    return take_thread(run, body, length);
  case MESSAGE_STEP:
    return take_step(run, body, length);
  case MESSAGE_LOCAL:
    return take_local(run, body, length);
  case MESSAGE_DEPARTED:
    return take_departed(run, body, length);
  case MESSAGE_CRITICAL:
    return take_critical(run, body, length);
  case MESSAGE_STAND:
    return take_stand(run, body, length);
  case MESSAGE_OUTPUT:
    take_output(run, body, length);
    return true;
  case MESSAGE_STDERR:
    text_add(&run->complaints, body, length);
    return true;
  case MESSAGE_LIMIT:
    run_add_limit(run, "%.*s", (int)length, body);
    return true;
  case MESSAGE_PAUSED:
    l->paused = true;
    return true;
  case MESSAGE_CHECKPOINT:
    return take_checkpoint(l, body, length);
  case MESSAGE_STUCK:
    return take_stuck(run, body, length);
  case MESSAGE_REFUSED:
    replace(&run->refused, body, length);
    l->done = true;
    return true;
  case MESSAGE_DONE:
    l->done = true;
    return true;
  default:
    return false;
  }
}

void message_reader_take(struct message_reader *l, const char *bytes,
                         size_t length) {
  text_add(&l->pending, bytes, length);
  size_t used = 0;
  while (!l->garbled && l->pending.size - used >= sizeof(struct message)) {
    struct message header;
    memcpy(&header, l->pending.at + used, sizeof header);
    if (header.length > LONGEST_MESSAGE || header.type > MESSAGE_DONE) {
      l->garbled = true;
    } else if (l->pending.size - used - sizeof header < header.length) {
      break;
    } else {
      const char *body = l->pending.at + used + sizeof header;
      l->garbled = !take_message(l, header.type, body, header.length);
      used += sizeof header + header.length;
    }
  }
  memmove(l->pending.at, l->pending.at + used, l->pending.size - used);
  l->pending.size -= used;
}

void run_forget_steps(struct run *run) {
  for (size_t i = 0; i < run->steps.size; i++) {
    struct run_step *step = &run->steps.at[i];
    site_free(&step->site);
    free(step->access);
    free(step->text);
    VEC_FREE(step->printed);
  }
  for (size_t i = 0; i < run->locals.size; i++)
    site_free(&run->locals.at[i].site);
  for (size_t i = 0; i < run->stands.size; i++) {
    free(run->stands.at[i].looks);
    VEC_FREE(run->stands.at[i].stack);
  }
  run->steps.size = run->locals.size = run->stands.size = 0;
}

void run_free(struct run *run) {
  for (size_t i = 0; i < run->modules.size; i++)
    free(run->modules.at[i].path);
  for (size_t i = 0; i < run->findings.size; i++)
    finding_free(&run->findings.at[i]);
  for (size_t i = 0; i < run->outcomes.size; i++) {
    VEC_FREE(run->outcomes.at[i].output);
    free(run->outcomes.at[i].moves);
  }
  for (size_t i = 0; i < run->samples.size; i++) {
    free(run->samples.at[i].moves);
    VEC_FREE(run->samples.at[i].output);
  }
  run_forget_steps(run);
  VEC_FREE(run->samples);
  VEC_FREE(run->modules);
  VEC_FREE(run->findings);
  VEC_FREE(run->outcomes);
  VEC_FREE(run->threads);
  VEC_FREE(run->steps);
  VEC_FREE(run->locals);
  VEC_FREE(run->stands);
  VEC_FREE(run->output);
  VEC_FREE(run->complaints);
  free(run->limit);
  free(run->refused);
  *run = (struct run){0};
}
