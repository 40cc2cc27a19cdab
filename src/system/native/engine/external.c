/* Decides about calls of functions that the runtime does not know. */
#define _GNU_SOURCE
#include "external.h"

#include <string.h>
#include <unistd.h>

#include "engine.h"
#include "system/native/plain/plain.h"
#include "system/native/base/real.h"

/* libc's own names for functions that the search for a name may call. */
void *__libc_malloc(size_t);
void *__libc_calloc(size_t, size_t);
void *__libc_realloc(void *, size_t);
void __libc_free(void *);

static void *allocator(const char *name) {
  static const struct {
    const char *name;
    void *function;
  } all[] = {{"malloc", (void *)__libc_malloc},
             {"calloc", (void *)__libc_calloc},
             {"realloc", (void *)__libc_realloc},
             {"free", (void *)__libc_free}};
  for (size_t i = 0; i < sizeof all / sizeof *all; i++)
    if (!strcmp(name, all[i].name))
      return all[i].function;
  return NULL;
}

/* A function that the runtime interposes.  The loader may call it before there
 * is an environment; the next call then decides anew. */
static void *interposed(struct external *function) {
  if (!running_plain())
    return function->real = function->checked;
  void *target = function->plain ? function->plain : allocator(function->name);
  if (!target)
    target = real_lookup(function->name);
  if (environ)
    function->real = target;
  return target;
}

extern struct external entries_begin[] __attribute__((visibility("hidden")));
extern struct external entries_end[] __attribute__((visibility("hidden")));

/* Binds all entries at the start.  A lookup in the first call would leave bytes
 * on the stack that show. */
static void bind_entries(void) {
  for (struct external *e = entries_begin; e < entries_end; e++)
    e->real = e->checked;
}

/* In the order of the records; written by scripts/interpose. */
extern const char *const entry_codes[] __attribute__((visibility("hidden")));

const char *external_entry(const char *name) {
  for (const struct external *e = entries_begin; e < entries_end; e++) {
    const char *code = entry_codes[e - entries_begin];
    if (!strcmp(e->name, name))
      return module_is_program((uintptr_t)code) ? NULL : code;
  }
  return NULL;
}

static const char *all_others(void) {
  static char text[12000]; /* keep */
  mentions_list(text, sizeof text);
  return text;
}

#define ALL "\nall that the program mentions and heddle refuses:%s"

void external_refuse(const char *name, const char *instead) {
  refuse("call of %s is not supported: %s" ALL, name, instead, all_others());
}

static _Noreturn void refuse_call(const struct external *function) {
  refuse("call of %s, which heddle does not know: it could change memory or "
         "wait without heddle seeing it; allow it with --allow-external=%s" ALL,
         function->name, function->name, all_others());
}

/* The record belongs to the program's memory: an address that the first call
 * left in it would be a change that no undo takes back. */
static void *lookup(struct external *function) {
  static struct {
    const struct external *function;
    void *real;
  } known[64]; /* keep */
  size_t slot = (uintptr_t)function / sizeof *function % 64;
  if (running_plain())
    return function->real = real_lookup(function->name);
  if (known[slot].function != function) {
    known[slot].real = real_lookup(function->name);
    known[slot].function = function;
  }
  return known[slot].real;
}

void *external_call(struct external *function) {
  if (function->checked)
    return interposed(function);
  if (!external_allowed(function->name))
    refuse_call(function);
  void *real = lookup(function);
  if (!real)
    refuse("call of %s, which no loaded library defines", function->name);
  return real;
}

/* ---- code that is not seen ----------------------------------------------- */

struct lines {
  char text[4000]; /* what does not fit is cut */
  size_t length;
};

static void lines_add(struct lines *, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
static void lines_add(struct lines *l, const char *format, ...) {
  va_list arguments;
  size_t room = sizeof l->text - l->length;
  if (l->length && room > 1) {
    l->text[l->length++] = '\n';
    room--;
  }
  va_start(arguments, format);
  int more = real_vsnprintf(l->text + l->length, room, format, arguments);
  va_end(arguments);
  l->length += (size_t)more < room ? (size_t)more : room - 1;
}

/* Files that were not compiled by `heddle cc`, a NUL after each and an empty
 * name at the end.  The link defines it if there are any. */
extern const char heddle_unseen[] __attribute__((weak, visibility("default")));

/* Code that the instrumenter could not hook: see HOOK_REFUSED_SECTION. */
extern const char __start_heddle_refused[]
    __attribute__((weak, visibility("hidden")));
extern const char __stop_heddle_refused[]
    __attribute__((weak, visibility("hidden")));

static const char *after(const char *string) {
  return string + strlen(string) + 1;
}

/* One line for each. */
static void list_unhooked_code(struct lines *l) {
  const char *place, *reason;
  for (const char *name = __start_heddle_refused; name < __stop_heddle_refused;
       name = after(reason)) {
    place = after(name);
    reason = after(place);
    if (!external_allowed(name))
      lines_add(l,
                "%s: %s: heddle does not see what it does to memory; allow it "
                "with --allow-external=%s",
                place, reason, name);
  }
}

static void list_unseen_files(struct lines *l) {
  const char *name = heddle_unseen;
  for (; name && *name; name = after(name))
    if (!external_allowed(name))
      lines_add(l,
                "the program contains %s, which was not compiled by heddle cc: "
                "heddle does not see what its code does; allow it with "
                "--allow-external=%s",
                name, name);
}

/* What is refused anyway, or with --refuse=mentioned: then all at once. */
void external_start(void) {
  static struct lines refused; /* keep */
  bind_entries();
  list_unhooked_code(&refused);
  list_unseen_files(&refused);
  bool mentioned = engine.control->options.refuse == REFUSE_MENTIONED;
  const char *others = refused.length || mentioned ? all_others() : "";
  if (refused.length && *others)
    refuse("%s" ALL, refused.text, others);
  if (refused.length)
    refuse("%s", refused.text);
  if (*others)
    refuse("functions that heddle refuses are mentioned:%s", others);
}
