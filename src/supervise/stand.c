#include "supervise/stand.h"

#include <string.h>

/* ---- call stacks --------------------------------------------------------- */

enum { MOST_FRAMES = 64, MOST_INLINED = 16 };

/* The runtime's own frames, at both ends of the stack, are left out. */
static void add_frame(struct scene *scene, struct result_thread *thread,
                      uint64_t pc) {
  struct source_place places[MOST_INLINED];
  if (source_is_runtime(scene->source, pc - 1))
    return;
  size_t count = source_places(scene->source, pc, places, MOST_INLINED);
  for (size_t i = 0; i < count; i++)
    if (places[i].file)
      VEC_PUSH(thread->stack, places[i]);
}

static void add_stack(struct scene *scene, const struct run_stand *stand,
                      struct result_thread *thread) {
  uint64_t frames[MOST_FRAMES];
  struct source_stack stack = {.pc = stand->wire.pc_now,
                               .registers = WIRE_REGISTERS,
                               .known = stand->wire.known,
                               .value = stand->wire.registers,
                               .start = stand->wire.sp,
                               .bytes = stand->stack.at,
                               .size = stand->stack.size};
  if (!stand->wire.known)
    return;
  size_t count = source_unwind(scene->source, &stack, frames, MOST_FRAMES);
  for (size_t i = 0; i < count; i++)
    add_frame(scene, thread, frames[i]);
}

/* ---- waiting ------------------------------------------------------------- */

static const char *waited_object(struct scene *scene,
                                 const struct wire_stand *wire) {
  const char *name = scene_data(scene, wire->object, 1);
  if (source_variable(scene->source, wire->object, 1))
    return name;
  const char *own = scene_argument(scene, wire->op, wire->pc, wire->object, 1);
  const struct heap_object *object = scene_object(scene, wire->object);
  if (own && object && object->several)
    return texts_format(scene->texts, "%s [%s]", own, object->name);
  if (!own && !name)
    name = scene_seen(scene, wire->object);
  return own ? own : name ? name : "an object";
}

static const char *look_name(struct scene *scene, const struct run_stand *stand,
                             uint32_t i) {
  const char *name =
      scene_data(scene, stand->looks[i].addr, stand->looks[i].size);
  if (!name)
    name = scene_seen(scene, stand->looks[i].addr);
  return name ? name : "memory";
}

/* Parts of one variable may have one name. */
static void say_looks(struct scene *scene, const struct run_stand *stand,
                      struct text *to) {
  enum { MOST = 4 };
  const char *said[MOST];
  uint32_t count = 0;
  text_print(to, "waits in a loop for a change of");
  for (uint32_t i = 0; i < stand->wire.looks && count < MOST; i++) {
    const char *name = look_name(scene, stand, i);
    uint32_t same = 0;
    while (same < count && strcmp(said[same], name))
      same++;
    if (same < count)
      continue;
    text_print(to, "%s %s", count ? "," : "", name);
    said[count++] = name;
  }
}

/* See ops.def for the words. */
static void say_waiting(struct scene *scene, const struct run_stand *stand,
                        struct text *to) {
  const struct wire_stand *wire = &stand->wire;
  const char *words = op_table[wire->op].waits;
  if (!words)
    words = "waits for %v";
  size_t plain = strcspn(words, "%");
  text_print(to, "%.*s", (int)plain, words);
  if (!strcmp(words + plain, "%t"))
    text_print(to, "%s", scene_thread(scene, wire->target));
  else if (!strcmp(words + plain, "%v"))
    text_print(to, "%s", waited_object(scene, wire));
  if (wire->holder && wire->op != OP_JOIN)
    text_print(to, ", held by %s", scene_thread(scene, wire->holder - 1));
}

static void add_waiting(struct scene *scene, const struct run_stand *stand,
                        struct result_thread *thread) {
  struct text text = {0};
  if (stand->wire.looks)
    say_looks(scene, stand, &text);
  else
    say_waiting(scene, stand, &text);
  thread->waits = texts_copy(scene->texts, text.at, text.size);
  VEC_FREE(text);
}

/* ---- locks --------------------------------------------------------------- */

static bool is_lock(const struct wire_step *wire) {
  switch (wire->op) {
  case OP_LOCK:
  case OP_TRYLOCK:
  case OP_RDLOCK:
  case OP_TRYRDLOCK:
  case OP_WRLOCK:
  case OP_TRYWRLOCK:
    return !wire->failed;
  default:
    return false;
  }
}

static bool is_unlock(const struct wire_step *wire) {
  return wire->op == OP_UNLOCK || wire->op == OP_RWUNLOCK ||
         wire->op == OP_WAIT;
}

/* Does the thread release, after this step, what it locked there?  A recursive
 * mutex is released when it has been unlocked as often as it was locked. */
static bool is_released(const struct run *run, size_t lock) {
  const struct run_step *locked = &run->steps.at[lock];
  int depth = 1;
  for (size_t i = lock + 1; i < run->steps.size && depth > 0; i++) {
    const struct run_step *step = &run->steps.at[i];
    bool same = false;
    if (step->wire.proc != locked->wire.proc)
      continue;
    for (uint32_t k = 0; k < step->wire.accesses; k++)
      same |= step->access[k].addr == locked->wire.addr;
    if (same && is_unlock(&step->wire))
      depth--;
    else if (same && is_lock(&step->wire))
      depth++;
  }
  return depth <= 0;
}

static void add_locks(struct scene *scene, struct result_finding *out,
                      struct result_thread *thread) {
  const struct run *run = scene->run;
  for (size_t i = 0; i < run->steps.size; i++) {
    const struct wire_step *wire = &run->steps.at[i].wire;
    const struct result_step *step = &out->steps.at[i];
    if (wire->proc != thread->proc || !is_lock(wire) || is_released(run, i))
      continue;
    const char *name = step->variable;
    if (step->several)
      name = texts_format(scene->texts, "%s [%s]", name, step->object);
    VEC_PUSH(thread->holds, (struct result_lock){name, i + 1});
  }
}

/* ---- all of it ----------------------------------------------------------- */

static enum thread_end end_of(uint32_t state) {
  switch ((enum wire_stand_state)state) {
  case STAND_RUNS:
    return THREAD_END_RUNS;
  case STAND_WAITS:
    return THREAD_END_WAITS;
  case STAND_ENDED:
    return THREAD_END_ENDED;
  case STAND_FAILED:
    return THREAD_END_FAILED;
  case STAND_STOPPED:
    return THREAD_END_STOPPED;
  }
  return THREAD_END_UNKNOWN;
}

static void add_stand(struct scene *scene, const struct run_stand *stand,
                      struct result_finding *out,
                      struct result_thread *thread) {
  thread->end = end_of(stand->wire.state);
  if (thread->end == THREAD_END_WAITS)
    add_waiting(scene, stand, thread);
  add_stack(scene, stand, thread);
  if (thread->end != THREAD_END_ENDED)
    add_locks(scene, out, thread);
}

void stand_add(struct scene *scene, struct result_finding *out) {
  scene->step = scene->run->steps.size;
  for (size_t i = 0; i < scene->run->stands.size; i++)
    for (size_t k = 0; k < out->threads.size; k++)
      if (out->threads.at[k].proc == scene->run->stands.at[i].wire.proc)
        add_stand(scene, &scene->run->stands.at[i], out, &out->threads.at[k]);
}
