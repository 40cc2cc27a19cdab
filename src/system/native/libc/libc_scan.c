/* The scanf family: formats, and values from text.
 *
 * The scanner is our own: where glibc leaves the standard, so does it ("0x"
 * before no digit is 0).  tests/real.sh compares.
 */
#define _GNU_SOURCE
#include "scan.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

#include "heap.h"
#include "util/text.h"
#include "util/vec.h"

/* ---- the format ---------------------------------------------------------- */

/* One conversion: what stands behind a percent sign. */
struct directive {
  bool ignored; /* %*d */
  bool allocate;
  size_t number; /* of the argument: %2$d; 0: the next one */
  size_t width;  /* 0: none */
  char length;   /* H for hh, q for ll; 0: none */
  char kind;
  const char *set; /* of %[...]: behind the bracket */
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

static const char *read_number(const char *s, size_t *number) {
  for (*number = 0; *s >= '0' && *s <= '9'; s++)
    *number = *number * 10 + (size_t)(*s - '0');
  return s;
}

static const char *read_directive(const char *s, struct directive *d) {
  *d = (struct directive){.kind = 0};
  const char *behind = read_number(s, &d->number);
  if (*behind == '$')
    s = behind + 1;
  else
    d->number = 0;
  for (; *s == '*' || *s == '\'' || *s == 'I'; s++)
    d->ignored |= *s == '*';
  s = read_number(s, &d->width);
  d->allocate = *s == 'm';
  s = read_length(s + d->allocate, &d->length);
  d->kind = *s;
  if (d->kind == 'C' || d->kind == 'S') {
    d->kind = (char)tolower(d->kind);
    d->length = 'l';
  }
  d->set = s + 1;
  if (!*s)
    return s;
  return *s == '[' ? skip_set(s + 1) : s + 1;
}

static bool stores(const struct directive *d) {
  return d->kind && d->kind != '%' && !d->ignored;
}

/* prog: the variables that the call names. */
struct targets {
  va_list rest;
  size_t count;
  void *at[32];
};

static void *target(struct targets *t, const struct directive *d, size_t next) {
  size_t number = d->number ? d->number : next + 1;
  if (number > sizeof t->at / sizeof *t->at)
    refuse("scanf with more than %zu values is not supported: scan in several "
           "calls",
           sizeof t->at / sizeof *t->at);
  while (t->count < number)
    t->at[t->count++] = va_arg(t->rest, void *);
  return t->at[number - 1];
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

static bool is_floating(char kind) {
  return kind && strchr("aAeEfFgG", kind);
}

/* ---- what is found ------------------------------------------------------- */

/* keep: of the call at hand. */
static struct text bytes;
struct scanned {
  char *to;
  size_t from, size; /* in `bytes` */
  bool block;        /* a new block, and its address goes there */
};
static VEC(struct scanned) results;

static void put(void *to, const void *value, size_t size, bool block) {
  size_t from = bytes.size;
  text_add(&bytes, value, size);
  VEC_PUSH(results, (struct scanned){
                        .to = to, .from = from, .size = size, .block = block});
}

static void deliver(const struct libcall *e, char *to, const char *from,
                    size_t size) {
  touches(e, to, size);
  memcpy(to, from, size);
}

void scan_store(const struct libcall *e, uint64_t pc) {
  for (size_t i = 0; i < results.size; i++) {
    const char *from = bytes.at + results.at[i].from;
    char *block = NULL;
    if (!results.at[i].block) {
      deliver(e, results.at[i].to, from, results.at[i].size);
      continue;
    }
    block = heap_allocate(results.at[i].size, 16, pc);
    deliver(e, block, from, results.at[i].size);
    deliver(e, results.at[i].to, (const char *)&block, sizeof block);
  }
}

/* ---- characters ---------------------------------------------------------- */

/* The next one; -1 at the end of the text. */
static int look(struct scanner *s) {
  if (s->at < s->end)
    return (unsigned char)*s->at;
  s->starved = !s->final;
  return -1;
}

static void skip_spaces(struct scanner *s) {
  for (int c; (c = look(s)) >= 0 && isspace(c);)
    s->at++;
}

/* prog: the characters of a number, as the scan collects them. */
struct digits {
  char text[512]; /* of what is longer, only the value's size matters */
  size_t size;
  size_t width; /* what is left of it */
};

static bool accept(struct scanner *s, struct digits *d, const char *these) {
  int c = d->width ? look(s) : -1;
  if (c <= 0 || !strchr(these, c))
    return false;
  if (d->size < sizeof d->text - 1)
    d->text[d->size++] = (char)c;
  d->text[d->size] = 0;
  d->width--;
  s->at++;
  return true;
}

static struct digits digits_of(const struct directive *d) {
  return (struct digits){.width = d->width ? d->width : SIZE_MAX};
}

/* ---- numbers ------------------------------------------------------------- */

enum outcome { MATCHED, MISMATCH, ENDED };

static int base_of(char kind) {
  return kind == 'i'                                 ? 0
         : kind == 'o'                               ? 8
         : kind == 'x' || kind == 'X' || kind == 'p' ? 16
                                                     : 10;
}

/* Leaves the digits without the prefix, and the base that this one means. */
static bool read_digits(struct scanner *s, struct digits *n, int *base) {
  if (accept(s, n, "+-"))
    look(s); /* also where the width ends here */
  size_t sign = n->size;
  if ((*base == 0 || *base == 16) && accept(s, n, "0")) {
    if (accept(s, n, "xX")) {
      *base = 16;
      n->text[--n->size] = 0;
    } else if (*base == 0)
      *base = 8;
  }
  if (*base == 0)
    *base = 10;
  while (accept(s, n,
                *base == 16  ? "0123456789abcdefABCDEF"
                : *base == 8 ? "01234567"
                             : "0123456789"))
    continue;
  return n->size > sign;
}

/* %p understands what printf makes of NULL. */
static bool read_nil(struct scanner *s, struct digits *n) {
  static const char nil[] = "(nil)";
  for (const char *c = nil; *c; c++) {
    char these[] = {*c, (char)toupper(*c), 0};
    if (!accept(s, n, these))
      return false;
  }
  return true;
}

static enum outcome integer(struct scanner *s, const struct directive *d,
                            void *to) {
  struct digits n = digits_of(d);
  int base = base_of(d->kind);
  uint64_t value = 0;
  if (look(s) < 0)
    return ENDED;
  if (d->kind == 'p' && look(s) == '(') {
    if (!read_nil(s, &n))
      return MISMATCH;
  } else if (!read_digits(s, &n, &base))
    return MISMATCH;
  else if (d->kind == 'd' || d->kind == 'i')
    value = (uint64_t)REAL(strtol)(n.text, NULL, base);
  else
    value = REAL(strtoul)(n.text, NULL, base);
  if (to)
    put(to, &value, d->kind == 'p' ? sizeof value : integer_size(d->length),
        false);
  return MATCHED;
}

/* A word in small or capital letters.  glibc does not give back the character
 * that differs. */
static bool read_word(struct scanner *s, struct digits *n, const char *word) {
  for (; *word; word++) {
    char these[] = {*word, (char)toupper(*word), 0};
    if (accept(s, n, these))
      continue;
    if (n->width && look(s) >= 0)
      s->at++;
    return false;
  }
  return true;
}

static bool read_exponent(struct scanner *s, struct digits *n,
                          const char *mark) {
  if (accept(s, n, mark)) {
    accept(s, n, "+-");
    while (accept(s, n, "0123456789"))
      continue;
  }
  return true;
}

static bool read_real(struct scanner *s, struct digits *n) {
  const char *digits = "0123456789", *mark = "eE";
  accept(s, n, "+-");
  int c = look(s);
  if (c == 'n' || c == 'N')
    return read_word(s, n, "nan");
  if (c == 'i' || c == 'I') {
    if (!read_word(s, n, "inf"))
      return false;
    c = n->width ? look(s) : -1;
    return (c != 'i' && c != 'I') || read_word(s, n, "inity");
  }
  size_t before = n->size;
  if (accept(s, n, "0") && accept(s, n, "xX")) {
    digits = "0123456789abcdefABCDEF";
    mark = "pP";
    before = n->size;
  }
  while (accept(s, n, digits))
    continue;
  size_t whole = n->size - before;
  bool point = accept(s, n, ".");
  while (accept(s, n, digits))
    continue;
  return whole + n->size - before - whole > point && read_exponent(s, n, mark);
}

static enum outcome real(struct scanner *s, const struct directive *d,
                         void *to) {
  struct digits n = digits_of(d);
  if (look(s) < 0)
    return ENDED;
  if (!read_real(s, &n))
    return MISMATCH;
  if (!to)
    return MATCHED;
  if (floating_size(d->length) == sizeof(long double)) {
    long double value = REAL(strtold)(n.text, NULL);
    put(to, &value, sizeof value, false);
  } else if (floating_size(d->length) == sizeof(double)) {
    double value = REAL(strtod)(n.text, NULL);
    put(to, &value, sizeof value, false);
  } else {
    float value = REAL(strtof)(n.text, NULL);
    put(to, &value, sizeof value, false);
  }
  return MATCHED;
}

/* ---- characters and strings ---------------------------------------------- */

static bool in_set(const char *set, int c) {
  bool not = *set == '^', in = false;
  const char *s = set + not ;
  do {
    if (s[1] == '-' && s[2] && s[2] != ']') {
      in |= (unsigned char)s[0] <= c && c <= (unsigned char)s[2];
      s += 3;
    } else
      in |= (unsigned char)*s++ == c;
  } while (*s && *s != ']');
  return in != not ;
}

static bool belongs(const struct directive *d, int c) {
  return d->kind == 'c'   ? true
         : d->kind == 's' ? !isspace(c)
                          : in_set(d->set, c);
}

static void put_text(const struct directive *d, void *to, const char *from,
                     size_t size) {
  static VEC(wchar_t) wide; /* keep: scratch */
  bool string = d->kind != 'c';
  if (d->length != 'l') {
    static struct text narrow; /* keep: scratch */
    narrow.size = 0;
    text_add(&narrow, from, size);
    put(to, text_string(&narrow), size + string, d->allocate);
    return;
  }
  wide.size = 0;
  for (size_t i = 0; i < size; i++) {
    if (from[i] < 0)
      refuse("scanf of wide characters (%%ls) beyond ASCII is not supported: "
             "there is only the locale \"C\"");
    VEC_PUSH(wide, from[i]);
  }
  VEC_PUSH(wide, 0);
  put(to, wide.at, (size + string) * sizeof(wchar_t), d->allocate);
}

static enum outcome text(struct scanner *s, const struct directive *d,
                         void *to) {
  size_t width = d->width ? d->width : d->kind == 'c' ? 1 : SIZE_MAX;
  const char *from = s->at;
  if (look(s) < 0)
    return ENDED;
  for (int c; width && (c = look(s)) >= 0 && belongs(d, c); width--)
    s->at++;
  if (s->at == from)
    return MISMATCH;
  if (to)
    put_text(d, to, from, (size_t)(s->at - from));
  return MATCHED;
}

/* ---- the call ------------------------------------------------------------ */

static enum outcome literal(struct scanner *s, char wanted) {
  int c = look(s);
  if (c < 0)
    return ENDED;
  if (c != (unsigned char)wanted)
    return MISMATCH;
  s->at++;
  return MATCHED;
}

static enum outcome convert(struct scanner *s, const struct directive *d,
                            void *to) {
  uint64_t done = (uint64_t)(s->at - s->begin);
  if (d->kind != '[' && d->kind != 'c' && d->kind != 'n')
    skip_spaces(s);
  switch (d->kind) {
  case '%':
    return literal(s, '%');
  case 'n':
    if (to)
      put(to, &done, integer_size(d->length), false);
    return MATCHED;
  case 'd':
  case 'i':
  case 'o':
  case 'u':
  case 'x':
  case 'X':
  case 'p':
    return integer(s, d, to);
  case 'c':
  case 's':
  case '[':
    return text(s, d, to);
  default:
    return is_floating(d->kind) ? real(s, d, to) : MISMATCH;
  }
}

int scan_text(struct scanner *s, const char *format, va_list arguments) {
  struct targets t = {.count = 0};
  size_t next = 0;
  int result = 0;
  enum outcome outcome = MATCHED;
  va_copy(t.rest, arguments);
  bytes.size = results.size = 0;
  s->at = s->begin;
  s->starved = false;
  while (*format && outcome == MATCHED) {
    struct directive d;
    if (isspace((unsigned char)*format)) {
      skip_spaces(s);
      format++;
    } else if (*format != '%')
      outcome = literal(s, *format++);
    else {
      format = read_directive(format + 1, &d);
      void *to = stores(&d) ? target(&t, &d, next++) : NULL;
      outcome = convert(s, &d, to);
      result += outcome == MATCHED && to && d.kind != 'n';
    }
  }
  va_end(t.rest);
  return outcome == ENDED && !result ? EOF : result;
}

static int scan_string(const char *string, const char *format,
                       va_list arguments, uint64_t pc) {
  struct libcall e;
  libcall_begin(&e, OP_COPY, pc);
  libcall_string(&e, string, SIZE_MAX);
  libcall_string(&e, format, SIZE_MAX);
  libcall_announce_block(&e);
  size_t length = string_length(string, SIZE_MAX);
  touched(&e, string, length + 1);
  touched(&e, format, string_length(format, SIZE_MAX) + 1);
  struct scanner s = {.begin = string, .end = string + length, .final = true};
  foreign_enter();
  int result = scan_text(&s, format, arguments);
  foreign_leave();
  scan_store(&e, pc);
  return result;
}

/* The header gives the standard's sscanf another name: all get one of their own
 * here. */
#define SSCANF(function, list_function, name, list_name)                     \
  int list_function(const char *, const char *, va_list) __asm__(list_name); \
  INTERPOSED int list_function(const char *string, const char *format,       \
                               va_list arguments) {                          \
    return scan_string(string, format, arguments, CALLER);                   \
  }                                                                          \
  int function(const char *, const char *, ...) __asm__(name);               \
  INTERPOSED int function(const char *string, const char *format, ...) {     \
    va_list arguments;                                                       \
    va_start(arguments, format);                                             \
    int result = scan_string(string, format, arguments, CALLER);             \
    va_end(arguments);                                                       \
    return result;                                                           \
  }

SSCANF(sscan_traditionally, vsscan_traditionally, "sscanf", "vsscanf")
SSCANF(sscan_standard, vsscan_standard, "__isoc99_sscanf", "__isoc99_vsscanf")
SSCANF(sscan_newest, vsscan_newest, "__isoc23_sscanf", "__isoc23_vsscanf")
