/* _Thread_local variables in a run that is not checked: each thread has a list
 * of its copies, which ends with the thread. */
#include <limits.h>
#include <pthread.h>
#include <stdlib.h>

#include "core/hook.h"
#include "plain.h"
#include "system/native/base/real.h"
#include "util/ensure.h"
#include "util/vec.h"

void *__libc_memalign(size_t, size_t);

struct copy {
  const struct hook_thread_local *description;
  void *address;
};

struct copies {
  VEC(struct copy) list;
  unsigned rounds; /* of destructors that have passed */
};

/* The C library's functions, not the runtime's. */
static struct {
  pthread_key_t key;
  int (*create)(pthread_key_t *, void (*)(void *));
  void *(*get)(pthread_key_t);
  int (*set)(pthread_key_t, const void *);
} specific;

/* Destructors of the program may use these variables, so this one waits for the
 * last round. */
static void end(void *value) {
  struct copies *mine = value;
  if (++mine->rounds < PTHREAD_DESTRUCTOR_ITERATIONS) {
    specific.set(specific.key, mine);
    return;
  }
  for (size_t i = 0; i < mine->list.size; i++)
    free(mine->list.at[i].address);
  VEC_FREE(mine->list);
  free(mine);
}

static void set_up(void) {
  static bool done;
  plain_lock();
  if (!done) {
    *(void **)&specific.create = real_lookup("pthread_key_create");
    *(void **)&specific.get = real_lookup("pthread_getspecific");
    *(void **)&specific.set = real_lookup("pthread_setspecific");
    ensure(specific.create(&specific.key, end) == 0);
    __atomic_store_n(&done, true, __ATOMIC_RELEASE);
  }
  plain_unlock();
}

static struct copies *copies_of_thread(void) {
  static bool ready;
  if (!__atomic_load_n(&ready, __ATOMIC_ACQUIRE)) {
    set_up();
    __atomic_store_n(&ready, true, __ATOMIC_RELEASE);
  }
  struct copies *mine = specific.get(specific.key);
  if (!mine) {
    mine = calloc(1, sizeof *mine);
    ensure(mine && specific.set(specific.key, mine) == 0);
  }
  return mine;
}

static void *make_copy(const struct hook_thread_local *variable) {
  void *address =
      __libc_memalign(variable->alignment, variable->size ? variable->size : 1);
  ensure(address); /* out of memory */
  if (variable->initial)
    heddle_real_memcpy(address, variable->initial, variable->size);
  else
    heddle_real_memset(address, 0, variable->size);
  return address;
}

void *plain_thread_local(const struct hook_thread_local *variable) {
  struct copies *mine = copies_of_thread();
  for (size_t i = 0; i < mine->list.size; i++)
    if (mine->list.at[i].description == variable)
      return mine->list.at[i].address;
  VEC_PUSH(mine->list, (struct copy){variable, make_copy(variable)});
  return VEC_TOP(mine->list).address;
}
