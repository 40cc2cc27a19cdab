/* The futex system call.
 *
 * A thread waits at an address, in a queue.  Queues are the runtime's own: a
 * wait reads the program's word and changes the queue, a wake only the queue.
 * So a wake races with no access to the word, and has no order among them.
 * Addresses share queues; an operation looks only at the waiters of its own.
 *
 * A wait is two events, as that of a condition variable.  The first compares
 * the word and joins the queue.  Then the thread waits with an operation that
 * is never ready, until a wake replaces it by one that is.  A wait with a time,
 * one that a handler has ended and one that ends spuriously is always ready,
 * leaves the queue, and finds out whether a wake came before.
 *
 * A wake may pick any waiters: the explorer chooses.  The word orders nothing
 * but what the program's own accesses to it order.  A wake happens before the
 * next event of a thread that it wakes. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "futex.h"

#include <linux/futex.h>

#include "system/native/engine/engine.h"
#include "system/native/engine/interrupt.h"
#include "system/native/engine/timekeeping.h"
#include "system/native/libc/libc.h"
#include "system/native/pthread/sync.h"

enum { QUEUES = 512, MOST_CHOICES = 4096 };

/* prog: in order of arrival.  Padded: each is an object of its own. */
struct futex_queue {
  struct thread *first;
  uint64_t unused;
};

/* prog */
PROG static struct futex_queue queues[QUEUES];

static struct futex_queue *queue_at(uint64_t word) {
  return &queues[(word / 4 * UINT64_C(0x9e3779b97f4a7c15)) >> 55];
}

/* prog: on the stack of a waiting thread. */
struct futex_wait {
  struct operation enter, asleep, woken, leave;
  struct access word;
};

static int error(int code) {
  error_set(code);
  return -1;
}

/* ---- queues -------------------------------------------------------------- */

static void queue_read(const struct futex_queue *q) {
  footprint_add(q, sizeof q->first, ACCESS_ATOMIC);
}

static void queue_write(const struct futex_queue *q) {
  footprint_add(q, sizeof q->first, ACCESS_ATOMIC | ACCESS_WRITE);
}

static void enqueue(uint64_t word, struct thread *t) {
  struct thread **end = &queue_at(word)->first;
  while (*end)
    end = &(*end)->next_waiter;
  SET(t->next_waiter, NULL);
  SET(*end, t);
  SET(t->futex, word);
}

static void dequeue(struct thread *t) {
  struct thread **place = &queue_at(t->futex)->first;
  while (*place != t)
    place = &(*place)->next_waiter;
  SET(*place, t->next_waiter);
  SET(t->next_waiter, NULL);
}

static bool waits_at(const struct thread *t, uint64_t word, uint32_t bits) {
  return t->futex == word && (t->futex_bits & bits);
}

static unsigned waiters(uint64_t word, uint32_t bits) {
  unsigned count = 0;
  for (struct thread *t = queue_at(word)->first; t; t = t->next_waiter)
    count += waits_at(t, word, bits);
  return count;
}

/* ---- waiting ------------------------------------------------------------- */

enum end { BY_WAKE, BY_TIME, SPURIOUSLY, BY_HANDLER };

static void describe(struct futex_wait *w, uint64_t word, uint64_t pc) {
  w->word = (struct access){word, 4, ACCESS_ATOMIC};
  w->enter = (struct operation){.op = OP_FUTEX_WAIT,
                                .flags = STEP_BLOCK,
                                .pc = pc,
                                .accesses = 1,
                                .access = &w->word};
  w->asleep = (struct operation){.op = OP_FUTEX_WAIT,
                                 .flags = STEP_BLOCKING,
                                 .interruptible = INTERRUPT_FAILS,
                                 .pc = pc,
                                 .object = queue_at(word),
                                 .ready = never_ready};
  w->woken = (struct operation){.op = OP_FUTEX_END, .pc = pc};
  w->leave =
      (struct operation){.op = OP_FUTEX_END, .flags = STEP_BLOCK, .pc = pc};
}

/* The thread is in the queue. */
static enum end sleep_until(struct futex_wait *w, enum end expected) {
  struct thread *me = current();
  SET(me->woken, 0);
  SET(me->asleep, &w->asleep);
  SET(me->resume, expected == BY_WAKE ? &w->woken : NULL);
  if (expected == BY_WAKE) {
    visible(&w->asleep); /* returns when w->woken is taken */
    if (interrupted()) {
      SET(me->resume, NULL);
      expected = BY_HANDLER;
    }
  }
  if (expected != BY_WAKE)
    visible(&w->leave);
  bool woken = me->woken;
  if (woken && expected != BY_WAKE) {
    queue_read(queue_at(me->futex));
    step_signalled_by(me->signal);
  } else if (!woken) {
    queue_write(queue_at(me->futex));
    dequeue(me);
  }
  SET(me->futex, 0);
  SET(me->woken, 0); /* a wait that is over leaves nothing in the state */
  SET(me->asleep, NULL);
  SET(me->resume, NULL);
  SET(me->waits_on, NULL);
  return woken ? BY_WAKE : expected;
}

/* Not inlined: a loop that waits is found by comparing stacks. */
static __attribute__((noinline)) int wait(uint64_t word, uint32_t value,
                                          uint32_t bits, enum end expected,
                                          uint64_t pc) {
  struct thread *me = current();
  struct futex_wait w;
  if (expected == BY_WAKE && choose_spurious(pc))
    expected = SPURIOUSLY;
  describe(&w, word, pc);
  visible(&w.enter);
  heap_check((const void *)(uintptr_t)word, 4, false, pc);
  if (__atomic_load_n((uint32_t *)(uintptr_t)word, __ATOMIC_RELAXED) != value)
    return EAGAIN;
  queue_write(queue_at(word));
  SET(me->futex_bits, bits);
  SET(me->waits_on, (const void *)(uintptr_t)word);
  enqueue(word, me);
  switch (sleep_until(&w, expected)) {
  case BY_HANDLER:
    return EINTR;
  case BY_TIME:
    return ETIMEDOUT;
  case BY_WAKE:
  case SPURIOUSLY:
    break;
  }
  return 0;
}

/* `relative`: the time is a length. */
static int timed_wait(uint64_t word, uint32_t value, uint32_t bits,
                      const struct timespec *time, bool relative, uint64_t pc) {
  if (!bits)
    return error(EINVAL);
  if (time && (!time_valid(time, pc) || time->tv_sec < 0))
    return error(EINVAL);
  struct timespec end = time ? *time : (struct timespec){0};
  int code = wait(word, value, bits, time ? BY_TIME : BY_WAKE, pc);
  if (code == ETIMEDOUT && relative)
    time_pass((uint64_t)end.tv_sec * 1000000000 + (uint64_t)end.tv_nsec);
  else if (code == ETIMEDOUT)
    time_reach(&end);
  return code ? error(code) : 0;
}

/* ---- waking -------------------------------------------------------------- */

static void wake(struct thread *t) {
  dequeue(t);
  SET(t->woken, 1);
  SET(t->signal, step_now());
  if (!t->resume) /* it looks at `woken` itself */
    return;
  time_carry(current(), t);
  interrupt_replace(t, t->asleep, t->resume);
}

/* How many sets of k among n there are, but at most a bit more than
 * MOST_CHOICES. */
static unsigned sets(unsigned n, unsigned k) {
  uint64_t count = 1;
  for (unsigned i = 1; i <= k && count <= MOST_CHOICES; i++)
    count = count * (n - k + i) / i;
  return (unsigned)count;
}

/* Wakes k of n waiters, those of the set with this number. */
static void wake_set(uint64_t word, uint32_t bits, unsigned k, unsigned n,
                     unsigned number) {
  struct thread *next;
  for (struct thread *t = queue_at(word)->first; t && k; t = next) {
    next = t->next_waiter;
    if (!waits_at(t, word, bits))
      continue;
    unsigned with = sets(n - 1, k - 1);
    n--;
    if (number < with) {
      wake(t);
      k--;
    } else {
      number -= with;
    }
  }
}

/* Wakes up to so many waiters, any of them; returns their number. */
static unsigned wake_some(uint64_t word, uint32_t bits, unsigned most) {
  unsigned n = waiters(word, bits), k = most < n ? most : n;
  queue_read(queue_at(word));
  if (!k)
    return 0;
  queue_write(queue_at(word));
  unsigned alternatives = k < n ? sets(n, k <= n - k ? k : n - k) : 1;
  if (alternatives > MOST_CHOICES)
    refuse("FUTEX_WAKE of %u among %u waiting threads: more than %d ways", k, n,
           MOST_CHOICES);
  wake_set(word, bits, k, n, choose(alternatives));
  return k;
}

/* A wake or requeue; `word` is no variable that it reads. */
static void begin_wake(const struct access *word, uint64_t pc) {
  struct operation op = {.op = OP_FUTEX_WAKE,
                         .flags = STEP_BLOCK,
                         .pc = pc,
                         .accesses = word ? 1 : 0,
                         .access = word};
  visible(&op);
}

static long wake_call(uint64_t word, long most, uint32_t bits, uint64_t pc) {
  if (!bits)
    return error(EINVAL);
  begin_wake(NULL, pc);
  int number = (int)most; /* as in Linux, one is woken at least */
  return wake_some(word, bits, number > 1 ? (unsigned)number : 1);
}

/* In order of arrival. */
static unsigned move(uint64_t word, uint64_t to, unsigned most) {
  struct thread *next;
  unsigned count = 0;
  for (struct thread *t = queue_at(word)->first; t && count < most; t = next) {
    next = t->next_waiter;
    if (t->futex != word)
      continue;
    dequeue(t);
    enqueue(to, t);
    count++;
  }
  return count;
}

static long requeue(uint64_t word, long most, long moved, uint64_t to,
                    const uint32_t *value, uint64_t pc) {
  const struct access look = {word, 4, ACCESS_ATOMIC};
  if ((int)most < 0 || (int)moved < 0)
    return error(EINVAL);
  begin_wake(value ? &look : NULL, pc);
  if (value && *(const volatile uint32_t *)(uintptr_t)word != *value)
    return error(EAGAIN);
  unsigned woken = most ? wake_some(word, ~0U, (unsigned)most) : 0;
  queue_read(queue_at(word));
  if (!moved || !waiters(word, ~0U))
    return woken;
  queue_write(queue_at(word));
  queue_write(queue_at(to));
  return woken + move(word, to, (unsigned)moved);
}

/* ---- the call ------------------------------------------------------------ */

static const char *const op_names[] = {
    "FUTEX_WAIT",          "FUTEX_WAKE",        "FUTEX_FD",
    "FUTEX_REQUEUE",       "FUTEX_CMP_REQUEUE", "FUTEX_WAKE_OP",
    "FUTEX_LOCK_PI",       "FUTEX_UNLOCK_PI",   "FUTEX_TRYLOCK_PI",
    "FUTEX_WAIT_BITSET",   "FUTEX_WAKE_BITSET", "FUTEX_WAIT_REQUEUE_PI",
    "FUTEX_CMP_REQUEUE_PI"};

static _Noreturn void refuse_op(unsigned op) {
  if (op < sizeof op_names / sizeof *op_names)
    refuse("syscall(SYS_futex, ...) with %s is not supported: use FUTEX_WAIT, "
           "FUTEX_WAKE and their like, or a mutex of pthreads",
           op_names[op]);
  refuse("syscall(SYS_futex, ...) with the unknown operation %u", op);
}

long futex_call(const long a[6], uint64_t pc) {
  uint64_t word = (uint64_t)a[0];
  unsigned what = (unsigned)a[1] & (unsigned)FUTEX_CMD_MASK;
  long value = a[2];
  const struct timespec *when = (const struct timespec *)a[3];
  uint32_t last = (uint32_t)a[5];
  if (word % 4)
    return error(EINVAL);
  switch (what) {
  case FUTEX_WAIT:
    return timed_wait(word, (uint32_t)value, ~0U, when, true, pc);
  case FUTEX_WAIT_BITSET:
    return timed_wait(word, (uint32_t)value, last, when, false, pc);
  case FUTEX_WAKE:
    return wake_call(word, value, ~0U, pc);
  case FUTEX_WAKE_BITSET:
    return wake_call(word, value, last, pc);
  case FUTEX_REQUEUE:
    return requeue(word, value, a[3], (uint64_t)a[4], NULL, pc);
  case FUTEX_CMP_REQUEUE:
    return requeue(word, value, a[3], (uint64_t)a[4], &last, pc);
  default:
    refuse_op(what);
  }
}
