/* What printf reads: the strings that its format names.
 *
 * The format is parsed only to find them and to step over the other arguments;
 * the formatting is left to the real vsnprintf.
 */
#include "libc.h"

#include <stdlib.h>
#include <wchar.h>

#include "util/ensure.h"

/* One conversion: the characters behind a percent sign. */
struct conversion {
  bool wide_width;     /* the width is an argument */
  bool wide_precision; /* the precision is an argument */
  bool has_precision;
  size_t precision;
  char length; /* one of h l L, with ll j z t q as l; 0: none */
  char kind;
};

static const char *read_number(const char *s, size_t *number) {
  for (*number = 0; *s >= '0' && *s <= '9'; s++)
    *number = *number * 10 + (size_t)(*s - '0');
  return s;
}

static const char *read_length(const char *s, char *length) {
  static const char as[] = "hhllLLjlzltlqlZl"; /* pairs: modifier, kind */
  for (*length = 0;; s++) {
    const char *found = as;
    while (*found && *found != *s)
      found += 2;
    if (!*s || !*found)
      return s;
    *length = found[1];
  }
}

/* Flags, width, precision and length; returns the place behind the kind. */
static const char *read_conversion(const char *s, struct conversion *c) {
  size_t width;
  *c = (struct conversion){.kind = 0};
  while (*s == '-' || *s == '+' || *s == ' ' || *s == '#' || *s == '0' ||
         *s == '\'' || *s == 'I')
    s++;
  if (*s == '*')
    c->wide_width = true, s++;
  else
    s = read_number(s, &width);
  if (*s == '$')
    refuse("printf with numbered arguments (%%1$s) is not supported");
  if (*s == '.') {
    c->has_precision = true;
    if (*++s == '*')
      c->wide_precision = true, s++;
    else
      s = read_number(s, &c->precision);
  }
  s = read_length(s, &c->length);
  c->kind = *s;
  return *s ? s + 1 : s;
}

/* prog: a walk over the arguments. */
struct walk {
  va_list arguments;
  struct libcall *announced;     /* announce the strings here ... */
  const struct libcall *running; /* ... or report them as read */
};

static void visit_string(struct walk *w, const struct conversion *c) {
  const char *s = va_arg(w->arguments, const char *);
  size_t most = c->has_precision ? c->precision : SIZE_MAX;
  if (c->length == 'l')
    refuse("printf of wide strings (%%ls) is not supported");
  if (!s || !most)
    return;
  if (w->announced)
    libcall_string(w->announced, s, most);
  else if (!is_constant(s))
    touched(w->running, s, string_extent(string_length(s, most), most));
}

static void visit_number(struct walk *w, const struct conversion *c) {
  if (c->length == 'l')
    (void)va_arg(w->arguments, long); /* long long, size_t, ... as well */
  else
    (void)va_arg(w->arguments, int);
}

static void visit_real(struct walk *w, const struct conversion *c) {
  if (c->length == 'L')
    (void)va_arg(w->arguments, long double);
  else
    (void)va_arg(w->arguments, double);
}

static void visit_sizes(struct walk *w, struct conversion *c) {
  if (c->wide_width)
    (void)va_arg(w->arguments, int);
  if (c->wide_precision) {
    int precision = va_arg(w->arguments, int);
    c->has_precision = precision >= 0; /* negative: as if there were none */
    c->precision = precision < 0 ? 0 : (size_t)precision;
  }
}

static void visit(struct walk *w, struct conversion *c) {
  visit_sizes(w, c);
  switch (c->kind) {
  case 'd':
  case 'i':
  case 'o':
  case 'u':
  case 'x':
  case 'X':
    visit_number(w, c);
    break;
  case 'c':
  case 'C':
    (void)va_arg(w->arguments, wint_t);
    break;
  case 'a':
  case 'A':
  case 'e':
  case 'E':
  case 'f':
  case 'F':
  case 'g':
  case 'G':
    visit_real(w, c);
    break;
  case 's':
    visit_string(w, c);
    break;
  case 'p':
    (void)va_arg(w->arguments, void *);
    break;
  case 'm':
  case '%':
    break;
  default:
    refuse("printf with the conversion %%%c is not supported", c->kind);
  }
}

static void walk(struct walk *w, const char *format) {
  struct conversion c;
  while (*format) {
    if (*format++ != '%')
      continue;
    format = read_conversion(format, &c);
    visit(w, &c);
  }
}

/* A format that is no constant can be read only when the step is taken. */
void format_announce(struct libcall *e, const char *format, va_list arguments) {
  if (!is_constant(format)) {
    libcall_string(e, format, SIZE_MAX);
    return;
  }
  struct walk w = {.announced = e};
  va_copy(w.arguments, arguments);
  walk(&w, format);
  va_end(w.arguments);
}

void format_touch(const struct libcall *e, const char *format,
                  va_list arguments) {
  if (!is_constant(format))
    touched(e, format, string_length(format, SIZE_MAX) + 1);
  if (!(e->op.flags & STEP_BLOCK))
    return; /* it reads only constants */
  struct walk w = {.running = e};
  va_copy(w.arguments, arguments);
  walk(&w, format);
  va_end(w.arguments);
}

/* keep */
static char *buffer;
static size_t capacity;

static int format_once(const char *format, va_list arguments) {
  va_list copy;
  va_copy(copy, arguments);
  foreign_enter();
  int length = real_vsnprintf(buffer, capacity, format, copy);
  foreign_leave();
  va_end(copy);
  return length;
}

/* -1 in *length: vsnprintf refused it and set errno. */
const char *format_text(const char *format, va_list arguments, size_t *length) {
  int needed = format_once(format, arguments);
  if (needed >= 0 && (size_t)needed >= capacity) {
    capacity = (size_t)needed + 256;
    free(buffer);
    buffer = malloc(capacity);
    ensure(buffer); /* out of memory */
    format_once(format, arguments);
  }
  *length = (size_t)needed;
  return needed < 0 ? NULL : buffer;
}
