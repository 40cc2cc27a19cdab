/* Actors as an ordinary program: the functions of heddle_actor.h on pthreads.
 *
 * One mutex protects everything but the states of actors.  An actor that has
 * something to do and is not busy gets a turn.  Either one of its tasks that
 * awaited goes on, in the thread in which it waits; or the actor joins the
 * queue `ready`, and a worker takes its next message.  From then on the actor
 * is busy, until that task ends or awaits.
 *
 * A task that awaits keeps its thread.  So that waiting tasks never use up the
 * pool, its size bounds only the workers that do not wait: if the queue is not
 * empty, no worker is idle and fewer are at work than that size, a new worker
 * starts.
 *
 * Under heddle this file is empty: its runtime has these functions itself.
 */
#ifndef __HEDDLE__

#include "heddle_actor.h"

#include <pthread.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A message, the task for it, and the future of its result. */
struct heddle_future {
  struct heddle_actor *actor;
  heddle_handler *handler;
  void *message;
  void *result;
  bool replied;
  bool ended;
  bool wanted; /* its result may be asked for */
  bool may_go; /* it awaited, and now has the actor again */
  pthread_cond_t go;
  struct heddle_future *awaiting; /* tasks that await this one ... */
  struct heddle_future *next;     /* ... or are in the same queue */
};

typedef struct heddle_future task;

struct queue {
  task *first;
  task *last;
};

struct heddle_actor {
  const struct heddle_actor_type *type;
  struct queue messages; /* in the order in which they arrived */
  struct queue resumed;  /* tasks that awaited and could go on */
  bool busy;
  struct heddle_actor *next_ready;
  struct heddle_actor *next_actor; /* in the list of all actors */
  void *state;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t work = PTHREAD_COND_INITIALIZER;   /* for idle workers */
static pthread_cond_t change = PTHREAD_COND_INITIALIZER; /* for heddle_run() */
static struct heddle_actor *ready, *ready_last;          /* the queue */
static struct heddle_actor *all;                         /* the actors */
static struct queue outbox;                              /* main's */
static unsigned workers, idle, at_work; /* threads; at_work: those that do not
                                           wait */
static size_t tasks;                    /* delivered and not ended */
static size_t turns;                    /* given and not over */
static bool running, closing;

static _Thread_local task *current;

/* ---- errors ----------------------------------------------------------- */

static _Noreturn void stop(const char *format, ...)
    __attribute__((format(printf, 1, 2)));
static _Noreturn void stop(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  fputs("heddle_actor: ", stderr);
  vfprintf(stderr, format, arguments);
  fputc('\n', stderr);
  va_end(arguments);
  abort();
}

static void *allocate(size_t size) {
  void *memory = calloc(1, size ? size : 1);
  if (!memory)
    stop("out of memory");
  return memory;
}

static void *copy(const void *from, size_t size) {
  if (!size)
    return NULL;
  if (!from)
    stop("%zu bytes at a null pointer", size);
  return memcpy(allocate(size), from, size);
}

static task *task_only(const char *what) {
  if (!current)
    stop("%s outside a task", what);
  return current;
}

static void main_only(const char *what) {
  if (current)
    stop("%s in a task", what);
}

/* ---- turns ------------------------------------------------------------ */

static void put(struct queue *q, task *t) {
  t->next = NULL;
  if (q->first)
    q->last->next = t;
  else
    q->first = t;
  q->last = t;
}

static task *get(struct queue *q) {
  task *t = q->first;
  q->first = t->next;
  return t;
}

static void *worker(void *);

/* The number of workers that may be at work at a time. */
static unsigned pool_size(void) {
  long processors = sysconf(_SC_NPROCESSORS_ONLN);
  return processors < 2 ? 2 : (unsigned)processors;
}

static void add_worker(void) {
  pthread_t thread;
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
  if (!pthread_create(&thread, &attributes, worker, NULL)) {
    workers++;
    at_work++;
  } else if (!at_work) {
    stop("cannot create a thread: %u tasks wait, each in its own", workers);
  }
  pthread_attr_destroy(&attributes);
}

/* The queue is not empty: wakes an idle worker or starts a new one. */
static void call_worker(void) {
  static unsigned most;
  if (!most)
    most = pool_size();
  if (idle)
    pthread_cond_signal(&work);
  else if (at_work < most)
    add_worker();
}

static void enqueue(struct heddle_actor *actor) {
  actor->next_ready = NULL;
  if (ready)
    ready_last->next_ready = actor;
  else
    ready = actor;
  ready_last = actor;
  call_worker();
}

/* If no task of the actor has its turn, gives the turn to the next one. */
static void next_turn(struct heddle_actor *actor) {
  if (actor->busy || (!actor->resumed.first && !actor->messages.first))
    return;
  actor->busy = true;
  turns++;
  if (actor->resumed.first) {
    task *t = get(&actor->resumed);
    t->may_go = true;
    pthread_cond_signal(&t->go);
  } else {
    enqueue(actor);
  }
}

static void end_turn(struct heddle_actor *actor) {
  actor->busy = false;
  turns--;
  next_turn(actor);
  if (!turns)
    pthread_cond_signal(&change); /* all tasks have ended, or none can go on */
}

static void deliver(task *t) {
  tasks++;
  put(&t->actor->messages, t);
  next_turn(t->actor);
}

/* ---- tasks ------------------------------------------------------------ */

static void task_free(task *t) {
  pthread_cond_destroy(&t->go);
  free(t->result);
  free(t);
}

static void task_end(task *t) {
  t->ended = true;
  tasks--;
  free(t->message);
  while (t->awaiting) {
    task *waiter = t->awaiting;
    t->awaiting = waiter->next;
    put(&waiter->actor->resumed, waiter);
    next_turn(waiter->actor);
  }
  end_turn(t->actor);
  if (!t->wanted)
    task_free(t);
}

static void run_task(task *t) {
  pthread_mutex_unlock(&lock);
  current = t;
  t->handler(t->actor->state, t->message);
  current = NULL;
  pthread_mutex_lock(&lock);
  task_end(t);
}

static void *worker(void *unused) {
  pthread_mutex_lock(&lock);
  for (;;) {
    while (!ready && !closing) {
      idle++;
      at_work--;
      pthread_cond_wait(&work, &lock);
      at_work++;
      idle--;
    }
    if (!ready)
      break;
    struct heddle_actor *actor = ready;
    ready = actor->next_ready;
    if (ready)
      call_worker();
    run_task(get(&actor->messages));
  }
  workers--;
  at_work--;
  pthread_cond_signal(&change);
  pthread_mutex_unlock(&lock);
  return unused;
}

/* ---- declarations ----------------------------------------------------- */

static const struct heddle_handles *find(const struct heddle_actor_type *type,
                                         heddle_handler *handler) {
  const struct heddle_handles *h = type->handles;
  while (h->handler && h->handler != handler)
    h++;
  return h->handler ? h : NULL;
}

static bool declares(const task *sender, heddle_handler *handler) {
  const struct heddle_handles *h = find(sender->actor->type, sender->handler);
  for (heddle_handler *const *s = h ? h->sends : NULL; s && *s; s++)
    if (*s == handler)
      return true;
  return false;
}

static void check_declared(const struct heddle_actor *to,
                           heddle_handler *handler) {
  if (to->type->handles && !find(to->type, handler))
    stop("a message for a handler that actors of type %s do not declare",
         to->type->name ? to->type->name : "without a name");
  if (current && current->actor->type->handles && !declares(current, handler))
    stop("a handler of actors of type %s sends a message that it does not "
         "declare",
         current->actor->type->name ? current->actor->type->name
                                    : "without a name");
}

/* ---- the functions ---------------------------------------------------- */

struct heddle_actor *heddle_spawn(const struct heddle_actor_type *type,
                                  const void *initial) {
  if (!type)
    stop("an actor without a type");
  if (type->flags & ~(unsigned)(HEDDLE_FIFO | HEDDLE_PRIVATE))
    stop("the type of an actor has unknown flags %#x", type->flags);
  struct heddle_actor *actor = allocate(sizeof *actor);
  actor->type = type;
  actor->state = allocate(type->size);
  if (initial)
    memcpy(actor->state, initial, type->size);
  pthread_mutex_lock(&lock);
  actor->next_actor = all;
  all = actor;
  pthread_mutex_unlock(&lock);
  return actor;
}

/* Messages are taken in the order of arrival, which keeps the order of each
 * sender: HEDDLE_FIFO asks for no more.  HEDDLE_PRIVATE is checked by heddle
 * only. */
void heddle_defaults(unsigned flags) {
  main_only("heddle_defaults");
  if (flags & ~(unsigned)(HEDDLE_FIFO | HEDDLE_PRIVATE))
    stop("heddle_defaults with unknown flags %#x", flags);
  if (all)
    stop("heddle_defaults after an actor was created");
}

static task *post(struct heddle_actor *to, heddle_handler *handler,
                  const void *message, size_t size, bool wanted) {
  if (!to)
    stop("a message to something that is not an actor");
  if (!handler)
    stop("a message without a handler");
  check_declared(to, handler);
  task *t = allocate(sizeof *t);
  t->actor = to;
  t->handler = handler;
  t->message = copy(message, size);
  t->wanted = wanted;
  pthread_cond_init(&t->go, NULL);
  pthread_mutex_lock(&lock);
  if (running)
    deliver(t);
  else
    put(&outbox, t);
  pthread_mutex_unlock(&lock);
  return t;
}

void heddle_send(struct heddle_actor *to, heddle_handler *handler,
                 const void *message, size_t size) {
  post(to, handler, message, size, false);
}

struct heddle_future *heddle_ask(struct heddle_actor *to,
                                 heddle_handler *handler, const void *message,
                                 size_t size) {
  return post(to, handler, message, size, true);
}

static void check_future(const struct heddle_future *future, const char *what) {
  if (!future)
    stop("%s of something that is not a future", what);
}

bool heddle_is_done(const struct heddle_future *future) {
  check_future(future, "heddle_is_done");
  pthread_mutex_lock(&lock);
  bool ended = future->ended;
  pthread_mutex_unlock(&lock);
  return ended;
}

const void *heddle_result(const struct heddle_future *future) {
  if (!heddle_is_done(future))
    stop("the result of a task that has not ended");
  return future->result;
}

void heddle_forget(struct heddle_future *future) {
  check_future(future, "heddle_forget");
  pthread_mutex_lock(&lock);
  future->wanted = false;
  if (future->ended)
    task_free(future);
  pthread_mutex_unlock(&lock);
}

struct heddle_actor *heddle_self(void) {
  return task_only("heddle_self")->actor;
}

void heddle_reply(const void *result, size_t size) {
  task *t = task_only("heddle_reply");
  if (t->replied)
    stop("a task replies twice");
  t->replied = true;
  t->result = copy(result, size);
}

/* The actor's turn ends.  The next task may need a thread in place of this
 * one. */
static void wait_for(task *me, task *awaited) {
  me->may_go = false;
  me->next = awaited->awaiting;
  awaited->awaiting = me;
  at_work--;
  end_turn(me->actor);
  if (ready)
    call_worker();
  while (!me->may_go)
    pthread_cond_wait(&me->go, &lock);
  at_work++;
}

const void *heddle_await(const struct heddle_future *future) {
  task *me = task_only("heddle_await");
  check_future(future, "heddle_await");
  task *awaited = (task *)(uintptr_t)future;
  pthread_mutex_lock(&lock);
  if (!awaited->ended)
    wait_for(me, awaited);
  pthread_mutex_unlock(&lock);
  return awaited->result;
}

void heddle_run(void) {
  main_only("heddle_run");
  pthread_mutex_lock(&lock);
  running = true;
  closing = false;
  while (outbox.first)
    deliver(get(&outbox));
  while (turns)
    pthread_cond_wait(&change, &lock);
  if (tasks)
    stop("deadlock: %zu tasks are left, and none can go on", tasks);
  closing = true;
  pthread_cond_broadcast(&work);
  while (workers)
    pthread_cond_wait(&change, &lock);
  running = false;
  pthread_mutex_unlock(&lock);
}

void *heddle_state(const struct heddle_actor *actor) {
  main_only("heddle_state");
  if (!actor)
    stop("heddle_state of something that is not an actor");
  return actor->state;
}

#endif
