#include "supervise/evidence.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "report/links.h"
#include "report/relevance.h"
#include "supervise/naming.h"
#include "supervise/stand.h"

void evidence_open(struct evidence *e, const struct checked_program *program,
                   const struct options *options, const char *externals,
                   size_t externals_length, const char *directory) {
  memset(e, 0, sizeof *e);
  e->program = program;
  e->directory = directory;
  supervise_control(&e->settings, WIRE_REPLAY);
  e->settings.options = *options;
  e->settings.options.time_limit = UINT64_MAX;
  e->settings.options.max_executions = UINT64_MAX;
  e->settings.options.max_steps = UINT64_MAX; /* the schedule has an end */
  memcpy(e->settings.externals, externals, externals_length);
}

void evidence_close(struct evidence *e) {
  for (size_t i = 0; i < e->sources.size; i++)
    source_close(e->sources.at[i]);
  VEC_FREE(e->sources);
  run_free(&e->modules_of);
}

/* ---- the source ---------------------------------------------------------- */

static bool same_modules(const struct run *a, const struct run *b) {
  if (a->modules.size != b->modules.size)
    return false;
  for (size_t i = 0; i < a->modules.size; i++)
    if (a->modules.at[i].bias != b->modules.at[i].bias ||
        strcmp(a->modules.at[i].path, b->modules.at[i].path))
      return false;
  return true;
}

/* The first module is the program itself, whatever it calls itself. */
static struct source_lines *source_for(struct evidence *e,
                                       const struct run *run) {
  if (e->sources.size && same_modules(run, &e->modules_of))
    return VEC_TOP(e->sources);
  struct source_lines *source = source_open(e->directory);
  run_free(&e->modules_of);
  for (size_t i = 0; i < run->modules.size; i++) {
    const struct run_module *module = &run->modules.at[i];
    bool readable = *module->path && !access(module->path, R_OK);
    source_module(source, i || readable ? module->path : e->program->binary,
                  module->bias);
    VEC_PUSH(e->modules_of.modules,
             (struct run_module){module->bias, strdup(module->path)});
  }
  VEC_PUSH(e->sources, source);
  return source;
}

struct source_place evidence_place(struct evidence *e, const struct run *run,
                                   uint64_t pc) {
  return source_place(source_for(e, run), pc);
}

/* ---- addresses ----------------------------------------------------------- */

/* A function, data, or a place in the code. */
static const char *address_text(struct scene *scene, uint64_t address) {
  const char *name = source_function(scene->source, address);
  if (!name)
    name = scene_data(scene, address, 1);
  return name ? name : scene_code(scene, address);
}

/* The same where the runtime has named an object of the program. */
static const char *object_text(struct scene *scene, uint64_t address) {
  const char *name = address_text(scene, address);
  return name ? name : scene_seen(scene, address);
}

static const char *code_text(struct scene *scene, uint64_t pc) {
  return scene_code(scene, pc);
}

/* How addresses stand in messages. */
static const struct mark {
  const char *before;
  const char *after;
  const char *(*name)(struct scene *, uint64_t);
} marks[] = {
    {"{addr:", "}", object_text},
    {"{pc:", "}", code_text},
    {"0x", "", address_text},
};

/* The end of such an address, if one starts here. */
static const char *mark_end(const struct mark *mark, const char *message,
                            uint64_t *address) {
  size_t length = strlen(mark->before);
  char *end;
  if (strncmp(message, mark->before, length) ||
      !isxdigit((unsigned char)message[length]))
    return 0;
  *address = strtoull(message + length, &end, 16);
  length = strlen(mark->after);
  return strncmp(end, mark->after, length) ? 0 : end + length;
}

/* Prints the name of the address that starts here.  Returns its end, or NULL if
 * there is none. */
static const char *name_address(struct scene *scene, const char *message,
                                struct text *to) {
  for (size_t i = 0; i < sizeof marks / sizeof *marks; i++) {
    uint64_t address;
    const char *end = mark_end(&marks[i], message, &address);
    if (!end)
      continue;
    const char *name = marks[i].name(scene, address);
    if (name)
      text_print(to, "%s", name);
    else
      text_print(to, "0x%" PRIx64, address);
    return end;
  }
  return 0;
}

/* The function in "{start:55a0}", behind a thread's number, if there is one.
 * Returns the end of it. */
static const char *skip_start(const struct scene *scene, const char *message,
                              const char **function) {
  static const char mark[] = "{start:";
  char *end;
  *function = 0;
  if (strncmp(message, mark, sizeof mark - 1))
    return message;
  uint64_t address = strtoull(message + sizeof mark - 1, &end, 16);
  *function = address ? source_function(scene->source, address) : 0;
  return *end == '}' ? end + 1 : end;
}

/* Threads have numbers there: "T1" becomes "T1 worker".  Returns its end, or
 * NULL if no thread is named here. */
static const char *name_thread(const struct scene *scene, const char *start,
                               const char *message, struct text *to) {
  char *end;
  if (*message != 'T' || !isdigit((unsigned char)message[1]) ||
      (message > start &&
       (isalnum((unsigned char)message[-1]) || message[-1] == '_')))
    return 0;
  unsigned long proc = strtoul(message + 1, &end, 10);
  if (isalnum((unsigned char)*end) || *end == '_' || proc > UINT32_MAX)
    return 0;
  const char *function, *after = skip_start(scene, end, &function);
  text_print(to, "%s", scene_thread(scene, (uint32_t)proc));
  if (function && proc)
    text_print(to, " %s", function);
  return after;
}

/* The runtime knows only addresses: its messages get the names put in. */
static const char *name_addresses(struct scene *scene, const char *message) {
  struct text text = {0};
  for (const char *start = message; *message;) {
    const char *end = name_address(scene, message, &text);
    if (!end)
      end = name_thread(scene, start, message, &text);
    if (!end)
      text_add(&text, message, 1);
    message = end ? end : message + 1;
  }
  const char *made = texts_copy(scene->texts, text.at, text.size);
  VEC_FREE(text);
  return made;
}

const char *evidence_words(struct evidence *e, const struct run *run,
                           const char *message, struct texts *texts) {
  struct scene scene;
  scene_open(&scene, source_for(e, run), texts, run);
  const char *words = name_addresses(&scene, message);
  scene_close(&scene);
  return words;
}

/* ---- steps --------------------------------------------------------------- */

static void add_accesses(const struct run_step *step,
                         struct result_finding *out, struct result_step *to) {
  to->first = out->accesses.size;
  to->accesses = step->wire.accesses;
  for (uint32_t i = 0; i < step->wire.accesses; i++)
    VEC_PUSH(out->accesses, step->access[i]);
}

/* Is its address that of a function?  So it is where the thread-local variables
 * of a thread end. */
static bool is_start(const struct wire_step *wire) {
  return wire->op == OP_START ||
         (wire->op == OP_END && !wire->stack_of && wire->pc);
}

static void add_steps(struct scene *scene, struct result_finding *out) {
  for (size_t i = 0; i < scene->run->steps.size; i++) {
    const struct wire_step *wire = &scene->run->steps.at[i].wire;
    struct result_step step = {.proc = wire->proc,
                               .target = wire->target,
                               .op = wire->op,
                               .failed = wire->failed,
                               .local = wire->local,
                               .preempts = wire->preempts,
                               .address = wire->addr,
                               .size = wire->size,
                               .key = wire->key};
    /* A thread starts at an address, all else comes back to one. */
    step.place = source_place(scene->source, wire->pc + is_start(wire));
    scene_name_step(scene, i, &step);
    add_accesses(&scene->run->steps.at[i], out, &step);
    result_add_step(out, step);
  }
  link_steps(out);
}

static void add_objects(const struct scene *scene, struct result_finding *out) {
  for (size_t i = 0; i < scene->objects.size; i++) {
    const struct heap_object *object = &scene->objects.at[i];
    struct result_object shown = {.name = object->name, .size = object->size};
    shown.place = source_place(scene->source, object->pc);
    VEC_PUSH(out->objects, shown);
  }
}

static void add_threads(const struct scene *scene, struct result_finding *out) {
  for (size_t i = 0; i < scene->run->threads.size; i++) {
    const struct wire_thread *wire = &scene->run->threads.at[i];
    struct result_thread thread = {.proc = wire->proc};
    if (wire->start)
      thread.function = source_function(scene->source, wire->start);
    VEC_PUSH(out->threads, thread);
  }
}

static bool touches(const struct wire_step *step,
                    const struct wire_finding *race) {
  return !race->addr || (step->addr < race->addr + race->size &&
                         race->addr < step->addr + step->size);
}

/* 1 + the last step before `end` that is an access of the race: the later one
 * is the finding's own thread's, the earlier one another's.  0: none. */
static size_t find_access(const struct scene *scene, size_t end,
                          const struct wire_finding *wire, bool later) {
  for (size_t i = end; i-- > 0;) {
    const struct wire_step *step = &scene->run->steps.at[i].wire;
    if (step->pc == (later ? wire->pc : wire->other_pc) &&
        (step->proc == wire->proc) == later && touches(step, wire))
      return i + 1;
  }
  return 0;
}

/* "T1 worker writes x (a.c:7)" */
static void say_access(const struct scene *scene, struct text *to,
                       const struct result_finding *out, size_t access,
                       const struct source_place *place) {
  if (access) {
    const struct result_step *step = &out->steps.at[access - 1];
    text_print(to, "%s ", scene_thread(scene, step->proc));
    op_text_short(to, step);
  } else {
    text_print(to, "a thread accesses %s",
               out->variable ? out->variable : "memory");
  }
  if (place->file)
    text_print(to, " (%s:%u)", place->file, place->line);
}

/* Two accesses, the earlier one first. */
static void explain_race(const struct scene *scene,
                         const struct wire_finding *wire,
                         struct result_finding *out) {
  struct text text = {0};
  size_t end = scene->run->steps.size;
  out->access = find_access(scene, end, wire, true);
  if (out->access)
    end = out->access - 1;
  out->other_access = find_access(scene, end, wire, false);
  if (out->access)
    out->place = out->steps.at[out->access - 1].place;
  if (out->other_access)
    out->other = out->steps.at[out->other_access - 1].place;
  say_access(scene, &text, out, out->other_access, &out->other);
  text_print(&text, ", ");
  say_access(scene, &text, out, out->access, &out->place);
  out->message = texts_copy(scene->texts, text.at, text.size);
  VEC_FREE(text);
}

/* "into a block of 24 bytes (connection#2) allocated at": the name of the
 * object that the failing step touched. */
static void name_block(const struct scene *scene, struct result_finding *out) {
  const char *object = 0, *at = strstr(out->message, "a block of ");
  const char *end = at ? strstr(at, " bytes") : 0;
  for (size_t i = out->steps.size; i-- > 0;)
    if (out->steps.at[i].proc == out->proc) {
      object = out->steps.at[i].object;
      break;
    }
  if (!end || !object)
    return;
  end += strlen(" bytes");
  out->message =
      texts_format(scene->texts, "%.*s (%s)%s", (int)(end - out->message),
                   out->message, object, end);
}

/* What the finding says of itself. */
static void add_finding(struct scene *scene, const struct run_finding *finding,
                        struct result_finding *out) {
  const struct wire_finding *wire = &finding->wire;
  out->kind = wire->kind;
  out->proc = wire->proc;
  /* A number in an asserted expression is a number. */
  out->message =
      wire->kind == FINDING_ASSERTION
          ? texts_copy(scene->texts, finding->message, strlen(finding->message))
          : name_addresses(scene, finding->message);
  out->place = source_place(scene->source, wire->pc);
  out->other = source_place(scene->source, wire->other_pc);
  if (wire->line) {
    const char *file =
        texts_copy(scene->texts, finding->file, strlen(finding->file));
    out->place.file = source_file(scene->source, file);
    out->place.line = wire->line;
  }
  if (wire->addr)
    out->variable = scene_data(scene, wire->addr, wire->size);
  if (wire->kind == FINDING_RACE)
    explain_race(scene, wire, out);
  if (wire->kind == FINDING_MEMORY)
    name_block(scene, out);
}

/* ---- running again ------------------------------------------------------- */

bool evidence_run(struct evidence *e, struct move *moves, uint32_t count,
                  enum finding_kind kind, struct run *run) {
  struct run_request request = {.binary = e->program->binary,
                                .argv = e->program->argv,
                                .settings = e->settings,
                                .moves = moves,
                                .keys = e->keys};
  request.settings.moves = count;
  request.settings.kind = kind;
  if (e->lost || supervise_interrupted() || !supervise(&request, run) ||
      supervise_interrupted()) { /* the replay may have ended half-way */
    e->lost = true;
    return false;
  }
  return true;
}

/* In a program that has changed places are others. */
static bool is_similar(const struct run_finding *a,
                       const struct run_finding *b) {
  return a->wire.kind == b->wire.kind &&
         (a->wire.kind != FINDING_ASSERTION || !strcmp(a->message, b->message));
}

/* A replay takes accesses to memory of one thread as steps, too.  A loop that
 * looks at such memory only has no steps in the search, and then its place is
 * its head. */
static bool is_same_livelock(const struct run_finding *a,
                             const struct run_finding *b) {
  return a->wire.kind == FINDING_LIVELOCK && b->wire.kind == FINDING_LIVELOCK;
}

/* The finding in the replay that answers to the given one. */
static const struct run_finding *find_again(const struct evidence *e,
                                            const struct run *original,
                                            const struct run_finding *finding,
                                            const struct run *again) {
  for (size_t i = 0; i < again->findings.size; i++)
    if (run_same_finding(original, finding, again, &again->findings.at[i]) ||
        is_same_livelock(finding, &again->findings.at[i]) ||
        (e->keys && is_similar(finding, &again->findings.at[i])))
      return &again->findings.at[i];
  return 0;
}

/* 1 + the last step before `end` at this place, taken by this thread or, not
 * `own`, by another.  0: none. */
static size_t find_step(const struct run *again, size_t end, uint64_t offset,
                        uint32_t proc, bool own) {
  for (size_t i = end; i-- > 0;) {
    const struct wire_step *step = &again->steps.at[i].wire;
    if (run_offset(again, step->pc) == offset && (step->proc == proc) == own)
      return i + 1;
  }
  return 0;
}

/* An algorithm that leaves steps unordered because they commute sees races with
 * writes that are hidden by later ones where all steps are ordered.  Then it is
 * enough that the schedule leads to both accesses. */
static bool find_accesses(const struct run *original,
                          const struct run_finding *finding,
                          const struct run *again, struct run_finding *race) {
  const struct wire_finding *wire = &finding->wire;
  if (wire->kind != FINDING_RACE || !wire->moves)
    return false;
  uint32_t proc = finding->moves[wire->moves - 1].proc;
  size_t later = find_step(again, again->steps.size,
                           run_offset(original, wire->pc), proc, true);
  size_t earlier = find_step(again, later, run_offset(original, wire->other_pc),
                             proc, false);
  if (!later || !earlier)
    return false;
  *race = *finding;
  race->wire.proc = proc;
  race->wire.pc = again->steps.at[later - 1].wire.pc;
  race->wire.other_pc = again->steps.at[earlier - 1].wire.pc;
  return true;
}

/* The schedule led to another execution: an error of its own. */
static void add_difference(struct texts *texts,
                           const struct run_finding *finding,
                           struct result_finding *out) {
  out->kind = FINDING_NONDETERMINISM;
  if (finding->wire.kind == FINDING_NONDETERMINISM)
    return; /* it need not happen again */
  out->message = texts_format(
      texts,
      "\"%s%s%s\" was found, but the same schedule led elsewhere when it was "
      "run again",
      finding_headline(finding->wire.kind), *finding->message ? ": " : "",
      out->message);
}

/* Without a replay: only what the finding says itself. */
static void add_bare_finding(struct evidence *e, const struct run *run,
                             const struct run_finding *finding,
                             struct texts *texts, struct result_finding *out) {
  struct scene scene;
  scene_open(&scene, source_for(e, run), texts, run);
  add_finding(&scene, finding, out);
  scene_close(&scene);
}

/* What the replay has told, and the finding as it came up again: `same`, or
 * NULL. */
static void add_replay(struct evidence *e, const struct run *run,
                       const struct run *again,
                       const struct run_finding *finding,
                       const struct run_finding *same, struct texts *texts,
                       struct result_finding *out) {
  struct scene scene;
  scene_open(&scene, source_for(e, again), texts, again);
  scene.fill = (int)e->settings.options.heap_fill;
  add_threads(&scene, out);
  add_objects(&scene, out);
  add_steps(&scene, out);
  stand_add(&scene, out);
  if (same)
    add_finding(&scene, same, out);
  scene_close(&scene);
  if (!same) {
    add_bare_finding(e, run, finding, texts, out);
    add_difference(texts, finding, out);
  }
}

/* Two accesses that race do so whatever comes before and after. */
static bool has_critical(const struct run_finding *finding) {
  return finding->wire.kind != FINDING_RACE &&
         finding->wire.kind != FINDING_NONDETERMINISM && !finding->wire.warning;
}

/* See result_finding.critical. */
static size_t find_critical(struct evidence *e,
                            const struct run_finding *finding, size_t steps) {
  enum { SECONDS = 5 };
  struct run run = {0};
  struct control settings = e->settings;
  e->settings.mode = WIRE_CRITICAL;
  e->settings.options.time_limit = SECONDS;
  bool ran = evidence_run(e, finding->moves, finding->wire.moves,
                          finding->wire.kind, &run);
  uint64_t found = ran && run.end == RUN_DONE ? run.critical : 0;
  e->settings = settings;
  run_free(&run);
  return found <= steps ? found : 0;
}

static void note_departure(struct evidence *e, const struct run *again) {
  e->departed = true;
  e->departed_at = again->departed_at;
  e->departed_to = evidence_place(e, again, again->departed_at.pc);
}

/* A recursion without end takes millions of steps before it overflows. */
static bool is_too_long(struct evidence *e, const struct run *run,
                        const struct run_finding *finding, struct texts *texts,
                        struct result_finding *out) {
  enum { MOST = 1000000 };
  if (finding->wire.moves <= MOST)
    return false;
  add_bare_finding(e, run, finding, texts, out);
  out->message = texts_format(texts, "%s, after %u steps: too many to show",
                              out->message, finding->wire.moves);
  return true;
}

enum evidence_found evidence_collect(struct evidence *e, const struct run *run,
                                     const struct run_finding *finding,
                                     struct texts *texts,
                                     struct result_finding *out) {
  struct run again = {0};
  memset(out, 0, sizeof *out);
  if (is_too_long(e, run, finding, texts, out))
    return EVIDENCE_NONE;
  bool ran = evidence_run(e, finding->moves, finding->wire.moves,
                          finding->wire.kind, &again);
  if (!ran || again.end == RUN_STOPPED || again.end == RUN_REFUSED ||
      again.end == RUN_DIED) {
    add_bare_finding(e, run, finding, texts, out);
    run_free(&again);
    return EVIDENCE_NONE;
  }
  const struct run_finding *same = find_again(e, run, finding, &again);
  if (again.departed)
    note_departure(e, &again);
  struct run_finding race;
  if (!same && find_accesses(run, finding, &again, &race))
    same = &race;
  add_replay(e, run, &again, finding, same, texts, out);
  if (same && has_critical(finding) && !e->keys)
    out->critical = find_critical(e, finding, out->steps.size);
  relevance_find(out);
  text_add(&out->output, again.output.at, again.output.size);
  text_add(&out->complaints, again.complaints.at, again.complaints.size);
  run_free(&again);
  return same ? EVIDENCE_SAME : EVIDENCE_OTHER;
}

bool evidence_example(struct evidence *e, struct move *moves, uint32_t count,
                      struct texts *texts, struct result_finding *out) {
  struct run run = {0};
  memset(out, 0, sizeof *out);
  bool good = evidence_run(e, moves, count, FINDING_ASSERTION, &run) &&
              run.end == RUN_DONE;
  if (good) {
    struct scene scene;
    scene_open(&scene, source_for(e, &run), texts, &run);
    scene.fill = (int)e->settings.options.heap_fill;
    add_threads(&scene, out);
    add_objects(&scene, out);
    add_steps(&scene, out);
    scene_close(&scene);
    relevance_find(out);
    text_add(&out->output, run.output.at, run.output.size);
    text_add(&out->complaints, run.complaints.at, run.complaints.size);
  }
  run_free(&run);
  return good;
}
