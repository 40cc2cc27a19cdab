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

/* The link defines another one where it has something to say: the names, a NUL
 * after each, and an empty one at the end. */
extern const char heddle_unseen[];
__attribute__((weak, visibility("default"))) const char heddle_unseen[] = "";

void external_start(void) {
  for (const char *name = heddle_unseen; *name; name += strlen(name) + 1)
    if (!external_allowed(name))
      refuse("the program contains %s, which was not compiled by heddle cc: "
             "heddle does not see what its code does; allow it with "
             "--allow-external=%s",
             name, name);
}
