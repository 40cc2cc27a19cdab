/* Thread-specific data.
 *
 * Numbers of keys are given in the order in which the program asks, so making
 * and deleting keys are operations on the table.  The values are a thread's
 * own: getting and setting them are no events.  A thread that ends with values
 * looks at the table for their destructors, which is an event too.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <limits.h>

#include "system/native/sync.h"

/* prog */
struct key {
  void (*destructor)(void *);
  uint32_t used;
};

PROG static struct key table[NATIVE_KEYS];

_Static_assert(NATIVE_KEYS == PTHREAD_KEYS_MAX, "as many as glibc has");

/* keep: above all numbers ever given, in any execution.  A thread that ends
 * need not look further. */
static uint32_t numbers_end;

/* A thread may still have a value of a key that had this number before. */
static void forget_values(uint32_t key) {
  for (unsigned i = 0; i < thread_count(); i++) {
    struct thread *t = thread_get(i);
    if (t->keys[key])
      SET(t->keys[key], NULL);
  }
}

static bool find_unused(uint32_t *key) {
  for (*key = 0; *key < NATIVE_KEYS; ++*key)
    if (!table[*key].used)
      return true;
  return false;
}

int key_create(uint32_t *out, void (*destructor)(void *), uint64_t pc) {
  struct object_step s;
  object_operation(&s, OP_INIT, table, NULL, pc);
  s.op.object = out;
  object_visible(&s, sizeof *table);
  uint32_t key;
  if (!find_unused(&key))
    return EAGAIN;
  forget_values(key);
  SET(table[key], ((struct key){destructor, 1}));
  if (key >= numbers_end)
    numbers_end = key + 1;
  visible_store(out, &key, sizeof key, pc);
  return 0;
}

int key_delete(uint32_t key, uint64_t pc) {
  struct object_step s;
  object_operation(&s, OP_DESTROY, table, NULL, pc);
  object_visible(&s, sizeof *table);
  if (key >= NATIVE_KEYS || !table[key].used)
    return EINVAL;
  SET(table[key], ((struct key){NULL, 0}));
  return 0;
}

/* Using a key while it is being deleted is the program's fault; then it is not
 * looked for in every order. */
static bool usable(uint32_t key) {
  return key < NATIVE_KEYS && table[key].used;
}

void *key_get(uint32_t key) {
  return usable(key) ? current()->keys[key] : NULL;
}

int key_set(uint32_t key, void *value) {
  if (!usable(key))
    return EINVAL;
  struct thread *me = current();
  SET(me->keys[key], value);
  return 0;
}

/* ---- a thread ends ---------------------------------------------------- */

static void destroy_value(struct thread *me, uint32_t key) {
  struct object_step s;
  object_operation(&s, OP_SCAN, table, NULL, 0);
  object_reading(&s);
  object_visible(&s, sizeof *table);
  void *value = me->keys[key];
  void (*destructor)(void *) = table[key].destructor;
  SET(me->keys[key], NULL);
  if (table[key].used && destructor)
    destructor(value);
}

/* A destructor may set values again: then there is another round, but not for
 * ever. */
void keys_destroy(struct thread *me) {
  bool any = true;
  for (int round = 0; any && round < PTHREAD_DESTRUCTOR_ITERATIONS; round++) {
    any = false;
    for (uint32_t key = 0; key < numbers_end; key++)
      if (me->keys[key]) {
        destroy_value(me, key);
        any = true;
      }
  }
}

/* ---- the program's names ---------------------------------------------- */

INTERPOSED int pthread_key_create(pthread_key_t *key,
                                  void (*destructor)(void *)) {
  return key_create(key, destructor, CALLER);
}

INTERPOSED int pthread_key_delete(pthread_key_t key) {
  return key_delete(key, CALLER);
}

INTERPOSED void *pthread_getspecific(pthread_key_t key) {
  return key_get(key);
}

INTERPOSED int pthread_setspecific(pthread_key_t key, const void *value) {
  return key_set(key, (void *)(uintptr_t)value);
}
