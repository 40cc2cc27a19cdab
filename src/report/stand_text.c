/* Where a thread stands at the end, in words. */
#include "report/result.h"
#include "report/text_printer.h"

enum { MOST_FRAMES = 6 };

void stand_stack(struct text *to, const struct result_thread *thread) {
  size_t count = thread->stack.size;
  for (size_t i = 0; i < count; i++) {
    if (count > MOST_FRAMES && i >= MOST_FRAMES / 2 &&
        i < count - MOST_FRAMES / 2) {
      if (i == MOST_FRAMES / 2)
        text_print(to, " < ... %zu more ...", count - MOST_FRAMES);
      continue;
    }
    text_print(to, "%s%s ", i ? " < " : "",
               function_text(&thread->stack.at[i]));
    place_text(to, &thread->stack.at[i]);
  }
}

static void print_holds(struct text *to, const struct result_finding *finding,
                        const struct result_thread *thread) {
  for (size_t i = 0; i < thread->holds.size; i++) {
    const struct result_lock *lock = &thread->holds.at[i];
    text_print(to, "%s%s (step %zu)", i ? ", " : "; holds ", lock->name,
               finding->steps.at[lock->step - 1].number);
  }
}

static const char *end_words(const struct result_thread *thread) {
  switch (thread->end) {
  case THREAD_END_RUNS:
    return "could go on";
  case THREAD_END_WAITS:
    return thread->waits;
  case THREAD_END_ENDED:
    return "has ended";
  case THREAD_END_FAILED:
    return "fails";
  case THREAD_END_STOPPED:
    return "was stopped";
  case THREAD_END_UNKNOWN:
    break;
  }
  return "";
}

void stand_words(struct text *to, const struct result_finding *finding,
                 const struct result_thread *thread) {
  text_print(to, "%s", end_words(thread));
  print_holds(to, finding, thread);
}
