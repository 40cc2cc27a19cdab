#include "fuzz/c/c_shrink.h"

#include "util/ensure.h"

static struct c_program *add_copy(c_program_list *list,
                                  const struct c_program *p) {
  struct c_program copy;
  c_program_copy(&copy, p);
  VEC_PUSH(*list, copy);
  return &VEC_TOP(*list);
}

/* The children of a thread that goes become its creator's. */
static void remove_thread(struct c_program *p, unsigned thread) {
  unsigned creator = p->threads.at[thread].creator;
  p->threads.at[thread].removed = true;
  for (size_t t = 1; t < p->threads.size; t++) {
    struct c_thread *other = &p->threads.at[t];
    if (other->joiner == thread)
      other->joiner = creator;
    if (other->creator == thread)
      other->creator = creator;
  }
  for (size_t i = 0; i < p->statements.size; i++)
    if (p->statements.at[i].thread == thread)
      p->statements.at[i].removed = true;
}

static bool is_used(const struct c_program *p, unsigned object) {
  for (size_t i = 0; i < p->statements.size; i++)
    if (!p->statements.at[i].removed && p->statements.at[i].object == object)
      return true;
  return false;
}

static void remove_unused_objects(struct c_program *p) {
  for (unsigned i = 0; i < p->objects.size; i++)
    if (!is_used(p, i))
      p->objects.at[i].removed = true;
}

static void offer_fewer_threads(c_program_list *list,
                                const struct c_program *p) {
  for (unsigned t = 1; t < p->threads.size; t++)
    if (!p->threads.at[t].removed)
      remove_thread(add_copy(list, p), t);
  if (p->owner_is_thread)
    add_copy(list, p)->owner_is_thread = false;
}

static void offer_fewer_statements(c_program_list *list,
                                   const struct c_program *p) {
  for (size_t i = 0; i < p->statements.size; i++)
    if (!p->statements.at[i].removed)
      add_copy(list, p)->statements.at[i].removed = true;
}

static void offer_simpler_threads(c_program_list *list,
                                  const struct c_program *p) {
  for (unsigned t = 1; t < p->threads.size; t++) {
    const struct c_thread *thread = &p->threads.at[t];
    if (thread->removed)
      continue;
    if (thread->kind != THREAD_JOINED)
      add_copy(list, p)->threads.at[t].kind = THREAD_JOINED;
    if (thread->joiner != thread->creator)
      add_copy(list, p)->threads.at[t].joiner = thread->creator;
  }
}

static void free_list(c_program_list *list) {
  for (size_t i = 0; i < list->size; i++)
    c_program_free(&list->at[i]);
  VEC_FREE(*list);
}

void c_shrink(struct c_program *p, c_shrink_test test, void *context) {
  size_t found;
  do {
    c_program_list list = {0};
    offer_fewer_threads(&list, p);
    offer_fewer_statements(&list, p);
    offer_simpler_threads(&list, p);
    for (size_t i = 0; i < list.size; i++)
      remove_unused_objects(&list.at[i]);
    size_t count = list.size;
    found = count ? test(context, &list) : count;
    ensure(found <= count);
    if (found < count) {
      c_program_free(p);
      c_program_copy(p, &list.at[found]);
    } else {
      found = SIZE_MAX;
    }
    free_list(&list);
  } while (found != SIZE_MAX);
}
