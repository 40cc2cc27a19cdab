#include "core/done.h"

static uint32_t range_size(struct done_range r) {
  return r.end - r.start;
}

static uint32_t step_count(const struct done_node *node) {
  return range_size(node->inherited) + range_size(node->own);
}

/* The i-th of the inherited ones and the node's own. */
static const struct done_step *
step_at(const struct done *d, const struct done_node *node, uint32_t i) {
  uint32_t inherited = range_size(node->inherited);
  return &d->steps.at[i < inherited ? node->inherited.start + i
                                    : node->own.start + (i - inherited)];
}

static struct option option_of(const struct done *d,
                               const struct done_step *one) {
  return (struct option){one->proc, one->index, one->choice, one->accesses,
                         one->accesses == 1 ? &one->one
                                            : &d->accesses.at[one->first]};
}

/* Does the newest event make sure that the step cannot come first any more,
 * whatever follows? */
static bool ruled_out(struct done *d, const struct done_step *one,
                      const struct trace *t) {
  uint32_t last = (uint32_t)trace_length(t) - 1;
  const struct event *e = &t->events.at[last];
  struct option o = option_of(d, one);
  if (one->proc == e->proc && one->index == e->index)
    return one->choice != e->choice;
  if (!footprint_conflict_firm(o.access, o.accesses, event_access(t, e),
                               e->accesses))
    return false;
  if (one->index > process_length(t, one->proc))
    return true;
  course_begin(&d->path, t, last + 1);
  return course_waits(&d->path, one->at,
                      process_event(t, one->proc, one->index));
}

void done_child(struct done *d, const struct done_node *parent,
                const struct trace *t, struct done_node *child) {
  uint32_t top = (uint32_t)d->steps.size;
  VEC_RESERVE(d->steps, step_count(parent)); /* pointers stay valid */
  for (uint32_t i = 0; i < step_count(parent); i++) {
    const struct done_step *one = step_at(d, parent, i);
    if (!ruled_out(d, one, t))
      VEC_PUSH(d->steps, *one);
  }
  child->inherited = (struct done_range){top, (uint32_t)d->steps.size};
  top = (uint32_t)d->steps.size;
  child->own = (struct done_range){top, top};
  child->accesses_end = (uint32_t)d->accesses.size;
}

void done_return(struct done *d, const struct done_node *node) {
  d->steps.size = node->own.end;
  d->accesses.size = node->accesses_end;
}

void done_add(struct done *d, struct done_node *node, const struct trace *t,
              uint32_t position) {
  const struct event *e = &t->events.at[position];
  const struct access *access = event_access(t, e);
  struct done_step one = {e->proc,     e->index, e->choice, position,
                          e->accesses, {0},      0};
  if (e->accesses == 1) {
    one.one = access[0];
  } else {
    one.first = (uint32_t)d->accesses.size;
    for (uint32_t i = 0; i < e->accesses; i++)
      VEC_PUSH(d->accesses, access[i]);
  }
  VEC_PUSH(d->steps, one);
  node->own.end = (uint32_t)d->steps.size;
  node->accesses_end = (uint32_t)d->accesses.size;
}

bool done_get(const struct done *d, const struct done_node *node, uint32_t i,
              struct option *out, uint32_t *from) {
  if (i >= step_count(node))
    return false;
  *out = option_of(d, step_at(d, node, i));
  *from = step_at(d, node, i)->at;
  return true;
}

void done_free(struct done *d) {
  VEC_FREE(d->steps);
  VEC_FREE(d->accesses);
  course_free(&d->path);
}
