/* What the synchronisation primitives share.
 *
 * The state of a primitive lives inside the program's own object: an overlay
 * struct for each type reads glibc's static initialisers and uses the other
 * bytes for our own fields.
 *
 * Every operation on an object is an atomic write of its first OBJECT_SIZE
 * bytes, so that any two of them are dependent.  An operation that is known to
 * change nothing only reads them.  `offers` says what the object offers just
 * before the operation; from that the explorer derives where a blocking
 * operation could have come first.  So `ready` and `offers` must agree (see
 * object_offered), and an operation that cannot block because of what its own
 * thread did before (locking a recursive mutex again) is not announced as
 * blocking.
 *
 * A broken object (destroyed, never initialised) offers everything: a thread
 * that waits for it goes on and fails.
 */
#ifndef SYSTEM_NATIVE_PTHREAD_SYNC_H
#define SYSTEM_NATIVE_PTHREAD_SYNC_H

#include <errno.h>
#include <pthread.h>
#include <time.h>

#include "system/native/hooks/hooks.h"
#include "system/native/engine/native.h"

/* The life of an object, as its `life` field says. */
enum {
  LIFE_STATIC = 0,        /* all zero: a static initialiser */
  LIFE_MADE = 0x4c694645, /* by its init function */
  LIFE_OVER = 0x6f564552, /* destroyed */
};

/* prog: an operation on one object, with its footprint. */
struct object_step {
  struct operation op;
  struct access access;
};

/* The running thread; before main all code runs as thread 0. */
static inline struct thread *current(void) {
  return self ? self : thread_get(0);
}

/* ---- objects (sync_api.c) --------------------------------------------- */

/* Describes an operation on the object. */
void object_operation(struct object_step *, enum op, void *object,
                      uint8_t (*offers)(const struct operation *), uint64_t pc);

/* The operation waits until the object offers what it wants. */
void object_blocking(struct object_step *, uint8_t wants);

/* The operation fails, and only reads, unless the object offers this. */
void object_conditional(struct object_step *, uint8_t wants);

/* The operation will change nothing, whatever the state. */
void object_reading(struct object_step *);

/* Announces it; after that the object may be read.  Fails the thread if its
 * first `size` bytes are not memory of the program. */
void object_visible(struct object_step *, size_t size);

/* Does the object offer what the operation wants? */
bool object_offered(const struct operation *);

/* For operations that another thread's step replaces. */
bool never_ready(const struct operation *);

/* Fails the thread if an object whose life is this must not be used.  `what` is
 * "mutex", ...; `must_be_made`: this type has no static initialiser. */
void life_check(uint32_t life, bool must_be_made, const char *what,
                uint64_t pc);

static inline bool life_good(uint32_t life) {
  return life == LIFE_STATIC || life == LIFE_MADE;
}

/* A store to the program's memory, as its own code would do it: an event of its
 * own. */
void visible_store(void *to, const void *from, size_t size, uint64_t pc);

/* Is it a time that pthreads and semaphores accept? */
static inline bool time_valid(const struct timespec *t, uint64_t pc) {
  plain_announce((void *)(uintptr_t)t, sizeof *t, false, pc);
  return t->tv_nsec >= 0 && t->tv_nsec < 1000000000;
}

/* ---- threads (thread.c, sync_keys.c) ---------------------------------- */

/* prog: what attributes ask for. */
struct thread_wishes {
  size_t stack; /* 0: the usual size */
  bool detached;
  uint8_t policy;
  int32_t priority;
  bool has_mask;
  uint8_t processors;
  unsigned long mask; /* of signals */
};

struct attributes; /* thread_attr.c */
/* Those of a thread that exists. */
void attributes_write(struct attributes *, const struct thread *, bool detached,
                      uint64_t pc);
/* schedule.c: stores these processors (0: all) in the program's set; an errno.
 */
int affinity_put(uint8_t processors, size_t size, void *set, uint64_t pc);
/* The thread is being created. */
void schedule_begin(const struct thread *, const struct thread_wishes *);
bool schedule_is_valid(int policy, int priority);
/* Fails the program if the handle is of no thread.  `what`: as in "join". */
struct thread *thread_of(pthread_t handle, const char *what, uint64_t pc);
/* NULL: the default. */
void attributes_read(const struct attributes *, struct thread_wishes *,
                     uint64_t pc);

int thread_create(pthread_t *, const struct attributes *,
                  void *(*start)(void *), void *argument, bool returns_int,
                  uint64_t pc);
int thread_join(pthread_t, void **result, uint64_t pc);
/* The thread was joined unless there was an error, which is returned.  Its
 * result is dead, and states need not tell it. */
int thread_was_joined(pthread_t, int error);
int thread_detach(pthread_t, uint64_t pc);

int key_create(uint32_t *, void (*destructor)(void *), uint64_t pc);
int key_delete(uint32_t, uint64_t pc);
void *key_get(uint32_t, uint64_t pc);
int key_set(uint32_t, void *, uint64_t pc);
void keys_destroy(struct thread *); /* the thread ends: runs destructors */

/* ---- mutexes (sync_mutex.c) ------------------------------------------- */

enum { MUTEX_NORMAL, MUTEX_RECURSIVE, MUTEX_ERRORCHECK, MUTEX_ADAPTIVE };

/* prog: overlays pthread_mutex_t and mtx_t. */
struct mutex {
  uint32_t owner; /* 1 + the holding thread's number, or 0 */
  uint32_t count; /* how often that thread holds it */
  uint32_t life;
  uint32_t robust;    /* ROBUST_ value */
  int32_t kind;       /* where glibc's static initialisers have it */
  int32_t ceiling;    /* a priority, for the program to read back; 0: none */
  struct mutex *next; /* robust mutexes that its holder holds, too */
};

/* Is the mutex robust, and if so, in which state? */
enum {
  ROBUST_NOT,
  ROBUST_WHOLE,
  ROBUST_LEFT, /* a thread ended and held it; not made consistent yet */
  ROBUST_LOST, /* ... and was unlocked without that */
};

int mutex_init(struct mutex *, int kind, bool robust, uint64_t pc);
int mutex_destroy(struct mutex *, uint64_t pc);
int mutex_lock(struct mutex *, uint64_t pc);
int mutex_trylock(struct mutex *, uint64_t pc);
int mutex_timedlock(struct mutex *, const struct timespec *, uint64_t pc);
int mutex_unlock(struct mutex *, uint64_t pc);

/* For condition variables. */
bool mutex_held_by(const struct mutex *, const struct thread *);
void mutex_check(const struct mutex *, uint64_t pc);
uint8_t mutex_offers(const struct operation *);
void mutex_lock_operation(struct object_step *, struct mutex *, uint64_t pc);
/* Once more.  EOWNERDEAD: taken, but its last holder has ended;
 * ENOTRECOVERABLE: not taken; else 0. */
int mutex_take(struct mutex *, struct thread *);
void mutex_drop(struct mutex *); /* once */
/* The running thread ends: robust mutexes that it holds say so from now on. */
void mutexes_abandon(struct thread *);
/* Does the running thread hold it more than once?  Only its own steps change
 * that. */
bool mutex_is_nested(const struct mutex *);
/* An unlock by a thread that does not hold it returns EPERM. */
bool mutex_reports_wrong_unlock(const struct mutex *);

/* ---- the others ------------------------------------------------------- */

struct cond;
int cond_init(struct cond *, uint64_t pc);
int cond_destroy(struct cond *, uint64_t pc);
int cond_wait(struct cond *, struct mutex *, uint64_t pc);
int cond_timedwait(struct cond *, struct mutex *, const struct timespec *,
                   uint64_t pc);
int cond_signal(struct cond *, uint64_t pc);
int cond_broadcast(struct cond *, uint64_t pc);
/* A choice: may the wait that begins end without a signal (--spurious)? */
bool choose_spurious(uint64_t pc);

int once_run(int32_t *, void (*routine)(void), uint64_t pc);

/* The thread that holds the object of the blocked operation; NULL if it is not
 * an operation on this type of object. */
struct thread *mutex_holder(const struct operation *);
struct thread *rwlock_holder(const struct operation *);
struct thread *spin_holder(const struct operation *);
struct thread *once_holder(const struct operation *);

#endif
