/* Templates: C text with random choices in it, from which pieces of programs
 * are made.
 *
 *   @(a@|b@|c@)   one of these, which may contain choices again
 *   @n            a number from 1 to 4
 *   @X            the object, as the thread that runs the text reaches it
 *   @@            the beginning of all names of this object; @@T is its type
 *   @l @s @r @p   a memory order for a load, a store, a modification; two for a
 *                 compare-exchange.  @L @S @R @P: the same for builtins
 *
 * Names begin with a backquote, which is replaced with the program's prefix
 * when the program is printed: many programs go into one file. */
#ifndef FUZZ_C_TEMPLATE_H
#define FUZZ_C_TEMPLATE_H

#include "util/rng.h"
#include "util/text.h"
#include "util/vec.h"

struct template_context {
  struct rng *rng;
  const char *object; /* for @X */
  unsigned number;    /* of the object, for @@ */
  bool weak;          /* memory orders other than seq_cst may come, too */
};

/* Appends the text; no 0 comes after it. */
void template_expand(const struct template_context *, const char *from,
                     struct text *to);

/* A new string. */
char *template_text(const struct template_context *, const char *from);

#endif
