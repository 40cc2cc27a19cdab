/* Loops without end: --loop-bound.
 *
 * A thread that goes round one loop more often than the bound says is stopped
 * at the loop's head.  The other threads run on, and the result is incomplete.
 *
 * What counts:
 *   - A round in which the thread took a step counts as one.
 *   - A round in which the thread took none (it only computed, or used memory
 *     that no other thread uses) counts as a ten-thousandth, and so does a
 *     round of main while there is no other thread: such rounds cost time, but
 *     add nothing to explore.
 *   - A round that reads on in a file counts as a thousandth: files end.
 *   - A loop that counts to an end (a number known before, or in memory) is
 *     hardly without end.  Its rounds are looked at 16 at a time.  Each of them
 *     counts as a hundredth; 16 without a step count as one round of another
 *     loop.
 *   - When the loop is entered, counting begins.
 *   - When another thread lets this one go on, counting begins again: the
 *     thread has waited.  That is so for a signal, the end of a joined thread
 *     and the last arrival at a barrier: for steps that have a cause.
 *
 * Why this is sound.  All of that depends on the thread's own steps and on the
 * steps that happened before them, not on the schedule.  So what is explored is
 * again a program: the same with a counter in each loop.  Its executions are
 * executions of the program itself in which some threads are slow, so its
 * errors are real.  If it stops no thread, the two programs are the same.
 *
 * A replay takes finer steps, and a loop that is only tried to see if it ends
 * is bounded elsewhere (spin.c).  There only rounds within one step count,
 * since they could keep the step from ending.
 *
 * A search that stores states comes to an end without any bound if its states
 * come again.  Where rounds allocate memory, or take time while some thread
 * asks for the time, they do not, and that is said.
 *
 * A thread has a list of the loops that it is in.  They lie in engine.loops,
 * which grows and is cut off with the steps: an entry is changed only within
 * the step that has made it.
 */
#include "interrupt.h"
#include "loop_bound.h"

#include "system/native/libc/heap.h"
#include "timekeeping.h"

#define HOOK __attribute__((visibility("default")))

/* What rounds count, in ten-thousandths: by default, a loop without steps is
 * stopped after ten million rounds, some 30 ms. */
struct weight {
  unsigned idle;    /* without a step */
  unsigned stepped; /* with steps */
};
enum { WHOLE = 10000 };
static const struct weight one_round = {1, WHOLE};

/* Rounds of a loop that counts to an end, looked at together. */
enum { TOGETHER = 16 };
static const struct weight rounds_to_end = {1, TOGETHER *WHOLE / 100};

/* Rounds within one step that are compared with others; if a loop does not come
 * back to where it was, they would fill the memory. */
enum { MOST_REMEMBERED = 1000 };

/* ---- counting ------------------------------------------------------------ */

static struct counted_loop *loop_get(uint32_t number) {
  return number ? &engine.loops.at[number - 1] : NULL;
}

static bool is_same(const struct counted_loop *l, uint64_t pc,
                    const char *frame) {
  return l->pc == pc && l->frame == frame;
}

static bool is_beyond(uint64_t count) {
  uint64_t bound = engine.control->options.loop_bound;
  return count / WHOLE >= bound && count > bound * WHOLE;
}

/* Why do the states of this loop not come again? */
static const char *why_new_states(const struct counted_loop *l) {
  if (!engine.stores || !l)
    return "";
  if (heap_slots_used(self->id) != l->slots)
    return ", which allocates memory: none of its states comes again";
  if (time_was_asked && time_of_thread(self) != l->time)
    return ", which takes time: none of its states comes again";
  return "";
}

static _Noreturn __attribute__((noinline)) void
stop(uint64_t pc, const struct counted_loop *l) {
  if (!engine.following && !engine.trying)
    left_out("--loop-bound=%llu stopped T%u{start:%llx} in the loop at "
             "{pc:%llx}%s",
             (unsigned long long)engine.control->options.loop_bound, self->id,
             (unsigned long long)(uintptr_t)self->start, (unsigned long long)pc,
             why_new_states(l));
  interrupt_never_again();
  thread_end(THREAD_STOPPED);
}

/* Has another thread let this one go on since that step of it?  The cause of
 * its first step is its creation. */
static bool has_waited(uint32_t since) {
  for (uint32_t step = self->last_step; step > since;) {
    const struct record *r = &engine.steps.at[step - 1];
    if ((r->cause || r->signal) && r->previous)
      return true;
    step = r->previous;
  }
  return false;
}

/* Has it read on in a file since then? */
static bool has_read_on(uint32_t since) {
  for (uint32_t step = self->last_step; step > since;) {
    const struct record *r = &engine.steps.at[step - 1];
    if (r->reads_on)
      return true;
    step = r->previous;
  }
  return false;
}

static uint64_t weigh(const struct counted_loop *l, struct weight w) {
  enum { READS_ON = 1000 };
  return thread_is_alone()      ? w.idle
         : has_read_on(l->step) ? w.stepped / READS_ON
                                : w.stepped;
}

/* The count at the end of a round of this loop, or of some. */
static uint64_t count_on(const struct counted_loop *l, struct weight w) {
  if (l->step == self->last_step)
    return l->count + w.idle;
  if (engine.following || engine.trying || has_waited(l->step))
    return 0;
  return l->count + weigh(l, w);
}

/* The number of this loop's entry, or 0.  Loops of functions that have returned
 * are forgotten. */
static uint32_t find(uint64_t pc, const char *frame) {
  const struct counted_loop *l;
  while ((l = loop_get(self->loops)) && l->frame < frame)
    self->loops = l->older;
  for (uint32_t n = self->loops; (l = loop_get(n)); n = l->older)
    if (is_same(l, pc, frame))
      return n;
  return 0;
}

/* What lies above the loop's entry are loops inside of it, now left. */
static __attribute__((noinline)) void
count_slowly(uint64_t pc, const char *frame, bool enters, struct weight w) {
  uint32_t number = find(pc, frame);
  struct counted_loop *l = loop_get(number);
  struct counted_loop now = {.pc = pc,
                             .frame = frame,
                             .older = l ? l->older : self->loops,
                             .step = self->last_step,
                             .count = l && !enters ? count_on(l, w) : 0};
  if (is_beyond(now.count))
    stop(pc, l);
  if (engine.stores) {
    now.slots = heap_slots_used(self->id);
    now.time = time_was_asked ? time_of_thread(self) : 0;
  }
  if (l && l->step == now.step) {
    *l = now;
    self->loops = number;
  } else {
    VEC_PUSH(engine.loops, now);
    self->loops = (uint32_t)engine.loops.size;
  }
}

/* The innermost loop, if it is this one, and its round began within the step at
 * hand. */
static struct counted_loop *in_step(uint64_t pc, const char *frame) {
  struct counted_loop *l = loop_get(self->loops);
  return l && is_same(l, pc, frame) && l->step == self->last_step ? l : NULL;
}

bool loop_count(uint64_t pc, const char *frame, bool enters) {
  struct counted_loop *l = in_step(pc, frame);
  engine.pc = pc; /* for stuck.c */
  if (!l || enters) {
    count_slowly(pc, frame, enters, one_round);
    return true;
  }
  l->idle++; /* the usual case */
  l->count += one_round.idle;
  if (unlikely(is_beyond(l->count)))
    stop(pc, NULL);
  return false;
}

bool loop_idles(uint64_t pc, const char *frame) {
  const struct counted_loop *l = in_step(pc, frame);
  return l && l->idle > MOST_REMEMBERED;
}

static bool is_counting(void) {
  return engine.mode == MODE_EXPLORE && !self->atomic_depth;
}

HOOK void heddle_hook_count(size_t);
HOOK void heddle_hook_count(size_t enters) {
  if (is_counting() && loop_count(CALLER, __builtin_frame_address(0), enters))
    stack_leave_nothing();
}

/* Counting begins where the first rounds have ended. */
static __attribute__((noinline)) void
count_to_end(uint64_t pc, const char *frame, size_t rounds) {
  engine.pc = pc;
  count_slowly(pc, frame, rounds == TOGETHER, rounds_to_end);
  stack_leave_nothing();
}

HOOK void heddle_hook_count_to_end(size_t);
HOOK void heddle_hook_count_to_end(size_t rounds) {
  if (unlikely(rounds % TOGETHER == 0) && rounds && is_counting())
    count_to_end(CALLER, __builtin_frame_address(0), rounds);
}
