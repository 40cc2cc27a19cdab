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
  size_t number; /* of the argument: %1$s; 0: the next one */
  size_t width_number, precision_number; /* of *1$ */
  bool wide_width;                       /* the width is an argument */
  bool wide_precision;                   /* the precision is an argument */
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

/* 1$; 0: there is no such number. */
static const char *read_argument(const char *s, size_t *number) {
  const char *behind = read_number(s, number);
  if (*behind == '$')
    return behind + 1;
  *number = 0;
  return s;
}

/* Flags, width, precision and length; returns the place behind the kind. */
static const char *read_conversion(const char *s, struct conversion *c) {
  size_t width;
  *c = (struct conversion){.kind = 0};
  s = read_argument(s, &c->number);
  while (*s == '-' || *s == '+' || *s == ' ' || *s == '#' || *s == '0' ||
         *s == '\'' || *s == 'I')
    s++;
  if (*s == '*')
    c->wide_width = true, s = read_argument(s + 1, &c->width_number);
  else
    s = read_number(s, &width);
  if (*s == '.') {
    c->has_precision = true;
    if (*++s == '*')
      c->wide_precision = true, s = read_argument(s + 1, &c->precision_number);
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

/* With a precision of bytes: each character has one, or is an error. */
static void visit_wide_string(struct walk *w, const wchar_t *s, size_t most) {
  if (is_constant(s))
    return;
  if (w->announced) {
    w->announced->op.flags |= STEP_BLOCK;
    libcall_read(w->announced, s, sizeof *s);
  } else
    touched(w->running, s,
            string_extent(wide_length(s, most), most) * sizeof *s);
}

static void visit_string(struct walk *w, const struct conversion *c,
                         const char *s) {
  size_t most = c->has_precision ? c->precision : SIZE_MAX;
  if (!s || !most)
    return;
  if (c->length == 'l' || c->kind == 'S') {
    visit_wide_string(w, (const wchar_t *)(const void *)s, most);
    return;
  }
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
  case 'S':
    visit_string(w, c, va_arg(w->arguments, const char *));
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

/* ---- numbered arguments: %2$s %1$d --------------------------------------- */

enum { MOST_NUMBERED = 32 };

/* prog: what the format says of each argument, and its value. */
struct numbered_arguments {
  char type[MOST_NUMBERED + 1]; /* i, l, d, D or p */
  uint64_t value[MOST_NUMBERED + 1];
};

static void set_type(struct numbered_arguments *n, size_t number, char type) {
  if (number > MOST_NUMBERED)
    refuse("printf with more than %d numbered arguments is not supported",
           MOST_NUMBERED);
  n->type[number] = type;
}

static char type_of(const struct conversion *c) {
  switch (c->kind) {
  case 's':
  case 'S':
  case 'p':
    return 'p';
  case 'a':
  case 'A':
  case 'e':
  case 'E':
  case 'f':
  case 'F':
  case 'g':
  case 'G':
    return c->length == 'L' ? 'D' : 'd';
  default:
    return c->length == 'l' ? 'l' : 'i';
  }
}

static void find_types(struct numbered_arguments *n, const char *format) {
  struct conversion c;
  while (*format) {
    if (*format++ != '%')
      continue;
    format = read_conversion(format, &c);
    if (c.kind == 'n')
      refuse("printf with the conversion %%n is not supported");
    set_type(n, c.number, type_of(&c));
    set_type(n, c.width_number, 'i');
    set_type(n, c.precision_number, 'i');
  }
}

static void take_values(struct numbered_arguments *n, struct walk *w) {
  size_t count = MOST_NUMBERED;
  while (count && !n->type[count])
    count--;
  for (size_t i = 1; i <= count; i++)
    if (n->type[i] == 'd')
      (void)va_arg(w->arguments, double);
    else if (n->type[i] == 'D')
      (void)va_arg(w->arguments, long double);
    else if (n->type[i] == 'p' || n->type[i] == 'l')
      n->value[i] = va_arg(w->arguments, uint64_t);
    else
      n->value[i] = (uint64_t)va_arg(w->arguments, int);
}

static void walk_numbered(struct walk *w, const char *format) {
  struct numbered_arguments n = {{0}, {0}};
  struct conversion c;
  find_types(&n, format);
  take_values(&n, w);
  while (*format) {
    if (*format++ != '%')
      continue;
    format = read_conversion(format, &c);
    if (c.precision_number) {
      c.has_precision = (int)n.value[c.precision_number] >= 0;
      c.precision = n.value[c.precision_number];
    }
    if (c.kind == 's' || c.kind == 'S')
      visit_string(w, &c, (const char *)(uintptr_t)n.value[c.number]);
  }
}

static void walk(struct walk *w, const char *format) {
  struct conversion c;
  const char *begin = format;
  while (*format) {
    if (*format++ != '%')
      continue;
    format = read_conversion(format, &c);
    if (c.number) {
      walk_numbered(w, begin);
      return;
    }
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
