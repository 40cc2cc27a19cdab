#define _GNU_SOURCE
#include "fuzz/template.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "util/ensure.h"

/* ---- text ------------------------------------------------------------------
 */

static void add_bytes(text_buffer *to, const char *bytes, size_t length) {
  VEC_RESERVE(*to, length);
  memcpy(to->at + to->size, bytes, length);
  to->size += length;
}

void buffer_add(text_buffer *to, const char *format, ...) {
  char *text;
  va_list list;
  va_start(list, format);
  int length = vasprintf(&text, format, list);
  va_end(list);
  ensure(length >= 0);
  if (length)
    add_bytes(to, text, (size_t)length);
  free(text);
}

char *buffer_take(text_buffer *buffer) {
  char *text = strndup(buffer->size ? buffer->at : "", buffer->size);
  ensure(text);
  VEC_FREE(*buffer);
  return text;
}

/* ---- memory orders ---------------------------------------------------------
 */

static const char *const load_orders[] = {"SEQ_CST", "ACQUIRE", "RELAXED",
                                          "CONSUME"};
static const char *const store_orders[] = {"SEQ_CST", "RELEASE", "RELAXED"};
static const char *const modify_orders[] = {"SEQ_CST", "ACQ_REL", "ACQUIRE",
                                            "RELEASE", "RELAXED"};
static const char *const failure_orders[] = {"SEQ_CST", "ACQUIRE", "ACQUIRE",
                                             "RELAXED", "RELAXED"};

static void add_order(text_buffer *to, const char *order, bool builtin) {
  buffer_add(to, "%s", builtin ? "__ATOMIC_" : "memory_order_");
  for (; *order; order++)
    VEC_PUSH(*to, (char)(builtin || *order == '_' ? *order : *order + 32));
}

/* A failed compare-exchange must not have the stronger order. */
static void add_orders(const struct template_context *c, char kind,
                       bool builtin, text_buffer *to) {
  uint32_t most = kind == 'l' ? 4 : kind == 's' ? 3 : 5;
  uint32_t which = c->weak ? rng_below(c->rng, most) : 0;
  const char *const *orders = kind == 'l'   ? load_orders
                              : kind == 's' ? store_orders
                                            : modify_orders;
  add_order(to, orders[which], builtin);
  if (kind != 'p')
    return;
  buffer_add(to, ", ");
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
                   const char *end, text_buffer *to);

/* Behind "@(": adds one alternative and returns what follows "@)". */
static const char *expand_choice(const struct template_context *c,
                                 const char *from, text_buffer *to) {
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
                                 const char *from, text_buffer *to) {
  char kind = *from++;
  if (kind == '(')
    return expand_choice(c, from, to);
  if (kind == '@')
    buffer_add(to, "`%u_", c->number);
  else if (kind == 'n')
    buffer_add(to, "%u", rng_between(c->rng, 1, 4));
  else if (kind == 'X')
    buffer_add(to, "%s", c->object);
  else if (strchr("lsrp", kind))
    add_orders(c, kind, false, to);
  else
    add_orders(c, (char)(kind + 32), true, to);
  return from;
}

static void expand(const struct template_context *c, const char *from,
                   const char *end, text_buffer *to) {
  while (from < end)
    if (*from == '@')
      from = expand_escape(c, from + 1, to);
    else
      VEC_PUSH(*to, *from++);
}

void template_expand(const struct template_context *c, const char *from,
                     text_buffer *to) {
  expand(c, from, from + strlen(from), to);
}

char *template_text(const struct template_context *c, const char *from) {
  text_buffer text = {0};
  template_expand(c, from, &text);
  return buffer_take(&text);
}
