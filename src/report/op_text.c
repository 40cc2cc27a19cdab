/* A step in words. */
#include <string.h>

#include "report/result.h"

/* "T1 (worker)" */
static void print_thread(struct text *to, const struct result_finding *finding,
                         uint32_t proc) {
  char name[16];
  thread_name(proc, name, sizeof name);
  text_print(to, ": %s", name);
  for (size_t i = 0; i < finding->threads.size; i++) {
    const struct result_thread *thread = &finding->threads.at[i];
    if (thread->proc == proc && thread->function)
      text_print(to, " (%s)", thread->function);
  }
}

void op_text_short(struct text *to, const struct result_step *step) {
  const char *words = op_table[step->op].words;
  const char *hole = strstr(words, "%v");
  if (hole)
    text_print(to, "%.*s%s%s", (int)(hole - words), words,
               step->variable ? step->variable : "memory", hole + 2);
  else
    text_print(to, "%s", words);
}

void op_text_full(struct text *to, const struct result_finding *finding,
                  const struct result_step *step) {
  op_text_short(to, step);
  if (step->value)
    text_print(to, " = %s", step->value);
  if (step->failed)
    text_print(to, ", and fails");
  switch ((enum op_target)op_table[step->op].target) {
  case OPTARGET_NONE:
    break;
  case OPTARGET_THREAD:
    print_thread(to, finding, step->target);
    break;
  case OPTARGET_CHOICE:
    text_print(to, " %u", step->target);
    break;
  }
}
