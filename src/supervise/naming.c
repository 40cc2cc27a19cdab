#include "supervise/naming.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* ---- threads and code ---------------------------------------------------- */

const char *scene_thread(const struct scene *scene, uint32_t proc) {
  char name[16];
  thread_name(proc, name, sizeof name);
  for (size_t i = 0; proc && i < scene->run->threads.size; i++) {
    const struct wire_thread *thread = &scene->run->threads.at[i];
    const char *function = thread->proc == proc && thread->start
                               ? source_function(scene->source, thread->start)
                               : 0;
    if (function)
      return texts_format(scene->texts, "%s %s", name, function);
  }
  return texts_copy(scene->texts, name, strlen(name));
}

const char *scene_code(const struct scene *scene, uint64_t pc) {
  struct source_place place = source_place(scene->source, pc);
  if (place.file)
    return texts_format(scene->texts, "%s:%u", place.file, place.line);
  return place.function;
}

/* ---- members ------------------------------------------------------------- */

/* The name of the member that the text ends with, or NULL. */
static const char *last_member(const char *text) {
  size_t length = strlen(text);
  while (length &&
         (text[length - 1] == '_' || isalnum((unsigned char)text[length - 1])))
    length--;
  bool is_member =
      length && (text[length - 1] == '.' || text[length - 1] == '>');
  return is_member ? text + length : 0;
}

/* Where the last member in a path begins: "next" of "items[3].next". */
static const char *last_member_of(const char *path) {
  const char *dot = strrchr(path, '.');
  return dot ? dot + 1 : path;
}

/* ---- heap objects -------------------------------------------------------- */

static struct heap_object *object_at(const struct scene *scene,
                                     uint64_t address) {
  for (size_t i = 0; i < scene->objects.size; i++) {
    struct heap_object *object = &scene->objects.at[i];
    if (address - object->start < object->size)
      return object;
  }
  return 0;
}

const struct heap_object *scene_object(const struct scene *scene,
                                       uint64_t address) {
  return object_at(scene, address);
}

/* A scalar, or a part of the object that is not its own type. */
static bool is_scalar(struct source_lines *source,
                      const struct source_type *type) {
  struct source_part part;
  source_part(source, type, 0, source_type_size(type), 0, &part);
  return part.type && !*part.path;
}

/* The candidate of this name, which may be new; NULL: it cannot be one. */
static struct type_candidate *candidate(struct scene *scene,
                                        struct heap_object *object,
                                        const char *name, uint64_t pc) {
  struct type_candidate *made = object->candidates;
  for (; made < object->candidates + OBJECT_CANDIDATES && made->type; made++)
    if (!strcmp(source_type_name(made->type), name))
      return made;
  const struct source_type *type =
      *name ? source_type_named(scene->source, name, pc) : 0;
  uint64_t size = type ? source_type_size(type) : 0;
  if (made == object->candidates + OBJECT_CANDIDATES || !size ||
      size > object->size)
    return 0;
  *made = (struct type_candidate){
      .type = type, .size = size, .record = !is_scalar(scene->source, type)};
  return made;
}

/* Is the member that the source names where the type has it, if the object is
 * one of that type or an array of them?  What a pointer leads to may also be a
 * part of the object. */
static bool fits(struct scene *scene, const struct type_candidate *type,
                 const struct heap_object *object,
                 const struct run_step *step) {
  const char *member = last_member(step->site.object);
  const struct wire_step *wire = &step->wire;
  struct source_part part;
  if (!member || !type->record)
    return true;
  uint64_t offset = wire->addr - object->start;
  if (!source_type_is_open(type->type))
    offset %= type->size;
  source_part(scene->source, type->type, offset, wire->size, member, &part);
  const char *found = last_member_of(part.path);
  return part.shared || (part.exact && !strncmp(found, member, strlen(member)));
}

/* Of the types that are said to be the object's the largest struct tells
 * most. */
static void choose_type(struct heap_object *object) {
  const struct type_candidate *best = 0;
  for (size_t i = 0; i < OBJECT_CANDIDATES; i++) {
    const struct type_candidate *type = &object->candidates[i];
    if (type->type && !type->refuted &&
        (!best || type->record > best->record ||
         (type->record == best->record && type->size > best->size)))
      best = type;
  }
  if (!best)
    return;
  object->type = best->type;
  object->record = best->record;
}

static void add_object(struct scene *scene, uint64_t start, uint64_t size,
                       uint64_t pc) {
  if (!start || object_at(scene, start))
    return;
  struct heap_object object = {.start = start, .size = size, .pc = pc};
  const struct source_call *call = source_call(scene->source, pc);
  if (call)
    candidate(scene, &object, call->result, pc);
  VEC_PUSH(scene->objects, object);
}

/* The types in the site of a step, or in the call of a library function. */
static void learn_type(struct scene *scene, const struct run_step *step) {
  const struct wire_step *wire = &step->wire;
  struct heap_object *object = wire->block ? object_at(scene, wire->block) : 0;
  if (!object)
    return;
  struct type_candidate *type =
      candidate(scene, object, step->site.type, wire->pc);
  if (type && !fits(scene, type, object, step))
    type->refuted = true;
  const struct source_call *call = op_is(wire->op, OPCLASS_OBJECT)
                                       ? source_call(scene->source, wire->pc)
                                       : 0;
  if (call)
    candidate(scene, object, call->argument[0].type, wire->pc);
}

static const char *title_of(const struct scene *scene,
                            const struct heap_object *object) {
  uint64_t size = object->type ? source_type_size(object->type) : 0;
  if (!object->type)
    return "block";
  const char *name = source_type_name(object->type);
  if (object->record || object->size < 2 * size)
    return name;
  return texts_format(scene->texts, "%s[%" PRIu64 "]", name,
                      object->size / size);
}

/* Objects of one type are numbered as they come up. */
static void name_objects(struct scene *scene) {
  for (size_t i = 0; i < scene->objects.size; i++) {
    struct heap_object *object = &scene->objects.at[i];
    size_t number = 1;
    choose_type(object);
    object->title = title_of(scene, object);
    for (size_t k = 0; k < i; k++)
      if (!strcmp(scene->objects.at[k].title, object->title)) {
        scene->objects.at[k].several = object->several = true;
        number++;
      }
    object->name = texts_format(scene->texts, "%s#%zu", object->title, number);
  }
}

/* A record that ends with an array of any length is one, whatever its size. */
static bool is_array(const struct heap_object *object) {
  return object->size >= 2 * source_type_size(object->type) &&
         !source_type_is_open(object->type);
}

/* The element of an object that is an array, from 0 on, and the offset in it.
 */
static uint64_t element_of(const struct heap_object *object, uint64_t address,
                           uint64_t *offset) {
  uint64_t size = source_type_size(object->type);
  *offset = address - object->start;
  if (!is_array(object))
    return 0;
  *offset %= size;
  return (address - object->start) / size;
}

static bool find_part(struct scene *scene, const struct heap_object *object,
                      uint64_t address, uint64_t size, const char *hint,
                      struct source_part *part) {
  uint64_t offset;
  if (!object->type)
    return false;
  element_of(object, address, &offset);
  source_part(scene->source, object->type, offset, size ? size : 1, hint, part);
  return true;
}

/* "queue#2.len", "node#1[3].next", "block#1+8" */
static const char *object_text(struct scene *scene,
                               const struct heap_object *object,
                               uint64_t address, uint64_t size) {
  struct source_part part;
  struct text text = {0};
  uint64_t offset = address - object->start;
  text_print(&text, "%s", object->name);
  if (!find_part(scene, object, address, size, 0, &part)) {
    if (offset)
      text_print(&text, "+%" PRIu64, offset);
  } else if (size < object->size || offset) {
    uint64_t element = element_of(object, address, &offset);
    if (is_array(object))
      text_print(&text, "[%" PRIu64 "]", element);
    if (*part.path)
      text_print(&text, "%s%s", *part.path == '[' ? "" : ".", part.path);
    else if (offset)
      text_print(&text, "+%" PRIu64, offset);
  }
  const char *made = texts_copy(scene->texts, text.at, text.size);
  VEC_FREE(text);
  return made;
}

/* ---- local variables ----------------------------------------------------- */

/* The same variable in an earlier call of its function, or NULL. */
static const struct local_variable *same_local(const struct scene *scene,
                                               const struct local_variable *l) {
  for (size_t i = scene->locals.size; i-- > 0;) {
    const struct local_variable *known = &scene->locals.at[i];
    if (known->size == l->size && !strcmp(known->name, l->name) &&
        !strcmp(known->function, l->function))
      return known;
  }
  return 0;
}

static void add_locals(struct scene *scene) {
  for (size_t i = 0; i < scene->run->locals.size; i++) {
    const struct run_local *local = &scene->run->locals.at[i];
    struct local_variable made = {.start = local->wire.addr,
                                  .size = local->wire.size,
                                  .proc = local->wire.proc,
                                  .first = local->step,
                                  .end = SIZE_MAX,
                                  .function = local->site.function,
                                  .name = local->site.object};
    if (!*made.name)
      continue;
    const struct local_variable *same = same_local(scene, &made);
    made.type = same ? same->type
                     : source_type_of_local(scene->source, made.function,
                                            made.name, made.size);
    VEC_PUSH(scene->locals, made);
  }
}

/* A step ends all variables in its bytes. */
static void end_locals(struct scene *scene, const struct wire_step *wire,
                       size_t step) {
  for (size_t i = 0; i < scene->locals.size; i++) {
    struct local_variable *local = &scene->locals.at[i];
    if (local->first < step && local->end > step &&
        local->start - wire->addr < wire->size)
      local->end = step;
  }
}

/* How many variables there are at the step; they are in the order of their
 * first steps. */
static size_t locals_begun(const struct scene *scene) {
  size_t low = 0, high = scene->locals.size;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (scene->locals.at[middle].first <= scene->step)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

/* The latest that is at the address, or was.  Of a deep recursion only the last
 * calls are looked at: there may be as many variables as steps. */
static const struct local_variable *latest_local(const struct scene *scene,
                                                 uint64_t address, bool ended) {
  enum { MOST = 2000 };
  size_t begun = locals_begun(scene);
  size_t last = begun > MOST ? begun - MOST : 0;
  for (size_t i = begun; i-- > last;) {
    const struct local_variable *local = &scene->locals.at[i];
    if (address - local->start < local->size &&
        (ended || scene->step <= local->end))
      return local;
  }
  return 0;
}

static const struct local_variable *local_at(const struct scene *scene,
                                             uint64_t address) {
  return latest_local(scene, address, false);
}

/* "pool.jobs"; `of`: "main's pool.jobs" */
static const char *local_text(struct scene *scene,
                              const struct local_variable *local,
                              uint64_t address, uint64_t size, bool of) {
  struct source_part part = {.path = ""};
  struct text text = {0};
  if (of)
    text_print(&text, "%s's ", scene_thread(scene, local->proc));
  text_print(&text, "%s", local->name);
  if (local->type)
    source_part(scene->source, local->type, address - local->start,
                size ? size : 1, 0, &part);
  if (*part.path)
    text_print(&text, "%s%s", *part.path == '[' ? "" : ".", part.path);
  const char *made = texts_copy(scene->texts, text.at, text.size);
  VEC_FREE(text);
  return made;
}

/* ---- any data ------------------------------------------------------------ */

static int compare_seen(const void *x, const void *y) {
  const struct seen_address *a = x, *b = y;
  if (a->addr != b->addr)
    return a->addr < b->addr ? -1 : 1;
  return a->step < b->step ? -1 : a->step > b->step;
}

static void learn_seen(struct scene *scene) {
  for (size_t i = 0; i < scene->run->steps.size; i++) {
    const struct run_step *step = &scene->run->steps.at[i];
    if (*step->site.object && *step->site.object != '*')
      VEC_PUSH(scene->seen, ((struct seen_address){step->wire.addr, i}));
  }
  if (scene->seen.size)
    qsort(scene->seen.at, scene->seen.size, sizeof *scene->seen.at,
          compare_seen);
}

/* Thread-local variables are known by the code that uses them: the last that
 * did. */
const char *scene_seen(const struct scene *scene, uint64_t address) {
  size_t low = 0, high = scene->seen.size;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (scene->seen.at[middle].addr <= address)
      low = middle + 1;
    else
      high = middle;
  }
  if (!low || scene->seen.at[low - 1].addr != address)
    return 0;
  const char *name =
      scene->run->steps.at[scene->seen.at[low - 1].step].site.object;
  return texts_copy(scene->texts, name, strlen(name));
}

/* Which part of a thread's stack is known; stacks lie apart. */
static void learn_stack(struct scene *scene, const struct wire_step *wire) {
  uint32_t proc = wire->stack_of - 1;
  while (scene->stacks.size <= proc)
    VEC_PUSH(scene->stacks, ((struct known_stack){UINT64_MAX, 0}));
  struct known_stack *stack = &scene->stacks.at[proc];
  if (wire->addr < stack->low)
    stack->low = wire->addr;
  if (wire->addr > stack->high)
    stack->high = wire->addr;
}

static const char *stack_text(const struct scene *scene, uint64_t address) {
  for (uint32_t i = 0; i < scene->stacks.size; i++)
    if (scene->stacks.at[i].low <= address &&
        address <= scene->stacks.at[i].high)
      return texts_format(scene->texts, "the stack of %s",
                          scene_thread(scene, i));
  return 0;
}

const char *scene_data(struct scene *scene, uint64_t address, uint64_t size) {
  const char *name = source_variable(scene->source, address, size);
  const struct heap_object *object = name ? 0 : object_at(scene, address);
  if (object)
    return object_text(scene, object, address, size);
  const struct local_variable *local = name ? 0 : local_at(scene, address);
  if (local)
    return local_text(scene, local, address, size, true);
  return name ? name : stack_text(scene, address);
}

/* The local variable that was last at an address, though it has ended. */
static const struct local_variable *ended_local_at(const struct scene *scene,
                                                   uint64_t address) {
  return latest_local(scene, address, true);
}

/* A pointer to what has this name. */
static const char *reference(const struct scene *scene, const char *name) {
  return name ? texts_format(scene->texts, "&%s", name) : 0;
}

/* The name of an address in a value. */
static const char *pointer_name(void *context, uint64_t address,
                                uint64_t size) {
  struct scene *scene = context;
  for (size_t i = 0; i < scene->run->threads.size; i++)
    if (scene->run->threads.at[i].handle == address)
      return scene_thread(scene, scene->run->threads.at[i].proc);
  const struct heap_object *object = object_at(scene, address);
  if (object && object->start == address)
    return object->name;
  if (object)
    return reference(scene, object_text(scene, object, address, size));
  const struct local_variable *local = local_at(scene, address);
  if (!local)
    local = ended_local_at(scene, address);
  return reference(scene, local ? local_text(scene, local, address, size, true)
                                : scene_seen(scene, address));
}

/* ---- expressions of the source ------------------------------------------- */

/* Where the last part behind a pointer begins: the last "->" that stands in no
 * brackets, or NULL. */
static const char *last_arrow(const char *text) {
  const char *found = 0;
  int depth = 0;
  for (; *text; text++) {
    if (*text == '(' || *text == '[')
      depth++;
    else if (*text == ')' || *text == ']')
      depth--;
    else if (!depth && text[0] == '-' && text[1] == '>')
      found = text;
  }
  return found;
}

/* The expression, with the place that was really touched behind its last
 * pointer: "q->items[q->head]" is "q->items[2]".  The pointer leads to an
 * object of the type, or to an element of an array of it, and the bytes are so
 * far behind the start of the array. */
static const char *refined(struct scene *scene, const char *text,
                           const struct source_type *type, uint64_t distance,
                           uint64_t size) {
  struct source_part part;
  const char *arrow = last_arrow(text);
  uint64_t whole = type ? source_type_size(type) : 0;
  if (!whole)
    return text;
  if (source_type_is_open(type))
    whole = UINT64_MAX;
  source_part(scene->source, type, distance % whole, size ? size : 1,
              last_member(text), &part);
  if (!part.exact)
    return text;
  if (arrow && *part.path && *part.path != '[')
    return texts_format(scene->texts, "%.*s->%s", (int)(arrow - text), text,
                        part.path);
  if (*text == '*' && !strpbrk(text, "-[.(") && *part.path && *part.path != '[')
    return texts_format(scene->texts, "%s->%s", text + 1, part.path);
  size_t name = strcspn(text, "[.-*(");
  if (text[name] != '[' || !name || strchr(text + name, '>'))
    return text;
  return texts_format(scene->texts, "%.*s[%" PRIu64 "]%s%s", (int)name, text,
                      distance / whole,
                      *part.path && *part.path != '[' ? "." : "", part.path);
}

/* The same for the memory at an address, if what lies there has the type that
 * the source gives it. */
static const char *refined_at(struct scene *scene, const char *text,
                              const char *type, uint64_t address,
                              uint64_t size) {
  const struct heap_object *object = object_at(scene, address);
  const struct local_variable *local = object ? 0 : local_at(scene, address);
  if (object && object->type &&
      (!*type || !strcmp(type, source_type_name(object->type))))
    return refined(scene, text, object->type, address - object->start, size);
  if (local && local->type && !strcmp(type, source_type_name(local->type)))
    return refined(scene, text, local->type, address - local->start, size);
  return text;
}

/* Which argument of the call is meant?  A wait takes its mutex, the second one,
 * again.  Strings are compared with each other: the type tells. */
static unsigned which_argument(struct scene *scene, uint16_t op,
                               const struct source_call *call,
                               uint64_t address) {
  const struct heap_object *object = object_at(scene, address);
  if (op == OP_LOCK)
    return strstr(call->function, "wait") != 0;
  const char *type =
      object && object->type ? source_type_name(object->type) : "";
  return *type && strcmp(call->argument[0].type, type) &&
         !strcmp(call->argument[1].type, type);
}

const char *scene_argument(struct scene *scene, uint16_t op, uint64_t pc,
                           uint64_t address, uint64_t size) {
  const struct source_call *call = source_call(scene->source, pc);
  const struct heap_object *object = object_at(scene, address);
  if (!call)
    return 0;
  unsigned nth = which_argument(scene, op, call, address);
  const char *text = call->argument[nth].object;
  const char *type = call->argument[nth].type;
  if (!*text || !strcmp(text, "*NULL"))
    return 0;
  if (op_is(op, OPCLASS_BULK) && object &&
      (!object->type || strcmp(type, source_type_name(object->type))))
    return 0;
  return refined_at(scene, text, type, address, size);
}

/* ---- steps --------------------------------------------------------------- */

/* Streams have long names inside libc. */
static const char *stream_name(const char *name) {
  static const char *const streams[] = {"stdout", "stderr", "stdin"};
  for (size_t i = 0; i < sizeof streams / sizeof *streams; i++)
    if (strstr(name, streams[i]))
      return streams[i];
  return name;
}

/* A variable of the thread's own, named in the source by its name. */
static const char *own_local(struct scene *scene, const struct run_step *step) {
  const struct wire_step *wire = &step->wire;
  const struct local_variable *local = local_at(scene, wire->addr);
  if (!local || local->proc != wire->proc)
    return 0;
  size_t length = strlen(local->name);
  bool named = !*step->site.object ||
               (!strncmp(step->site.object, local->name, length) &&
                !strchr(step->site.object + length, '>'));
  return named ? local_text(scene, local, wire->addr, wire->size, false) : 0;
}

/* A global or static variable; the source tells members of a union apart. */
static const char *global_text(struct scene *scene,
                               const struct run_step *step) {
  struct source_part part;
  const struct wire_step *wire = &step->wire;
  const char *name = source_global_part(scene->source, wire->addr, wire->size,
                                        last_member(step->site.object), &part);
  return name ? name : source_variable(scene->source, wire->addr, wire->size);
}

/* The address tells most of a variable, down to the element.  Elsewhere the
 * source's expression says more. */
static const char *step_variable(struct scene *scene,
                                 const struct run_step *step,
                                 const struct heap_object *object) {
  const struct wire_step *wire = &step->wire;
  const char *name = global_text(scene, step);
  if (name)
    return wire->op == OP_OUTPUT ? stream_name(name) : name;
  if (wire->op == OP_FREE && object)
    return object->name;
  if (wire->op == OP_END && !*step->site.object)
    return wire->stack_of ? "its local variables"
                          : "its thread-local variables";
  if ((name = own_local(scene, step)))
    return name;
  if (*step->site.object)
    return refined_at(
        scene,
        texts_copy(scene->texts, step->site.object, strlen(step->site.object)),
        step->site.type, wire->addr, wire->size);
  if (op_is(wire->op, OPCLASS_OBJECT))
    name = scene_argument(scene, wire->op, wire->pc, wire->addr, 1);
  if (op_is(wire->op, OPCLASS_BULK))
    name = scene_argument(scene, wire->op, wire->pc, wire->addr, wire->size);
  if (!name)
    name = scene_data(scene, wire->addr, wire->size);
  return name ? name : texts_format(scene->texts, "0x%" PRIx64, wire->addr);
}

/* The type of what the step touches: of a variable or heap object. */
static bool step_part(struct scene *scene, const struct run_step *step,
                      const struct heap_object *object,
                      struct source_part *part) {
  const struct wire_step *wire = &step->wire;
  const struct local_variable *local = local_at(scene, wire->addr);
  const char *hint = last_member(step->site.object);
  if (source_global_part(scene->source, wire->addr, wire->size, hint, part))
    return true;
  if (object && object->type)
    return find_part(scene, object, wire->addr, wire->size, hint, part);
  if (local && local->type) {
    source_part(scene->source, local->type, wire->addr - local->start,
                wire->size, hint, part);
    return true;
  }
  return false;
}

/* A struct that is copied as a whole has no value of its own. */
static const char *value_text(struct scene *scene, const struct run_step *step,
                              const struct heap_object *object,
                              uint64_t value) {
  const struct wire_step *wire = &step->wire;
  struct source_part part;
  bool typed = step_part(scene, step, object, &part) && part.exact;
  return typed ? source_part_value(scene->source, &part, wire->size, value)
               : source_value(scene->source, wire->addr, wire->size, value);
}

/* Printable bytes in quotes; NULL if they are no text. */
static const char *quoted(const struct scene *scene, const char *bytes,
                          size_t size, size_t most) {
  struct text text = {0};
  size_t i = 0;
  for (; i < size && i < most && bytes[i]; i++) {
    unsigned char c = (unsigned char)bytes[i];
    if (c == '\n')
      text_print(&text, "\\n");
    else if (c == '\t')
      text_print(&text, "\\t");
    else if (c == '"' || c == '\\')
      text_print(&text, "\\%c", c);
    else if (c < ' ' || c == 0x7f)
      break;
    else
      text_add(&text, bytes + i, 1);
  }
  bool is_text = i && (i == size || i == most || !bytes[i]);
  const char *made =
      is_text ? texts_format(scene->texts, "\"%.*s\"%s", (int)text.size,
                             text.at, i == most && i < size ? "..." : "")
              : 0;
  VEC_FREE(text);
  return made;
}

/* "wakes T1 worker" */
static const char *woken_text(const struct scene *scene, uint64_t woken) {
  struct text text = {0};
  for (uint32_t i = 0; i < 64; i++)
    if (woken >> i & 1)
      text_print(&text, "%s%s", text.size ? ", " : "wakes ",
                 scene_thread(scene, i));
  const char *made = text.size ? texts_copy(scene->texts, text.at, text.size)
                               : "wakes no thread";
  VEC_FREE(text);
  return made;
}

/* Memory that was never written has no value worth telling. */
static bool is_fresh(const struct scene *scene, const struct wire_step *wire) {
  enum { FEWEST_BYTES = 2 }; /* a single such byte may be the program's */
  if (!wire->block || wire->size < FEWEST_BYTES || wire->size > 8)
    return false;
  for (uint32_t i = 0; i < wire->size; i++)
    if ((int)(wire->old >> 8 * i & 0xff) != scene->fill)
      return false;
  return true;
}

static void name_values(struct scene *scene, const struct run_step *step,
                        const struct heap_object *object,
                        struct result_step *out) {
  const struct wire_step *wire = &step->wire;
  enum { SHOWN = 40 };
  if (wire->op == OP_OUTPUT)
    out->value = quoted(scene, step->printed.at, step->printed.size, SHOWN);
  if (wire->op == OP_SIGNAL || wire->op == OP_BROADCAST)
    out->value = woken_text(scene, wire->woken);
  if (wire->text)
    out->value = quoted(scene, step->text, wire->text, SHOWN);
  if (!wire->has_value || !op_has_value(wire->op))
    return;
  out->value = value_text(scene, step, object, wire->value);
  if (op_table[wire->op].access != OPACCESS_READS && !wire->failed &&
      !is_fresh(scene, wire))
    out->before = value_text(scene, step, object, wire->old);
}

static bool wire_is_text(const struct wire_step *wire, const char *value) {
  return wire->text && value;
}

/* A string is named as a whole: "c->user", not "c->user[0..3]". */
static const char *without_range(const struct scene *scene, const char *name) {
  size_t length = strlen(name);
  const char *open = length && name[length - 1] == ']' ? strrchr(name, '[') : 0;
  bool is_start = open && (!strncmp(open, "[0..", 4) || !strcmp(open, "[0]"));
  return is_start ? texts_copy(scene->texts, name, (size_t)(open - name))
                  : name;
}

void scene_name_step(struct scene *scene, size_t position,
                     struct result_step *out) {
  const struct run_step *step = &scene->run->steps.at[position];
  const struct heap_object *object =
      step->wire.block ? object_at(scene, step->wire.addr) : 0;
  scene->step = position;
  if (step->wire.op == OP_INPUT)
    out->value =
        texts_format(scene->texts, "%" PRId64, (int64_t)step->wire.value);
  if (!step->wire.addr) { /* through a null pointer */
    if (op_is_of_data(step->wire.op) && *step->site.object)
      out->variable = texts_copy(scene->texts, step->site.object,
                                 strlen(step->site.object));
    return;
  }
  out->variable = step_variable(scene, step, object);
  if (object) {
    out->object = object->name;
    out->several = object->several;
  }
  name_values(scene, step, object, out);
  if (wire_is_text(&step->wire, out->value))
    out->variable = without_range(scene, out->variable);
}

/* ---- all of it ----------------------------------------------------------- */

void scene_open(struct scene *scene, struct source_lines *source,
                struct texts *texts, const struct run *run) {
  *scene =
      (struct scene){.source = source, .texts = texts, .run = run, .fill = -1};
  source_name_by(source, pointer_name, scene);
  add_locals(scene);
  learn_seen(scene);
  for (size_t i = 0; i < run->steps.size; i++) {
    const struct wire_step *wire = &run->steps.at[i].wire;
    add_object(scene, wire->block, wire->block_size, wire->block_pc);
    learn_type(scene, &run->steps.at[i]);
    add_object(scene, wire->pointed, wire->pointed_size, wire->pointed_pc);
    if (wire->stack_of)
      learn_stack(scene, wire);
    if (wire->op == OP_END)
      end_locals(scene, wire, i);
  }
  name_objects(scene);
  scene->step = run->steps.size;
}

void scene_close(struct scene *scene) {
  source_name_by(scene->source, 0, 0);
  VEC_FREE(scene->objects);
  VEC_FREE(scene->locals);
  VEC_FREE(scene->stacks);
  VEC_FREE(scene->seen);
}
