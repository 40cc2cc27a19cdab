/* The end of an execution: deadlocks, failures, its outcome. */
#include <inttypes.h>
#include <stdarg.h>
#include <string.h>

#include "machine.h"

static struct model *model_of(struct system *s) {
  return (struct model *)s;
}

/* Is a process held that has looked at values which are there no more?  Then it
 * waits only because it looked too early. */
static bool is_in_vain(struct model *m) {
  for (unsigned p = 0; m->g->loops && p < m->places.size; p++)
    if (is_held(m, p) && !round_goes_on(m, p))
      return true;
  return false;
}

enum ending outcome_ending(struct system *system) {
  struct model *m = model_of(system);
  enum ending ending = ENDING_COMPLETE;
  for (unsigned p = 0; p < m->places.size; p++) {
    int64_t status = status_of(m, p);
    if (status >= STATUS_FAILED)
      return ENDING_FAILED;
    if (status != STATUS_ENDED && status != STATUS_ABSENT)
      ending = ENDING_STUCK;
  }
  return ending == ENDING_STUCK && is_in_vain(m) ? ENDING_VAIN : ending;
}

bool outcome_failed(struct system *system) {
  const struct model *m = model_of(system);
  for (unsigned p = 0; p < m->places.size; p++)
    if (status_of(m, p) >= STATUS_FAILED)
      return true;
  return false;
}

/* ---- text -----------------------------------------------------------------
 */

static void add_text(struct model *m, const char *text, size_t length) {
  VEC_RESERVE(m->message, length + 1);
  memcpy(&m->message.at[m->message.size], text, length);
  m->message.size += length;
  m->message.at[m->message.size] = 0;
}

static void sink(void *context, const char *text, size_t length) {
  add_text(context, text, length);
}

static void add(struct model *m, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

static void add(struct model *m, const char *format, ...) {
  char buffer[300];
  va_list list;
  va_start(list, format);
  int length = vsnprintf(buffer, sizeof buffer, format, list);
  va_end(list);
  size_t most = sizeof buffer - 1;
  add_text(m, buffer, (size_t)length < most ? (size_t)length : most);
}

const char *model_process_name(const struct model *m, unsigned p) {
  return program_name(m->g, m->g->processes.at[p].name);
}

uint32_t model_line(const struct model *m, uint64_t pc) {
  if (!pc || pc > m->g->code.size)
    return 0;
  uint32_t statement = m->g->code.at[pc - 1].statement;
  return statement == NIL ? 0 : m->g->statements.at[statement].line;
}

static const struct symbol *symbol_at(const struct model *m, uint64_t addr,
                                      uint32_t *element) {
  if (addr < MODEL_BASE)
    return NULL;
  uint64_t slot = (addr - MODEL_BASE) / 8;
  for (size_t i = 0; i < m->g->symbols.size; i++) {
    const struct symbol *s = &m->g->symbols.at[i];
    if (slot >= s->slot && slot < s->slot + s->extent * s->stride) {
      *element = (uint32_t)((slot - s->slot) / s->stride);
      return s;
    }
  }
  return NULL;
}

bool model_describe(const struct model *m, const struct access *a, char *to,
                    size_t size) {
  static const char *const parts[] = {"", ".lo", ".hi"};
  uint32_t element;
  const struct symbol *s = symbol_at(m, a->addr, &element);
  if (!s)
    return false;
  const char *name = program_name(m->g, s->name);
  const char *part = parts[symbol_has_value(s->kind) ? part_of(a) : PART_WHOLE];
  if (s->array)
    snprintf(to, size, "%s[%u]%s", name, element, part);
  else
    snprintf(to, size, "%s%s", name, part);
  return true;
}

int64_t model_value(const struct model *m, const struct access *a) {
  uint32_t element;
  const struct symbol *s = symbol_at(m, a->addr, &element);
  if (!s)
    return 0;
  int64_t whole = m->state.at[s->slot + element * s->stride];
  return symbol_has_value(s->kind) ? part_get(whole, part_of(a)) : whole;
}

/* ---- findings -------------------------------------------------------------
 */

/* Adds a waiting process, e.g. "p waits for m, held by q". */
static void add_waiter(struct model *m, unsigned p) {
  char object[128] = "";
  struct step step;
  struct access access[2];
  const struct statement *s = statement_of(m, p);
  describe_pending(m, p, &step, access);
  add(m, "%s%s waits for ", m->message.size ? "; " : "",
      model_process_name(m, p));
  if (step.op == OP_JOIN) {
    add(m, "the end of %s", model_process_name(m, s->symbol));
  } else if (step.op == OP_TURN) {
    add(m, "the begin of %s", model_process_name(m, lines_before(m, p)));
  } else if (step.op == OP_WAIT) {
    add(m, "a signal at line %u", s->line);
  } else {
    model_describe(m, &access[0], object, sizeof object);
    add(m, step.flags & (STEP_AWAIT | STEP_LOOK) ? "a change of %s" : "%s",
        object);
    int64_t holder = model_value(m, &access[0]);
    if ((step.op == OP_LOCK || step.op == OP_WRLOCK) && holder > 0)
      add(m, ", held by %s", model_process_name(m, (unsigned)holder - 1));
  }
}

static void describe_deadlock(struct model *m) {
  m->finding.kind = FINDING_DEADLOCK;
  m->finding.proc = 0;
  bool first = true;
  for (unsigned p = 0; p < m->places.size; p++) {
    int64_t status = status_of(m, p);
    if (status == STATUS_ABSENT || status >= STATUS_ENDED)
      continue;
    if (first) {
      m->finding.proc = p;
      m->finding.line = statement_of(m, p)->line;
      m->finding.pc = 1 + (uint64_t)(instruction_of(m, p) - m->g->code.at);
    }
    first = false;
    if (awaits_of(m, p) || is_held(m, p))
      m->finding.kind = FINDING_LIVELOCK;
    add_waiter(m, p);
  }
}

static const char *misuse_of(struct model *m, unsigned p,
                             const struct statement *s) {
  bool crashed = false;
  if (s->kind != STATEMENT_COND_WAIT)
    return "it is not held";
  uint32_t mutex = local_slot(m, p, s->other, s->other_index, &crashed);
  return m->state.at[mutex] == p + 1 ? "a process waits with another mutex"
                                     : "the mutex is not held";
}

static void describe_failure(struct model *m, unsigned p) {
  const struct statement *s = statement_of(m, p);
  m->finding.kind = (enum finding_kind)(status_of(m, p) - STATUS_FAILED);
  m->finding.proc = p;
  m->finding.line = s->line;
  m->finding.pc = 1 + (uint64_t)(instruction_of(m, p) - m->g->code.at);
  if (m->finding.kind == FINDING_CRASH)
    add(m, "division by zero: ");
  else if (m->finding.kind == FINDING_MEMORY)
    add(m, "index out of bounds: ");
  else if (m->finding.kind == FINDING_MISUSE)
    add(m, "%s: ", misuse_of(m, p, s));
  program_print_statement(m->g, p, instruction_of(m, p)->statement, sink, m);
}

bool model_failure(struct model *m, unsigned p, struct finding *out) {
  if (status_of(m, p) < STATUS_FAILED)
    return false;
  m->message.size = 0;
  m->finding = (struct finding){.file = m->g->file};
  describe_failure(m, p);
  m->finding.message = m->message.at;
  *out = m->finding;
  return true;
}

/* 1 + a process that has failed: in the last step, or ever. */
static uint32_t failed_process(const struct model *m) {
  if (m->taken.size && VEC_TOP(m->taken).failed)
    return VEC_TOP(m->taken).failed;
  for (size_t i = 0; i < m->taken.size; i++)
    if (m->taken.at[i].failed)
      return m->taken.at[i].failed;
  return m->failed_before;
}

const struct finding *outcome_finding(struct system *system) {
  struct model *m = model_of(system);
  m->message.size = 0;
  add_text(m, "", 0);
  m->finding = (struct finding){.file = m->g->file};
  uint32_t failed = failed_process(m);
  if (failed)
    describe_failure(m, failed - 1);
  else
    describe_deadlock(m);
  m->finding.message = m->message.at;
  return &m->finding;
}

/* ---- the outcome ----------------------------------------------------------
 */

static void add_variables(struct model *m) {
  for (size_t i = 0; i < m->g->symbols.size; i++) {
    const struct symbol *s = &m->g->symbols.at[i];
    for (uint32_t k = 0; symbol_has_value(s->kind) && k < s->extent; k++) {
      char name[128];
      struct access whole = access_of(s->slot + k, PART_WHOLE, 0);
      model_describe(m, &whole, name, sizeof name);
      add(m, "%s%s=%" PRId64, m->message.size ? " " : "", name,
          m->state.at[s->slot + k]);
    }
  }
}

static void add_locals(struct model *m, unsigned p) {
  const struct process *process = &m->g->processes.at[p];
  if (process->removed || !process->locals)
    return;
  add(m, "%s%s:", m->message.size ? " | " : "", model_process_name(m, p));
  for (uint32_t i = 0; i < process->locals; i++)
    add(m, " %s=%" PRId64,
        program_name(m->g, m->g->locals.at[process->first_local + i]),
        registers_of(m, p)[i]);
}

/* One line: "x=1 y=0 | p: a=1 b=0 | q: r=2". */
const char *outcome_output(struct system *system, size_t *length) {
  struct model *m = model_of(system);
  m->message.size = 0;
  add_text(m, "", 0);
  add_variables(m);
  for (unsigned p = 0; p < m->places.size; p++)
    add_locals(m, p);
  add(m, "\n");
  *length = m->message.size;
  return m->message.at;
}
