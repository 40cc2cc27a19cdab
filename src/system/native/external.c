/* Decides about calls of functions that the runtime does not know. */
#define _GNU_SOURCE
#include "external.h"

#include <string.h>
#include <unistd.h>

#include "native.h"
#include "plain.h"
#include "real.h"

/* libc's own names for what looking up a name may call. */
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

/* A function that the runtime interposes.  What the loader calls before there
 * is an environment is decided anew the next time. */
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

/* At once: what the first call leaves on the stack would show. */
static void bind_entries(void) {
  for (struct external *e = entries_begin; e < entries_end; e++)
    e->real = e->checked;
}

void *external_call(struct external *function) {
  if (function->checked)
    return interposed(function);
  if (!external_allowed(function->name))
    refuse("call of %s, which heddle does not know: it could change memory or "
           "wait without heddle seeing it; allow it with --allow-external=%s",
           function->name, function->name);
  function->real = real_lookup(function->name);
  if (!function->real)
    refuse("call of %s, which no loaded library defines", function->name);
  return function->real;
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

static void refuse_unseen_code(void) {
  const char *place, *reason;
  for (const char *name = __start_heddle_refused; name < __stop_heddle_refused;
       name = after(reason)) {
    place = after(name);
    reason = after(place);
    if (!external_allowed(name))
      refuse("%s: %s: heddle does not see what it does to memory; allow it "
             "with --allow-external=%s",
             place, reason, name);
  }
}

void external_start(void) {
  bind_entries();
  refuse_unseen_code();
  const char *name = heddle_unseen;
  for (; name && *name; name += strlen(name) + 1)
    if (!external_allowed(name))
      refuse("the program contains %s, which was not compiled by heddle cc: "
             "heddle does not see what its code does; allow it with "
             "--allow-external=%s",
             name, name);
}
