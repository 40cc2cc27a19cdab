/* Fingerprints of the state, for --verify.
 *
 * An exact fingerprint covers all that undo restores.  The other kind covers
 * what equivalent schedules share.  It leaves out the positions of steps, and
 * the contents of stacks, where a compiler may leave the value of any register.
 * It keeps the depth of a stack and the pending operation of its thread.
 */
#include "fingerprint.h"

#include <string.h>

#include "system/native/engine/engine.h"
#include "system/native/files/files.h"
#include "system/native/libc/libc.h"
#include "memory.h"
#include "system/native/engine/timekeeping.h"
#include "util/rng.h"

/* ---- sums ---------------------------------------------------------------- */

void digest_word(struct state_digest *d, uint64_t key, uint64_t word) {
  if (word)
    d->sum += rng_mix(key ^ rng_mix(word));
}

void digest_bytes_as(struct state_digest *d, uint64_t key, const void *bytes,
                     size_t size) {
  const char *from = bytes;
  for (size_t done = 0; done < size; done += 8) {
    uint64_t word = 0;
    size_t part = size - done < 8 ? size - done : 8;
    if (likely(part == 8))
      memcpy(&word, from + done, 8);
    else
      memcpy(&word, from + done, part);
    digest_word(d, key + done, word);
  }
}

static void digest_range(void *context, char *start, size_t size) {
  digest_bytes_as(context, (uintptr_t)start, start, size);
}

void digest_bytes(struct state_digest *d, const void *bytes, size_t size) {
  memory_touched((char *)(uintptr_t)bytes, size, digest_range, d);
}

/* ---- variables ----------------------------------------------------------- */

static uint64_t digest_variables(void) {
  struct state_digest d = {0};
  memory_variables(digest_range, &d);
  memory_no_marks(digest_range, &d);
  time_digest(&d);
  exit_digest(&d);
  files_digest(&d);
  return d.sum;
}

/* ---- threads ------------------------------------------------------------- */

static void digest_operation(struct state_digest *d, uint64_t key,
                             const struct operation *op) {
  uint64_t words[] = {(uint64_t)op->op << 32 | op->flags << 16 |
                          op->order << 8 | op->wants,
                      op->pc,
                      op->accesses,
                      (uintptr_t)op->ready,
                      (uintptr_t)op->object,
                      op->target};
  digest_bytes_as(d, key, words, sizeof words);
  digest_bytes_as(d, key + sizeof words, op->access,
                  op->accesses * sizeof *op->access);
}

/* Without positions of steps (causes, the anchor of a loop): see changes.c.  A
 * thread that has ended has no stack pointer. */
static void digest_position(struct state_digest *d, const struct thread *t) {
  if (t->state != THREAD_RUNNING)
    return;
  const struct spin *s = &t->spin;
  uint64_t key = (uintptr_t)t;
  uint64_t words[] = {
      (uintptr_t)t->sp, (uint64_t)t->children << 32 | t->atomic_depth,
      (uint64_t)t->error_number, (uint64_t)s->waiting << 1 | s->awake,
      s->anchor ? (uint64_t)s->count << 16 | s->power : 0};
  digest_bytes_as(d, key, words, sizeof words);
  if (t->pending)
    digest_operation(d, rng_mix(key), t->pending);
  if (s->waiting)
    digest_bytes_as(d, rng_mix(key + 1), &engine.accesses.at[s->first],
                    s->accesses * sizeof(struct access));
}

/* The first fields of a thread that does not exist are left from another
 * execution. */
static void digest_thread(struct state_digest *d, const struct thread *t,
                          bool exact) {
  const char *rest = (const char *)&t->resume;
  digest_word(d, (uintptr_t)&t->state, t->state);
  digest_bytes(d, rest, (size_t)((const char *)(t + 1) - rest));
  if (t->state == THREAD_NONE)
    return;
  if (exact)
    digest_bytes(d, t, offsetof(struct thread, spin) + sizeof t->spin);
  else
    digest_position(d, t);
}

static uint64_t digest_threads(bool exact) {
  struct state_digest d = {0};
  for (unsigned i = 0; i < thread_count(); i++)
    digest_thread(&d, thread_get(i), exact);
  return d.sum;
}

static uint64_t digest_stacks(void) {
  struct state_digest d = {0};
  for (unsigned i = 0; i < thread_count(); i++) {
    const struct thread *t = thread_get(i);
    if (t->state == THREAD_RUNNING)
      digest_bytes(&d, t->sp, (size_t)(t->stack_base - (char *)t->sp));
  }
  return d.sum;
}

/* ---- all of it ----------------------------------------------------------- */

static uint64_t digest_heap(void) {
  struct state_digest d = {0};
  heap_digest(&d);
  return d.sum;
}

/* Only an exact fingerprint has the standard error stream: it is no outcome,
 * and printing to it is no event. */
static uint64_t digest_output(bool exact) {
  struct state_digest d = {0};
  for (int stream = 1; stream <= (exact ? 2 : 1); stream++) {
    size_t length;
    const char *text = output_text(stream, &length);
    digest_word(&d, (uint64_t)stream, length + 1);
    digest_bytes_as(&d, rng_mix((uint64_t)stream), text, length);
  }
  return d.sum;
}

/* With --rollback=replay stacks and positions are left out: stacks differ, and
 * positions differ only if the steps do. */
void native_fingerprint(struct system *system, bool exact,
                        struct fingerprint *out) {
  (void)system;
  bool undone = engine.control->options.rollback == ROLLBACK_UNDO;
  *out = (struct fingerprint){{0}};
  out->part[FINGERPRINT_VARIABLES] = digest_variables();
  out->part[FINGERPRINT_HEAP] = digest_heap();
  out->part[FINGERPRINT_PROCESSES] = digest_threads(exact && undone);
  if (exact && undone)
    out->part[FINGERPRINT_STACKS] = digest_stacks();
  out->part[FINGERPRINT_OUTPUT] = digest_output(exact);
}
