#include "report/links.h"

#include "util/rng.h"
#include "util/table.h"

/* What was last done to 8 aligned bytes: 1 + the step, or 0. */
struct linked_cell {
  uint64_t granule;
  size_t write[8]; /* of each byte */
  size_t release[8];
};

struct linker {
  struct result_finding *finding;
  VEC(struct linked_cell) cells;
  struct table by_granule;
  VEC(size_t) latest;  /* by thread: 1 + its latest step */
  VEC(size_t) creator; /* by thread: 1 + the step that created it */
};

/* Of an access to many bytes the first ones are looked at. */
enum { MOST_BYTES = 512 };

static struct linked_cell *cell_of(struct linker *l, uint64_t granule) {
  uint32_t hash = (uint32_t)rng_mix(granule);
  for (TABLE_EACH(n, &l->by_granule, hash))
    if (l->cells.at[n].granule == granule)
      return &l->cells.at[n];
  table_add(&l->by_granule, hash, l->cells.size);
  VEC_PUSH(l->cells, (struct linked_cell){.granule = granule});
  return &VEC_TOP(l->cells);
}

static uint64_t bytes_of(const struct result_step *step) {
  if (!step->address)
    return 0;
  uint64_t size = step->size ? step->size : 1;
  return size < MOST_BYTES ? size : MOST_BYTES;
}

/* ---- what a step does ---------------------------------------------------- */

static bool is_data(const struct result_step *step) {
  return op_is_of_data(step->op) || op_is(step->op, OPCLASS_LIFETIME);
}

static bool reads(const struct result_step *step) {
  return is_data(step) && op_table[step->op].access != OPACCESS_WRITES;
}

static bool writes(const struct result_step *step) {
  return is_data(step) && op_table[step->op].access != OPACCESS_READS &&
         !step->failed;
}

static bool has_order(const struct result_step *step, enum op_order order) {
  return op_is(step->op, OPCLASS_OBJECT) && !step->failed &&
         (op_table[step->op].order == order ||
          op_table[step->op].order == OPORDER_BOTH);
}

/* ---- links --------------------------------------------------------------- */

static void set_link(struct result_step *step, size_t from,
                     enum step_link link) {
  if (from <= step->follows)
    return;
  step->follows = from;
  step->link = link;
}

static void link_memory(struct linker *l, struct result_step *step) {
  for (uint64_t b = 0; b < bytes_of(step); b++) {
    uint64_t byte = step->address + b;
    const struct linked_cell *cell = cell_of(l, byte >> 3);
    if (reads(step))
      set_link(step, cell->write[byte & 7], LINK_DATA);
    if (has_order(step, OPORDER_ACQUIRES))
      set_link(step, cell->release[byte & 7], LINK_LOCK);
  }
}

static size_t *of_thread(struct linker *l, uint32_t proc, bool creator) {
  while (l->latest.size <= proc) {
    VEC_PUSH(l->latest, 0);
    VEC_PUSH(l->creator, 0);
  }
  return creator ? &l->creator.at[proc] : &l->latest.at[proc];
}

static void link_thread(struct linker *l, struct result_step *step) {
  if (!*of_thread(l, step->proc, false))
    set_link(step, *of_thread(l, step->proc, true), LINK_THREAD);
  if (step->op == OP_JOIN)
    set_link(step, *of_thread(l, step->target, false), LINK_THREAD);
}

/* From now on later steps may follow from this one. */
static void note_step(struct linker *l, const struct result_step *step,
                      size_t number) {
  for (uint64_t b = 0; b < bytes_of(step); b++) {
    uint64_t byte = step->address + b;
    struct linked_cell *cell = cell_of(l, byte >> 3);
    if (writes(step))
      cell->write[byte & 7] = number;
    if (has_order(step, OPORDER_RELEASES))
      cell->release[byte & 7] = number;
  }
  *of_thread(l, step->proc, false) = number;
  if (step->op == OP_CREATE)
    *of_thread(l, step->target, true) = number;
}

void link_steps(struct result_finding *finding) {
  struct linker l = {.finding = finding};
  for (size_t i = 0; i < finding->steps.size; i++) {
    struct result_step *step = &finding->steps.at[i];
    step->follows = 0;
    link_memory(&l, step);
    link_thread(&l, step);
    note_step(&l, step, i + 1);
  }
  table_free(&l.by_granule);
  VEC_FREE(l.cells);
  VEC_FREE(l.latest);
  VEC_FREE(l.creator);
}
