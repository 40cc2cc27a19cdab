/* A step in words. */
#include <string.h>

#include "report/result.h"

static const char *op_words(enum op op) {
  static const char *const words[] = {
#define OP(id, name, text) text,
#include "core/ops.def"
#undef OP
  };
  return op < OPS ? words[op] : "does something unknown";
}

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

void step_words(struct text *to, const struct result_step *step) {
  const char *words = op_words(step->op);
  const char *hole = strstr(words, "%v");
  if (hole)
    text_print(to, "%.*s%s%s", (int)(hole - words), words,
               step->variable ? step->variable : "memory", hole + 2);
  else
    text_print(to, "%s", words);
}

void step_sentence(struct text *to, const struct result_finding *finding,
                   const struct result_step *step) {
  step_words(to, step);
  if (step->value)
    text_print(to, " = %s", step->value);
  if (step->failed)
    text_print(to, ", and fails");
  if (step->op == OP_CREATE || step->op == OP_JOIN || step->op == OP_DETACH)
    print_thread(to, finding, step->target);
  if (step->op == OP_CHOOSE)
    text_print(to, " %u", step->target);
}
