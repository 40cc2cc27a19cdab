/* The runtime's inside: what hooks, pthreads and libc wrappers build on.
 *
 * The program's threads are coroutines in one kernel thread.  Exactly one of
 * them, or the explorer, runs at a time.  A thread that is about to do
 * something visible describes it in a `struct operation` on its own stack and
 * calls visible(), which switches to the explorer.  visible() returns when the
 * explorer takes that step: the thread then performs the operation and runs on
 * to its next visible().  That stretch is one step.
 */
#ifndef NATIVE_H
#define NATIVE_H

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include "core/hook.h"
#include "core/system.h"

#define NATIVE_THREADS 1024  /* heap arenas and stacks have fixed places */
#define NATIVE_KEYS 1024     /* PTHREAD_KEYS_MAX */
#define NATIVE_READ_LOCKS 64 /* read-write locks a thread reads at a time */

/* prog: on the stack of the thread that is about to act. */
struct operation {
  uint16_t op;                 /* enum op */
  uint8_t flags;               /* STEP_ bits */
  uint8_t order;               /* of an atomic operation */
  uint8_t wants;               /* OFFER_ bit, for STEP_BLOCKING */
  uint64_t pc;                 /* return address into the program */
  hook_site site;              /* of a hook; NULL: none */
  uint32_t accesses;           /* the footprint, as far as known */
  const struct access *access; /* on the same stack, or static */
  /* Can it be done now?  NULL: always. */
  bool (*ready)(const struct operation *);
  /* What its object offers now; NULL: nothing that anybody could want. */
  uint8_t (*offers)(const struct operation *);
  void *object;         /* for ready and offers, and for reports */
  uint32_t target;      /* thread to join or created, for reports */
  const void *expected; /* compare-and-swap: what it compares with the
                           bytes of its only access; else NULL */
};

enum thread_state {
  THREAD_NONE,    /* not created (yet, in this execution) */
  THREAD_RUNNING, /* has a pending operation, or is running */
  THREAD_ENDED,   /* returned from its start routine or called exit */
  THREAD_FAILED,  /* an error stopped it */
  THREAD_ASSUMED, /* stopped by an assumption that did not hold */
};

/* prog: a read-write lock that a thread holds for reading. */
struct read_lock {
  const void *lock;
  uint32_t count;
};

/* What a thread remembers of its loop, if it is in one: see spin.c. */
struct spin {
  uint32_t anchor;   /* 1 + own step whose local state may return */
  uint16_t count;    /* own steps since the anchor ... */
  uint16_t power;    /* ... and when to move it */
  uint32_t first;    /* of the await's accesses */
  uint16_t accesses; /* how many */
  uint8_t waiting;   /* its pending operation is an await ... */
  uint8_t awake;     /* ... and what it read was written since */
};

/* prog, except where said.  One per thread number, at a fixed address.  The
 * engine itself restores the fields from sp to spin when a step of the thread
 * is undone; a change of them in a step of another thread needs undo_note. */
struct thread {
  void *sp;                  /* where it was switched away */
  struct operation *pending; /* its next step; valid while it is paused.  The
                                step of another thread may replace it (a signal
                                turns a wait into a lock) */
  uint32_t state;            /* enum thread_state */
  uint32_t children;         /* created so far: names the next one */
  uint32_t cause;            /* 1 + step that made `pending` possible, or 0 */
  uint32_t last_step;        /* 1 + its latest step, or 0 */
  uint32_t atomic_depth;     /* nesting of heddle_atomic_begin */
  int error_number;          /* its errno */
  struct spin spin;

  uint32_t id;              /* keep */
  uint32_t parent;          /* keep */
  char *stack_low;          /* keep: lowest usable byte */
  char *stack_base;         /* keep: one past the highest byte */
  struct operation *resume; /* what a signal makes `pending` */

  void *(*start)(void *);
  uint8_t returns_int; /* start is a C11 thread function */
  void *argument;
  void *task; /* an actor's, whose thread this is: see actor.c; or NULL */
  void *result;
  uint64_t failure; /* digest of what stopped it: states that differ in that are
                       not the same */
  uint8_t detached;
  uint8_t joined;
  uint8_t woken;              /* the condition variable it waits on let it go */
  struct thread *next_waiter; /* in the queue of that condition variable */
  const void *waits_on;       /* for deadlock reports */
  void *cleanup;              /* innermost pthread_cleanup_push */
  char name[16];              /* pthread_setname_np */
  uint8_t cancel_state;       /* kept for pthread_setcancelstate to return */
  uint8_t cancel_type;
  uint32_t read_locks; /* entries of read_lock in use */
  struct read_lock read_lock[NATIVE_READ_LOCKS];
  void *keys[NATIVE_KEYS];
};

extern struct thread *self; /* the running thread; NULL in the explorer and
                               before main */
struct thread *thread_get(unsigned id);  /* NULL if that number is unused;
                                            thread 0 exists before main too */
struct thread *thread_at(uint64_t addr); /* whose struct is there, or NULL */
unsigned thread_count(void);             /* numbers given so far */

/* ---- between engine.c and thread.c --------------------------------------- */

/* engine.c: gives the next number (refuses the program beyond NATIVE_THREADS)
 * and the thread's struct, in state THREAD_NONE, all else zero but id, parent
 * and the stack.  keep: a number once given stays; thread.c remembers for which
 * child of the parent it is. */
struct thread *thread_new(uint32_t parent);

/* thread.c: the number of the thread that the parent created as its nth, from
 * 0. */
uint32_t thread_child(uint32_t parent, uint32_t nth);

/* engine.c: makes the thread's stack such that it begins in entry(thread). */
void coroutine_prepare(struct thread *, void (*entry)(struct thread *));

/* engine.c: switches from the running thread (or, before main, from the
 * constructor) to the child, and returns when the child first pauses in
 * visible(), ended or failed.  The child's code up to there is part of the
 * parent's step, and so is its failure. */
void coroutine_start(struct thread *child);

/* sync_api.c: the thread that holds what this blocked operation waits for, or
 * NULL if nobody in particular does; for deadlock reports. */
struct thread *operation_holder(const struct operation *);

/* thread.c: ends the running thread as pthread_exit does: cleanup handlers and
 * key destructors run first, as code of the program. */
_Noreturn void thread_exit(void *result);

/* ---- what wrappers call, on a program thread ---------------------------- */

/* Announces the operation and returns when its turn has come.  Before main, and
 * inside an atomic block, it returns at once (and refuses to check the program
 * if the operation is not ready there). */
void visible(struct operation *);

/* The usual case: one object of the runtime, e.g. a mutex.  Builds the
 * operation with the footprint "atomic write of 4 bytes at object". */
#define OBJECT_SIZE 4

/* One of n alternatives, decided by the explorer.  At most once in a step,
 * directly after visible(). */
unsigned choose(unsigned n);

/* The operation turned out only to read its object (trylock that failed,
 * compare-and-swap that failed). */
void footprint_only_read(void);

/* The step also touches these bytes. */
void footprint_add(const void *addr, size_t size, uint32_t mode);

/* Saves bytes that are about to be changed. */
void undo_note(void *addr, size_t size);
#define SET(place, value)               \
  do {                                  \
    undo_note(&(place), sizeof(place)); \
    (place) = (value);                  \
  } while (0)

/* 1 + the position of the step being taken: goes into thread->cause of a
 * thread that this step lets go on. */
uint32_t step_now(void);

/* The program is wrong: records a finding at the given place and stops the
 * running thread for good.  pc 0: the place of its current operation. */
_Noreturn void fail(enum finding_kind, uint64_t pc, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
_Noreturn void fail_at(enum finding_kind, const char *file, unsigned line,
                       const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* heddle cannot check the program: exit code 2, with this message. */
_Noreturn void refuse(const char *format, ...)
    __attribute__((format(printf, 1, 2)));

/* Ends the running thread: runs on in the explorer, never returns. */
_Noreturn void thread_end(enum thread_state);

/* Checks that the bytes may be touched if they lie in the heap; fails the
 * thread with FINDING_MEMORY if not (use after free, out of bounds). */
void heap_check(const void *addr, size_t size, bool write, uint64_t pc);

/* The running thread uses a heap block in some way. */
void sharing_use_block(const void *start);

/* Is the end of this block nobody else's business, so that it is no event? */
bool sharing_hides_block(const void *start);

/* Memory for wrappers that need some (strdup, asprintf): the running thread's
 * arena, as malloc. */
void *heap_allocate(size_t size, size_t alignment, uint64_t pc);

/* What the program prints: appended to the execution's output.  stream 1 or 2;
 * only 1 is an outcome. */
void output_append(int stream, const char *text, size_t length);

/* Formats as vsnprintf does, with the real one. */
int real_vsnprintf(char *to, size_t size, const char *format, va_list);

/* ---- the run as a whole -------------------------------------------------- */

/* prog: exit() was called or main returned.  The other threads run on, since
 * whatever they still do could have come before; if they block, no matter. */
extern uint32_t exiting;

/* Atomic blocks: announced by an operation OP_BLOCK with STEP_BLOCK, which
 * atomic_depth then follows.  From 0 to 1 and from 1 to 0 nothing else needs
 * to be done: visible() inside only collects the footprint. */

/* The step's cause turned out to be this step (1 + position), or 0. */
void step_caused_by(uint32_t step);

#define CALLER ((uint64_t)(uintptr_t)__builtin_return_address(0))
#define INTERPOSED __attribute__((weak, visibility("default")))

/* The runtime's own variables that are prog: --rollback=replay must know. */
#define PROG __attribute__((section("heddle_prog")))

#endif
