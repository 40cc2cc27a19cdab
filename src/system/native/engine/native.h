/* Inside the runtime: what hooks, pthreads and libc wrappers build on.
 *
 * The program's threads are coroutines in one kernel thread.  Exactly one of
 * them, or the explorer, runs at a time.  A thread that is about to do
 * something visible describes it in a `struct operation` on its own stack and
 * calls visible(), which switches to the explorer.  visible() returns when the
 * explorer takes that step: the thread then performs the operation and runs on
 * to its next visible().  This stretch of code is one step.
 */
#ifndef SYSTEM_NATIVE_ENGINE_NATIVE_H
#define SYSTEM_NATIVE_ENGINE_NATIVE_H

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include "core/hook.h"
#include "core/system.h"

#define NATIVE_THREADS 2048  /* heap arenas and stacks have fixed places */
#define NATIVE_KEYS 1024     /* PTHREAD_KEYS_MAX */
#define NATIVE_READ_LOCKS 64 /* read-write locks a thread reads at a time */
#define NATIVE_POSTED 16     /* semaphores it posts that no thread waits for */

/* Operations of timed waits. */
enum {
  TIMED_NOT,
  TIMED_BEGINS, /* the wait begins */
  TIMED_ENDS,   /* it ends by time and locks the mutex, in one step */
};

/* prog: on the stack of the thread that is about to act. */
/* Is it an update that adds or subtracts, and is its result used? */
enum adds { ADDS_NOT, ADDS_USED, ADDS_UNUSED };

struct operation {
  uint16_t op;   /* enum op */
  uint8_t flags; /* STEP_ bits */
  uint8_t order; /* of an atomic operation */
  uint8_t wants; /* OFFER_ bit, for STEP_BLOCKING */
  bool carried;  /* see HOOK_CARRIED; of pthread_once: it may be a look */
  uint8_t interruptible;       /* by a signal handler: see interrupt.h */
  uint8_t timed;               /* a TIMED_ value: see timed.c */
  uint8_t adds;                /* enum adds */
  uint64_t pc;                 /* return address into the program */
  hook_site site;              /* of a hook; NULL: none */
  uint32_t accesses;           /* the footprint, as far as known */
  const struct access *access; /* on the same stack, or static */
  /* Can it be done now?  NULL: always. */
  bool (*ready)(const struct operation *);
  /* What its object offers now; NULL: nothing that an operation could want. */
  uint8_t (*offers)(const struct operation *);
  void *object;         /* for ready and offers, and for reports */
  uint32_t target;      /* thread to join or created, for reports */
  const char *idle;     /* of a load with HOOK_IDLE: the hook's frame */
  const void *expected; /* of a compare-and-swap: compared with the bytes of its
                           only access; else NULL */
};

/* A thread in poll() or sigwait() sleeps, though it is found to wait by its
 * looks. */
static inline bool op_sleeps(enum op op) {
  return op == OP_POLL || op == OP_SIGWAIT;
}

/* sync_once.c: what comes of entering a pthread_once_t in this state. */
enum look once_look(int32_t state);

/* sync_barrier.c: an OP_LEAVE that can be done: would it write the barrier? */
bool barrier_writes(const struct operation *);

/* The size of the footprint as things are. */
static inline uint32_t operation_accesses(const struct operation *op) {
  return op->op == OP_LEAVE && !barrier_writes(op) ? 0 : op->accesses;
}

enum thread_state {
  THREAD_NONE,    /* not created (yet, in this execution) */
  THREAD_RUNNING, /* has a pending operation, or is running */
  THREAD_ENDED,   /* returned from its start routine or called pthread_exit */
  THREAD_GONE,    /* with the process, which has ended */
  THREAD_FAILED,  /* an error stopped it */
  THREAD_ASSUMED, /* stopped by an assumption that did not hold */
  THREAD_STOPPED, /* in a loop, by --loop-bound */
};

/* prog: a read-write lock that a thread holds for reading. */
struct read_lock {
  const void *lock;
  uint32_t count;
};

/* prog: posts of a thread that the semaphore does not know of: see sync_sem.c.
 */
struct posts {
  const void *semaphore;
  uint32_t count;
};

/* The loop that the thread may be in: see spin.c. */
struct spin {
  uint32_t anchor; /* 1 + own step whose local state may return */
  uint16_t count;  /* own steps since the anchor, of an await: its round ... */
  uint16_t power;  /* ... and the count at which the anchor moves */
  uint32_t first;  /* of the await's accesses */
  uint16_t accesses; /* how many */
  uint8_t waiting;   /* its pending operation is an await ... */
  uint8_t awake;     /* ... and a byte that its round read has changed */
};

/* prog, except for fields marked keep.  One for each thread number, at a fixed
 * address.  The engine itself restores the fields from sp to changed when a
 * step of the thread is undone; a change of them in a step of another thread
 * needs undo_note. */
struct thread {
  void *sp;                  /* while it is paused */
  struct operation *pending; /* its next step; valid while it is paused.  The
                                step of another thread may replace it (a signal
                                turns a wait into a lock) */
  uint32_t state;            /* enum thread_state */
  uint32_t children;         /* created so far; numbers the next one */
  uint32_t cause;            /* 1 + step that made `pending` possible, or 0 */
  uint32_t signal;           /* 1 + step that ended its wait for a signal */
  uint32_t last_step;        /* 1 + its latest step, or 0 */
  uint32_t outlives;         /* 1 + step in which main called pthread_exit, or
                                0: from then on it only waits for the others */
  uint32_t atomic_depth;     /* nesting of heddle_atomic_begin */
  int error_number;          /* its errno */
  struct spin spin;
  uint32_t rounds; /* 1 + the latest in engine.rounds, or 0: see round.c */
  uint32_t
      loops; /* 1 + the innermost in engine.loops, or 0: see loop_bound.c */
  uint32_t section; /* 1 + the step that locked what a round holds, or 0: see
                       polling.c */
  uint32_t changed; /* 1 + its latest step that changed what no one sees, or 0:
                       round_changes() */

  uint32_t id;           /* keep */
  uint32_t parent;       /* keep */
  uint32_t replaced_in;  /* while a handler runs: `cause` of what it interrupted
                           */
  uint32_t user;         /* of memory: 1 + its number, or more in a handler */
  char *stack_low;       /* lowest usable byte */
  char *stack_base;      /* keep: one past the highest byte */
  uint64_t stack_wanted; /* the size asked for, if there is less; else 0 */
  struct operation *resume; /* what a signal makes of ... */
  struct operation *asleep; /* ... this operation */

  void *(*start)(void *);
  uint8_t returns_int; /* start is a C11 thread function */
  void *argument;
  void *task; /* the actor's task that runs here (actor.c), or NULL */
  void *result;
  uint64_t failure; /* digest of the error that stopped it: part of the state */
  uint8_t has_released;        /* by an atomic operation, somewhere */
  uint8_t woken;               /* a signal ended its wait for a condition, or it
                                 may leave a barrier */
  uint8_t missed;              /* a signal came after the end of its wait */
  uint8_t serial;              /* it is the serial thread of that barrier */
  uint8_t result_unused;       /* of pthread_barrier_wait */
  const void *meets;           /* see sync_barrier.c */
  struct thread *next_waiter;  /* in the queue of that condition variable */
  const void *waits_on;        /* for deadlock reports */
  uint64_t futex;              /* the word that it waits at; see futex.c ... */
  uint32_t futex_bits;         /* ... and by which wakes it can be woken */
  uint64_t forwarded;          /* where it called syscall(), which has called a
                                  function of the runtime; else 0 */
  uint64_t unlocked;           /* where it called putc_unlocked() or the like,
                                  before the call is announced; else 0 */
  struct mutex *robust;        /* the latest robust mutex that it holds */
  uint32_t spurious;           /* its spurious wake-ups so far (--spurious) */
  uint32_t failed_allocations; /* and its allocations that failed */
  void *cleanup;               /* innermost pthread_cleanup_push */
  struct interruption *interruption; /* the handler that it runs, or NULL */
  struct operation *replaced_by; /* and what `asleep` has become meanwhile */
  uint8_t interrupted;           /* a handler has ended its wait */
  uint8_t masked;       /* it waits in a call that changes its signal mask */
  uint8_t cancel_state; /* kept for pthread_setcancelstate to return */
  uint8_t cancel_type;
  uint32_t read_locks; /* entries of read_lock in use */
  struct read_lock read_lock[NATIVE_READ_LOCKS];
  uint32_t posted; /* entries of posts in use */
  struct posts posts[NATIVE_POSTED];
  void *keys[NATIVE_KEYS];
};

extern struct thread *self; /* the running thread; NULL in the explorer and
                               before main */
struct thread *thread_get(unsigned id); /* NULL if that number is unused;
                                            thread 0 exists before main too */
unsigned thread_count(void);            /* numbers given so far */

/* ---- between engine.c and thread.c --------------------------------------- */

/* engine.c: gives the next number (refuses the program beyond NATIVE_THREADS)
 * and the thread's struct, in state THREAD_NONE, with id, parent and the stack
 * set and all else zero.  keep: a number once given stays; thread.c remembers
 * which child of the parent has it. */
struct thread *thread_new(uint32_t parent);

/* learnt.c: something was learnt that others must know: see `frozen`. */
void engine_learns(void);

/* thread.c: the number of the parent's nth child, from 0. */
uint32_t thread_child(uint32_t parent, uint32_t nth);

/* coroutine.c: as part of the step that creates it: its stack has so many
 * bytes, or as many as there may be. */
void stack_wish(struct thread *, size_t wanted);
/* engine.c: makes the thread's stack such that it begins in entry(thread). */
void coroutine_prepare(struct thread *, void (*entry)(struct thread *));

/* engine.c: switches from the running thread (or, before main, from the
 * constructor) to the child, and returns when the child first pauses in
 * visible(), ended or failed.  The child's code up to there is part of the
 * parent's step, and so is its failure. */
void coroutine_start(struct thread *child);

/* sync_api.c: the thread that holds what this blocked operation waits for, or
 * NULL if no single thread does; for deadlock reports. */
struct thread *operation_holder(const struct operation *);

/* thread.c: starts a process of the runtime's own, which no thread waits for:
 * its first operation can come at any time.  It ends by thread_end(). */
struct thread *thread_start_helper(void (*run)(struct thread *),
                                   void *argument);

/* thread.c: ends the running thread as pthread_exit does: cleanup handlers and
 * key destructors run first, as code of the program. */
_Noreturn void thread_exit(void *result);
/* Is the running thread main, and every other one joined? */
bool thread_is_alone(void);
/* prog: has main joined all threads, and is that of use to the algorithm? */
extern bool main_is_alone;
bool thread_is_joined(const struct thread *);

/* ---- what wrappers call, on a program thread ---------------------------- */

/* Announces the operation and returns when the explorer takes the step.  Before
 * main, and inside an atomic block, it returns at once; it refuses to check the
 * program if the operation is not ready there. */
void visible(struct operation *);

/* The usual case: one object of the runtime, e.g. a mutex.  Builds the
 * operation with the footprint "atomic write of 4 bytes at object". */
#define OBJECT_SIZE 4

/* So many bytes of a read-write lock decide what an operation on it does. */
#define RWLOCK_SIZE 24

/* One of n alternatives, decided by the explorer.  At most once in a step,
 * directly after visible(). */
unsigned choose(unsigned n);
/* sync_api.c: the same, as a step of its own; refuses too many. */
unsigned choose_one(unsigned n, uint64_t pc);

/* spin.c: the step at hand was a look in vain of a loop of the runtime's, all
 * of whose rounds are one step: the next look waits. */
void spin_in_vain(void);

/* nondet.c: what an OP_INPUT with this target has got by this choice. */
uint64_t input_value(uint32_t target, unsigned choice);

/* left_out.c: the result is incomplete, for this reason.  The same text is told
 * once. */
void left_out(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* The operation turned out only to read its object (trylock that failed,
 * compare-and-swap that failed). */
void footprint_only_read(void);
/* The same of a look that did what it was to do. */
void footprint_looked(void);

/* The step also touches these bytes. */
void footprint_add(const void *addr, size_t size, uint32_t mode);

/* Saves bytes that are about to be changed. */
void undo_note(void *addr, size_t size);
void undo_note_4(void *addr);
void undo_note_8(void *addr);

/* The same, if the compiler knows the size. */
static inline void undo_note_size(void *addr, size_t size) {
  if (size == 4)
    undo_note_4(addr);
  else if (size == 8)
    undo_note_8(addr);
  else
    undo_note(addr, size);
}

#define SET(place, value)                    \
  do {                                       \
    undo_note_size(&(place), sizeof(place)); \
    (place) = (value);                       \
  } while (0)

/* 1 + the position of the step being taken: thread->cause of a thread that this
 * step lets go on. */
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

/* Ends the running thread: switches to the explorer and never returns. */
_Noreturn void thread_end(enum thread_state);

/* Fails the thread with FINDING_MEMORY if the bytes lie in the heap and must
 * not be touched (use after free, out of bounds). */
void heap_check(const void *addr, size_t size, bool write, uint64_t pc);

/* The running thread uses a heap block. */
void sharing_use_block(const void *start);

/* The running thread fills this new block, or frees it.  Has no other thread
 * used the block, so that this is no event? */
bool sharing_hides_block(const void *start);
/* The running thread reads a part of it, in the step at hand. */
void sharing_reads(const void *start, size_t size);

/* stored.c: the runtime keeps the state of this object in so many bytes, of
 * which footprints name the first. */
void stored_object(const void *object, size_t size);

/* commuting.c: have all operations on this object, in all executions so far,
 * been such that commute with each other?  Then one of these only reads the
 * object, and its thread remembers its effect. */
bool object_commutes(const void *object);

/* The same if another operation waits for these, and writes the object. */
bool object_gathers(const void *object);

/* An operation of another kind is going to be announced. */
void object_becomes_ordered(const void *object);

/* Do threads remember what they did to the object?  So they do until the search
 * begins anew. */
bool object_is_apart(const void *object);

/* The running thread uses the object.  If more than `most` threads do, in all
 * executions, its operations do not commute. */
void object_is_used(const void *object, uint32_t most);

/* hooks.c: does the program make no use of the result of the function that it
 * is calling?  False where that is not known. */
bool result_is_unused(void);

/* Memory for wrappers that return some (strdup, asprintf), from the running
 * thread's arena, as malloc has it. */
void *heap_allocate(size_t size, size_t alignment, uint64_t pc);

/* The function that made the block (calloc, strdup, ...) has written its first
 * bytes.  That is an event: a thread that learns of the block without
 * synchronisation races with it.  Returns the block. */
void *heap_written(void *start, size_t size, uint64_t pc);

/* Appends text that the program prints to the execution's output.  `stream` is
 * 1 or 2; only 1 is an outcome. */
void output_append(int stream, const char *text, size_t length);

/* Formats as vsnprintf does, with the real one. */
int real_vsnprintf(char *to, size_t size, const char *format, va_list);

/* The running thread is about to read or write state of the library, which lies
 * in the runtime's own variables (PROG): an event, unless no other thread uses
 * it.  Such state is no data: unordered accesses to it are no data race. */
void library_state(const void *addr, size_t size, bool write, uint64_t pc);

/* ---- the run as a whole -------------------------------------------------- */

/* The end of the process: see libc_exit.c.  prog. */
struct process_end {
  uint32_t
      ended; /* 1 + the thread that called exit() or is main and returned */
  uint32_t status; /* its exit status */
  uint32_t torn;   /* a thread was stopped in the middle of an atomic block */
};
extern struct process_end process;

/* The operation at hand shows in the outcome.  Ends the running thread if the
 * process has already ended. */
void process_must_live(void);

/* An atomic block is announced by an operation OP_BLOCK with STEP_BLOCK; then
 * atomic_depth goes from 0 to 1, and back to 0 at its end.  Nothing else needs
 * to be done: visible() inside only collects the footprint. */

/* The step's cause turned out to be this step (1 + position), or 0. */
void step_caused_by(uint32_t step);

/* The wait at hand was ended by this signal (1 + position), or 0. */
void step_signalled_by(uint32_t step);

/* The step at hand reads on in a file, which will end. */
void step_reads_on(void);

/* The memory order of the operation at hand turned out to be this. */
void step_has_order(uint32_t order);

#define CALLER ((uint64_t)(uintptr_t)__builtin_return_address(0))
#define INTERPOSED __attribute__((weak, visibility("default")))

/* Marks variables of the runtime that are prog: --rollback=replay restores
 * them. */
#define PROG __attribute__((section("heddle_prog")))

#endif
