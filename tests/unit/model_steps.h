/* A small model, stepped by hand, with its trace: for tests of what asks the
 * system. */
#ifndef MODEL_STEPS_H
#define MODEL_STEPS_H

#include "core_steps.h"

#include "core/search.h"
#include "system/model/model.h"

struct scene {
  struct program program;
  struct model *model;
  struct options options;
  struct counters counters;
  struct explorer x;
};

static inline void scene_begin(struct scene *s, const char *text) {
  struct model_error error;
  memset(s, 0, sizeof *s);
  if (!program_parse(&s->program, "test", text, strlen(text), &error))
    fail_msg("%u:%u: %s", error.line, error.column, error.message);
  s->model = model_new(&s->program);
  s->options = (struct options){
      .races = RACES_OFF, .preemptions = UINT64_MAX, .skip = SKIP_DEFAULT};
  s->x.system = model_system(s->model);
  s->x.options = &s->options;
  s->x.counters = &s->counters;
  trace_init(&s->x.trace, (struct order_rules){.races = true});
}

static inline void scene_end(struct scene *s) {
  trace_free(&s->x.trace);
  model_free(s->model);
  program_free(&s->program);
}

/* The process takes its next step. */
static inline void scene_step(struct scene *s, uint32_t proc) {
  struct system *system = s->x.system;
  struct step step;
  assert_true(system->ops->enabled(system, proc));
  assert_int_equal(system->ops->step(system, proc, 0, &step), STEP_DONE);
  trace_push(&s->x.trace, proc, &step);
}

/* The first `length` events stay. */
static inline void scene_undo(struct scene *s, size_t length) {
  explorer_undo(&s->x, length);
  trace_truncate(&s->x.trace, length);
}

#endif
