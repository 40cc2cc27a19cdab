/* One pass over the bytes that the steps touch. */
#include "report/links.h"

#include "util/table.h"

/* ---- bytes --------------------------------------------------------------- */

enum { MOST_READERS = 8 };

/* One byte of memory, as of the step at hand.  Steps are 1 + their position. */
struct byte_history {
  uint64_t address;
  size_t written;
  size_t released;
  size_t readers;
  struct {
    uint32_t proc;
    size_t step;
  } read[MOST_READERS]; /* since it was written: the last step of each thread */
};

struct linker {
  struct result_finding *finding;
  VEC(struct byte_history) bytes;
  struct table by_address;
  VEC(size_t) last;    /* by thread: 1 + its last step in the schedule */
  VEC(size_t) latest;  /* by thread: 1 + its latest step so far */
  VEC(size_t) created; /* by thread: 1 + the step that created it, or 0 */
};

static struct byte_history *byte_at(struct linker *l, uint64_t address) {
  uint32_t hash = table_hash(address);
  for (TABLE_EACH(n, &l->by_address, hash))
    if (l->bytes.at[n].address == address)
      return &l->bytes.at[n];
  table_add(&l->by_address, hash, l->bytes.size);
  VEC_PUSH(l->bytes, (struct byte_history){.address = address});
  return &VEC_TOP(l->bytes);
}

static struct result_step *step_at(const struct linker *l, size_t step) {
  return &l->finding->steps.at[step - 1];
}

/* Did the thread read the byte since it was written? */
static bool has_read(const struct byte_history *byte, uint32_t proc) {
  for (size_t i = 0; i < byte->readers; i++)
    if (byte->read[i].proc == proc)
      return true;
  return false;
}

static void note_reader(struct byte_history *byte, uint32_t proc, size_t step) {
  size_t i = 0;
  while (i < byte->readers && byte->read[i].proc != proc)
    i++;
  if (i == MOST_READERS)
    return;
  byte->read[i].proc = proc;
  byte->read[i].step = step;
  if (i == byte->readers)
    byte->readers++;
}

/* ---- links --------------------------------------------------------------- */

/* Of several connections of a step the latest tells most. */
static void set_link(struct result_step *step, size_t from,
                     enum step_link link) {
  if (from <= step->follows)
    return;
  step->follows = from;
  step->link = link;
}

static bool ends_memory(const struct result_step *step) {
  return op_is(step->op, OPCLASS_LIFETIME);
}

/* A read, or any access to memory that has ended.  What was written before the
 * thread began was there from its beginning. */
static void look_at(struct linker *l, struct byte_history *byte, size_t now) {
  struct result_step *step = step_at(l, now);
  if (!byte->written)
    return;
  set_link(step, byte->written, LINK_DATA);
  if (has_read(byte, step->proc) ||
      step_at(l, byte->written)->proc == step->proc ||
      byte->written < l->created.at[step->proc])
    return;
  if (step->reads_from < byte->written)
    step->reads_from = byte->written;
}

static void replace(struct linker *l, struct byte_history *byte, size_t now) {
  struct result_step *step = step_at(l, now);
  for (size_t i = 0; i < byte->readers; i++) {
    if (byte->read[i].proc == step->proc ||
        l->last.at[byte->read[i].proc] <= now)
      continue;
    if (step->overwrites < byte->read[i].step)
      step->overwrites = byte->read[i].step;
  }
  byte->written = now;
  byte->readers = 0;
}

static void touch_data(struct linker *l, struct byte_history *byte, bool write,
                       size_t now) {
  const struct result_step *step = step_at(l, now);
  bool dead = byte->written && ends_memory(step_at(l, byte->written));
  if (!write || op_reads_written(step->op) || dead)
    look_at(l, byte, now);
  if (!write || op_is_rmw(step->op))
    note_reader(byte, step->proc, now);
  if (write)
    replace(l, byte, now);
}

static bool has_order(const struct result_step *step, enum op_order order) {
  return !step->failed && (op_table[step->op].order == order ||
                           op_table[step->op].order == OPORDER_BOTH);
}

static void touch_object(struct linker *l, struct byte_history *byte,
                         size_t now) {
  struct result_step *step = step_at(l, now);
  if (has_order(step, OPORDER_ACQUIRES))
    set_link(step, byte->released, LINK_LOCK);
  if (has_order(step, OPORDER_RELEASES))
    byte->released = now;
}

static void touch(struct linker *l, const struct access *access, size_t now) {
  enum { MOST_BYTES = 4096 };
  const struct result_step *step = step_at(l, now);
  for (uint64_t i = 0; i < access->size && i < MOST_BYTES; i++) {
    struct byte_history *byte = byte_at(l, access->addr + i);
    if (op_is_of_data(step->op) || ends_memory(step))
      touch_data(l, byte, access->mode & ACCESS_WRITE, now);
    else if (op_is(step->op, OPCLASS_OBJECT))
      touch_object(l, byte, now);
  }
}

static void link_thread(struct linker *l, struct result_step *step) {
  if (!l->latest.at[step->proc])
    set_link(step, l->created.at[step->proc], LINK_THREAD);
  if (step->op == OP_JOIN && step->target < l->latest.size)
    set_link(step, l->latest.at[step->target], LINK_THREAD);
}

/* ---- all of it ----------------------------------------------------------- */

static void find_threads(struct linker *l) {
  const struct result_finding *finding = l->finding;
  uint32_t threads = 0;
  for (size_t i = 0; i < finding->steps.size; i++)
    if (finding->steps.at[i].proc >= threads)
      threads = finding->steps.at[i].proc + 1;
  VEC_CLEARED(l->last, threads);
  VEC_CLEARED(l->latest, threads);
  VEC_CLEARED(l->created, threads);
  for (size_t i = 0; i < finding->steps.size; i++) {
    const struct result_step *step = &finding->steps.at[i];
    l->last.at[step->proc] = i + 1;
    if (step->op == OP_CREATE && step->target < threads)
      l->created.at[step->target] = i + 1;
  }
}

void link_steps(struct result_finding *finding) {
  struct linker l = {.finding = finding};
  find_threads(&l);
  for (size_t now = 1; now <= finding->steps.size; now++) {
    struct result_step *step = step_at(&l, now);
    for (size_t i = 0; i < step->accesses; i++)
      touch(&l, &finding->accesses.at[step->first + i], now);
    link_thread(&l, step);
    l.latest.at[step->proc] = now;
  }
  table_free(&l.by_address);
  VEC_FREE(l.bytes);
  VEC_FREE(l.last);
  VEC_FREE(l.latest);
  VEC_FREE(l.created);
}
