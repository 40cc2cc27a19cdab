/* Thread-specific data.
 *
 * Keys get their numbers in the order of creation.  So making and deleting a
 * key is an access to the set of numbers and a write to the key.  The values
 * are a thread's own, but getting, setting and destroying a value reads the
 * key.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <limits.h>

#include "system/native/pthread/sync.h"

/* prog */
struct thread_key {
  void (*destructor)(void *);
  uint32_t used;
};

PROG static struct thread_key table[NATIVE_KEYS];

/* prog: the numbers in use. */
PROG static struct {
  uint32_t users; /* stands for the set in footprints */
  bool taken[NATIVE_KEYS];
} numbers;

_Static_assert(NATIVE_KEYS == PTHREAD_KEYS_MAX, "as many as glibc has");

/* keep: 1 + the highest number ever given, in any execution.  A thread that
 * ends looks for values up to here. */
static uint32_t numbers_end;

/* Threads may still have values of an earlier key with this number. */
static void forget_values(uint32_t key) {
  for (unsigned i = 0; i < thread_count(); i++) {
    struct thread *t = thread_get(i);
    if (t->keys[key])
      SET(t->keys[key], NULL);
  }
}

static void use_numbers(uint64_t pc) {
  library_state(&numbers.users, sizeof numbers.users, true, pc);
}

static void use_key(uint32_t key, bool write, uint64_t pc) {
  library_state(&table[key], sizeof *table, write, pc);
}

static bool take_number(uint32_t *key) {
  for (*key = 0; *key < NATIVE_KEYS; ++*key)
    if (!numbers.taken[*key]) {
      SET(numbers.taken[*key], true);
      return true;
    }
  return false;
}

int key_create(uint32_t *out, void (*destructor)(void *), uint64_t pc) {
  uint32_t key;
  use_numbers(pc);
  if (!take_number(&key))
    return EAGAIN;
  if (key >= numbers_end)
    numbers_end = key + 1;
  use_key(key, true, pc);
  forget_values(key);
  SET(table[key], ((struct thread_key){destructor, 1}));
  visible_store(out, &key, sizeof key, pc);
  return 0;
}

int key_delete(uint32_t key, uint64_t pc) {
  if (key >= NATIVE_KEYS)
    return EINVAL;
  use_key(key, true, pc);
  if (!table[key].used)
    return EINVAL;
  SET(table[key], ((struct thread_key){NULL, 0}));
  use_numbers(pc);
  SET(numbers.taken[key], false);
  return 0;
}

static bool usable(uint32_t key, uint64_t pc) {
  if (key >= NATIVE_KEYS)
    return false;
  use_key(key, false, pc);
  return table[key].used;
}

void *key_get(uint32_t key, uint64_t pc) {
  return usable(key, pc) ? current()->keys[key] : NULL;
}

int key_set(uint32_t key, void *value, uint64_t pc) {
  if (!usable(key, pc))
    return EINVAL;
  struct thread *me = current();
  SET(me->keys[key], value);
  return 0;
}

/* ---- a thread ends ---------------------------------------------------- */

static void destroy_value(struct thread *me, uint32_t key) {
  use_key(key, false, 0);
  void *value = me->keys[key];
  void (*destructor)(void *) = table[key].destructor;
  SET(me->keys[key], NULL);
  if (table[key].used && destructor)
    destructor(value);
}

/* A destructor may set values again.  Then there is another round, but their
 * number is limited. */
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
  return key_get(key, CALLER);
}

INTERPOSED int pthread_setspecific(pthread_key_t key, const void *value) {
  return key_set(key, (void *)(uintptr_t)value, CALLER);
}
