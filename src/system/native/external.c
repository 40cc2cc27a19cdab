/* Decides about calls of functions that the runtime does not know. */
#include "external.h"

#include <string.h>

#include "native.h"
#include "real.h"

void *external_call(struct external *function) {
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
  refuse_unseen_code();
  const char *name = heddle_unseen;
  for (; name && *name; name += strlen(name) + 1)
    if (!external_allowed(name))
      refuse("the program contains %s, which was not compiled by heddle cc: "
             "heddle does not see what its code does; allow it with "
             "--allow-external=%s",
             name, name);
}
