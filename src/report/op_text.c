/* A step in words. */
#include <string.h>

#include "report/result.h"

void thread_text(struct text *to, const struct result_finding *finding,
                 uint32_t proc) {
  char name[16];
  thread_name(proc, name, sizeof name);
  text_print(to, "%s", name);
  for (size_t i = 0; i < finding->threads.size && proc; i++)
    if (finding->threads.at[i].proc == proc && finding->threads.at[i].function)
      text_print(to, " %s", finding->threads.at[i].function);
}

/* "c->requests [connection#2]": which one, if there are several. */
static void print_variable(struct text *to, const struct result_step *step) {
  text_print(to, "%s", step->variable ? step->variable : "memory");
  if (step->several && step->object && step->variable &&
      strncmp(step->variable, step->object, strlen(step->object)))
    text_print(to, " [%s]", step->object);
}

/* The value, of an update with the one before it. */
static void print_value(struct text *to, const struct result_step *step) {
  if (op_is_rmw(step->op) && step->before && !step->failed)
    text_print(to, ": %s -> %s", step->before, step->value);
  else
    text_print(to, "%s%s", op_has_value(step->op) ? " = " : ": ", step->value);
}

void op_text_short(struct text *to, const struct result_step *step) {
  const char *words = op_table[step->op].words;
  const char *hole = strstr(words, "%v");
  text_print(to, "%.*s", (int)(hole ? (size_t)(hole - words) : strlen(words)),
             words);
  if (!hole)
    return;
  print_variable(to, step);
  text_print(to, "%s", hole + 2);
}

void op_text_full(struct text *to, const struct result_finding *finding,
                  const struct result_step *step) {
  op_text_short(to, step);
  if (step->value)
    print_value(to, step);
  if (step->failed)
    text_print(to, ", and fails");
  switch ((enum op_target)op_table[step->op].target) {
  case OPTARGET_NONE:
    break;
  case OPTARGET_THREAD:
    text_print(to, ": ");
    thread_text(to, finding, step->target);
    break;
  case OPTARGET_CHOICE:
    text_print(to, " %u", step->target);
    break;
  }
}
