#define _GNU_SOURCE
#include "fuzz/c/template.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "util/ensure.h"

/* ---- memory orders ---------------------------------------------------------
 */

static const char *const load_orders[] = {"SEQ_CST", "ACQUIRE", "RELAXED",
                                          "CONSUME"};
static const char *const store_orders[] = {"SEQ_CST", "RELEASE", "RELAXED"};
static const char *const modify_orders[] = {"SEQ_CST", "ACQ_REL", "ACQUIRE",
                                            "RELEASE", "RELAXED"};
static const char *const failure_orders[] = {"SEQ_CST", "ACQUIRE", "ACQUIRE",
                                             "RELAXED", "RELAXED"};

static void add_order(struct text *to, const char *order, bool builtin) {
  text_print(to, "%s", builtin ? "__ATOMIC_" : "memory_order_");
  for (; *order; order++)
    VEC_PUSH(*to, (char)(builtin || *order == '_' ? *order : *order + 32));
}

/* A failed compare-exchange must not have the stronger order. */
static void add_orders(const struct template_context *c, char kind,
                       bool builtin, struct text *to) {
  uint32_t most = kind == 'l' ? 4 : kind == 's' ? 3 : 5;
  uint32_t which = c->weak ? rng_below(c->rng, most) : 0;
  const char *const *orders = kind == 'l'   ? load_orders
                              : kind == 's' ? store_orders
                                            : modify_orders;
  add_order(to, orders[which], builtin);
  if (kind != 'p')
    return;
  text_print(to, ", ");
  add_order(to, failure_orders[which], builtin);
}

/* ---- templates -------------------------------------------------------------
 */

/* The end of the alternative that begins here: at its @| or @). */
static const char *alternative_end(const char *at) {
  unsigned depth = 0;
  for (;; at++) {
    ensure(*at);
    if (*at != '@')
      continue;
    at++;
    if (*at == '(')
      depth++;
    else if (*at == ')' && !depth--)
      return at - 1;
    else if (*at == '|' && !depth)
      return at - 1;
  }
}

static void expand(const struct template_context *, const char *from,
                   const char *end, struct text *to);

/* Behind "@(": adds one alternative and returns what follows "@)". */
static const char *expand_choice(const struct template_context *c,
                                 const char *from, struct text *to) {
  const char *begins[16], *ends[16];
  uint32_t count = 0;
  for (;;) {
    ensure(count < 16);
    begins[count] = from;
    from = ends[count++] = alternative_end(from);
    from += 2;
    if (from[-1] == ')')
      break;
  }
  uint32_t which = rng_below(c->rng, count);
  expand(c, begins[which], ends[which], to);
  return from;
}

static const char *expand_escape(const struct template_context *c,
                                 const char *from, struct text *to) {
  char kind = *from++;
  if (kind == '(')
    return expand_choice(c, from, to);
  if (kind == '@')
    text_print(to, "`%u_", c->number);
  else if (kind == 'n')
    text_print(to, "%u", rng_between(c->rng, 1, 4));
  else if (kind == 'X')
    text_print(to, "%s", c->object);
  else if (strchr("lsrp", kind))
    add_orders(c, kind, false, to);
  else
    add_orders(c, (char)(kind + 32), true, to);
  return from;
}

static void expand(const struct template_context *c, const char *from,
                   const char *end, struct text *to) {
  while (from < end)
    if (*from == '@')
      from = expand_escape(c, from + 1, to);
    else
      VEC_PUSH(*to, *from++);
}

void template_expand(const struct template_context *c, const char *from,
                     struct text *to) {
  expand(c, from, from + strlen(from), to);
}

char *template_text(const struct template_context *c, const char *from) {
  struct text text = {0};
  template_expand(c, from, &text);
  return text_take(&text);
}
