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

/* Functions with inline assembly that touches memory, or with accesses of a
 * size that has no hook: name and place of each, with a NUL after both. Objects
 * made by `heddle cc` have this section if they contain any. */
extern const char __start_heddle_asm[]
    __attribute__((weak, visibility("hidden")));
extern const char __stop_heddle_asm[]
    __attribute__((weak, visibility("hidden")));

static void refuse_assembly(void) {
  const char *place;
  for (const char *name = __start_heddle_asm; name < __stop_heddle_asm;
       name = place + strlen(place) + 1) {
    place = name + strlen(name) + 1;
    if (!external_allowed(name))
      refuse("%s: inline assembly, or an access of unusual size (long double, "
             "an odd bit-field, a wide vector): heddle does not see what it "
             "does to memory; use C11 atomics or another type, or allow it "
             "with --allow-external=%s",
             place, name);
  }
}

void external_start(void) {
  refuse_assembly();
  const char *name = heddle_unseen;
  for (; name && *name; name += strlen(name) + 1)
    if (!external_allowed(name))
      refuse("the program contains %s, which was not compiled by heddle cc: "
             "heddle does not see what its code does; allow it with "
             "--allow-external=%s",
             name, name);
}
