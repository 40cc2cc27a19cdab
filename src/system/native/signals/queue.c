/* Signals that are queued: real-time signals, of which several of one number
 * may be pending, and all that bring a value.  In the order in which they were
 * sent. */
#include "signals.h"

enum { QUEUED = 64 };

/* prog */
struct queued_signal {
  uint32_t target; /* 1 + the thread's number; 0: the process */
  int number;
  struct origin sent;
};

/* prog */
PROG static struct {
  uint32_t count;
  struct queued_signal at[QUEUED];
} queue;

static uint32_t target_number(const struct thread *t) {
  return t ? t->id + 1 : 0;
}

bool signals_queue(const struct thread *t, int number, struct origin sent) {
  if (number < SIGNAL_FIRST_QUEUED && sent.code != SI_QUEUE)
    return false;
  if (queue.count == QUEUED)
    refuse("more than %d signals are queued", QUEUED);
  SIGNALS_SET(queue.at[queue.count],
              ((struct queued_signal){target_number(t), number, sent}));
  SIGNALS_SET(queue.count, queue.count + 1);
  return true;
}

static uint32_t find(const struct thread *t, int number, uint32_t from) {
  uint32_t target = target_number(t);
  while (from < queue.count &&
         (queue.at[from].target != target || queue.at[from].number != number))
    from++;
  return from;
}

bool signals_unqueue(const struct thread *t, int number, struct origin *sent) {
  signals_read(&queue.count, sizeof queue.count);
  uint32_t i = find(t, number, 0);
  if (i == queue.count)
    return false;
  bool more = find(t, number, i + 1) < queue.count;
  *sent = queue.at[i].sent;
  for (; i + 1 < queue.count; i++)
    SIGNALS_SET(queue.at[i], queue.at[i + 1]);
  SIGNALS_SET(queue.count, queue.count - 1);
  return more;
}
