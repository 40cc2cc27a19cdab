/* sscanf: values from strings.
 *
 * The format is parsed to find what it makes the function write; the scanning
 * is left to the real vsscanf.  Numbers go straight to the program's variables,
 * which the step has announced.  How long a string is becomes known by scanning
 * only, so it goes to a buffer first.  A variable that is not reached counts as
 * written, too: a footprint that is too large is never wrong.
 */
#define _GNU_SOURCE
#include "libc.h"

#include <stdlib.h>
#include <string.h>

#include "util/text.h"
#include "util/vec.h"

/* These, the string and the format fit into a struct libcall. */
enum { MOST_TARGETS = LIBCALL_ACCESSES - 2 };

enum target_kind {
  TARGET_VALUE,  /* so many bytes */
  TARGET_STRING, /* a string, which goes to a buffer first */
  TARGET_BLOCK,  /* the address of a new block with a string: %ms */
};

/* prog */
struct target {
  enum target_kind kind;
  char *to;
  size_t size;
  int position; /* among the values that are counted; -1: %n */
};

/* prog */
struct targets {
  size_t count;
  int counted;
  struct target at[MOST_TARGETS];
};

/* ---- the format ---------------------------------------------------------- */

/* One conversion: what stands behind a percent sign. */
struct directive {
  bool ignored; /* %*d */
  bool allocate;
  size_t width; /* 0: none */
  char length;  /* H for hh, q for ll; 0: none */
  char kind;
};

static const char *read_length(const char *s, char *length) {
  *length = 0;
  while (*s && strchr("hlLqjzt", *s)) {
    *length = *length == 'h' ? 'H' : *length == 'l' ? 'q' : *s;
    s++;
  }
  return s;
}

/* Behind the set of %[...]. */
static const char *skip_set(const char *s) {
  if (*s == '^')
    s++;
  if (*s == ']')
    s++;
  while (*s && *s != ']')
    s++;
  return *s ? s + 1 : s;
}

static const char *read_directive(const char *s, struct directive *d) {
  *d = (struct directive){.ignored = *s == '*'};
  s += d->ignored;
  for (; (*s >= '0' && *s <= '9') || *s == '\'' || *s == 'I'; s++)
    if (*s >= '0' && *s <= '9')
      d->width = d->width * 10 + (size_t)(*s - '0');
  if (*s == '$')
    refuse("scanf with numbered arguments (%%1$d) is not supported");
  d->allocate = *s == 'm';
  s = read_length(s + d->allocate, &d->length);
  d->kind = *s;
  if (!*s)
    return s;
  return *s == '[' ? skip_set(s + 1) : s + 1;
}

static size_t integer_size(char length) {
  switch (length) {
  case 'H':
    return 1;
  case 'h':
    return 2;
  case 0:
    return 4;
  default:
    return 8;
  }
}

static size_t floating_size(char length) {
  if (length == 'L' || length == 'q')
    return sizeof(long double);
  return length ? sizeof(double) : sizeof(float);
}

static size_t size_of(const struct directive *d) {
  switch (d->kind) {
  case 'c':
    return d->width ? d->width : 1;
  case 'p':
    return sizeof(void *);
  case 'a':
  case 'A':
  case 'e':
  case 'E':
  case 'f':
  case 'F':
  case 'g':
  case 'G':
    return floating_size(d->length);
  default:
    return integer_size(d->length);
  }
}

static enum target_kind kind_of(const struct directive *d) {
  bool text = strchr("sc[", d->kind) != NULL;
  if (d->kind == 'C' || d->kind == 'S' || (text && d->length))
    refuse("scanf of wide strings (%%ls) is not supported");
  if (d->allocate && d->kind == 'c')
    refuse("scanf with %%mc is not supported");
  if (!text || d->kind == 'c')
    return TARGET_VALUE;
  return d->allocate ? TARGET_BLOCK : TARGET_STRING;
}

static void add_target(struct targets *list, const struct directive *d,
                       void *to) {
  if (list->count == MOST_TARGETS)
    refuse("scanf with more than %d values is not supported", MOST_TARGETS);
  list->at[list->count++] =
      (struct target){.kind = kind_of(d),
                      .to = to,
                      .size = size_of(d),
                      .position = d->kind == 'n' ? -1 : list->counted++};
}

/* Finds what the function writes. */
static void find_targets(struct targets *list, const char *format,
                         va_list arguments) {
  list->count = 0;
  list->counted = 0;
  for (const char *s = format; *s;) {
    struct directive d;
    if (*s++ != '%')
      continue;
    s = read_directive(s, &d);
    if (d.kind && d.kind != '%' && !d.ignored)
      add_target(list, &d, va_arg(arguments, void *));
  }
}

/* ---- the call ------------------------------------------------------------ */

static void announce_scan(struct libcall *e, const char *text,
                          const char *format, const struct targets *list,
                          uint64_t pc) {
  libcall_begin(e, OP_COPY, pc);
  for (size_t i = 0; i < list->count; i++) {
    const struct target *t = &list->at[i];
    if (t->kind == TARGET_VALUE)
      libcall_write(e, t->to, t->size);
    else if (t->kind == TARGET_STRING)
      libcall_begin_write(e, t->to);
    else
      libcall_write(e, t->to, sizeof(char *));
  }
  libcall_string(e, text, SIZE_MAX);
  libcall_string(e, format, SIZE_MAX);
  libcall_announce(e);
}

/* keep: of the call at hand. */
static struct text buffers;
static char *strings[MOST_TARGETS]; /* strings in there, or blocks of libc */

/* More arguments than the format names do no harm. */
static int scan(const char *text, const char *format,
                const struct targets *list) {
  void *at[MOST_TARGETS] = {0};
  size_t room = string_length(text, SIZE_MAX) + 1;
  VEC_RESERVE(buffers, room * MOST_TARGETS);
  for (size_t i = 0; i < list->count; i++) {
    enum target_kind kind = list->at[i].kind;
    strings[i] = kind == TARGET_STRING ? buffers.at + i * room : NULL;
    at[i] = kind == TARGET_VALUE    ? list->at[i].to
            : kind == TARGET_STRING ? strings[i]
                                    : (char *)&strings[i];
  }
  _Static_assert(MOST_TARGETS == 14, "as many as there are arguments");
  return REAL(sscanf)(text, format, at[0], at[1], at[2], at[3], at[4], at[5],
                      at[6], at[7], at[8], at[9], at[10], at[11], at[12],
                      at[13]);
}

/* A string was found: hands it over. */
static void deliver(const struct libcall *e, const struct target *t,
                    const char *string) {
  size_t size = strlen(string) + 1;
  char *to = t->to;
  if (t->kind == TARGET_BLOCK) {
    to = heap_allocate(size, 16, e->op.pc);
    *(char **)(void *)t->to = to;
  }
  touches(e, to, size);
  memcpy(to, string, size);
}

static int scan_string(const char *text, const char *format, va_list arguments,
                       uint64_t pc) {
  struct libcall e;
  struct targets list;
  find_targets(&list, format, arguments);
  announce_scan(&e, text, format, &list, pc);
  touched(&e, text, string_length(text, SIZE_MAX) + 1);
  touched(&e, format, string_length(format, SIZE_MAX) + 1);
  foreign_enter();
  int result = scan(text, format, &list);
  foreign_leave();
  for (size_t i = 0; i < list.count; i++) {
    const struct target *t = &list.at[i];
    if (t->kind != TARGET_VALUE && t->position < result)
      deliver(&e, t, strings[i]);
    if (t->kind == TARGET_BLOCK)
      free(strings[i]);
  }
  return result;
}

/* The header gives the standard's sscanf another name: all get one of their own
 * here. */
#define SSCANF(function, list_function, name, list_name)                     \
  int list_function(const char *, const char *, va_list) __asm__(list_name); \
  INTERPOSED int list_function(const char *text, const char *format,         \
                               va_list arguments) {                          \
    return scan_string(text, format, arguments, CALLER);                     \
  }                                                                          \
  int function(const char *, const char *, ...) __asm__(name);               \
  INTERPOSED int function(const char *text, const char *format, ...) {       \
    va_list arguments;                                                       \
    va_start(arguments, format);                                             \
    int result = scan_string(text, format, arguments, CALLER);               \
    va_end(arguments);                                                       \
    return result;                                                           \
  }

SSCANF(sscan_traditionally, vsscan_traditionally, "sscanf", "vsscanf")
SSCANF(sscan_standard, vsscan_standard, "__isoc99_sscanf", "__isoc99_vsscanf")
SSCANF(sscan_newest, vsscan_newest, "__isoc23_sscanf", "__isoc23_vsscanf")
