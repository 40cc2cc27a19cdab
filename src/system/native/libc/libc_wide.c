/* Wide characters: wcs*, wmem*, and conversions in the locale "C".
 *
 * What strings do with bytes, these do with characters of four bytes: a call is
 * one step, which reads the strings up to where the answer is known.
 */
#define _GNU_SOURCE
#define __NO_INLINE__ 1 /* no bodies in the headers */
#include "libc.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

#include "heap.h"
#include "system/native/hooks/hooks.h"

enum { WIDE = sizeof(wchar_t) };

/* ---- reading ------------------------------------------------------------- */

/* Up to the final zero, at most `most`, and not behind a block of the heap. */
size_t wide_length(const wchar_t *s, size_t most) {
  size_t room = heap_room(s) / WIDE, i = 0;
  while (i < most && i < room && s[i])
    i++;
  return i;
}

/* The first and the last, where they are the program's. */
static void announce_wide(struct libcall *e, const wchar_t *s, size_t most) {
  if (!most || is_constant(s))
    return;
  e->op.flags |= STEP_BLOCK;
  libcall_read(e, s, WIDE);
}

static void announce_two(struct libcall *e, enum op op, const wchar_t *a,
                         const wchar_t *b, uint64_t pc) {
  libcall_begin(e, op, pc);
  announce_wide(e, a, SIZE_MAX);
  if (b)
    announce_wide(e, b, SIZE_MAX);
  libcall_announce(e);
}

static void touched_wide(const struct libcall *e, const wchar_t *s,
                         size_t count) {
  if (!is_constant(s))
    touched(e, s, count * WIDE);
}

static size_t read_wide(const struct libcall *e, const wchar_t *s,
                        size_t most) {
  size_t length = wide_length(s, most);
  touched_wide(e, s, string_extent(length, most));
  return length;
}

static size_t length_of(const wchar_t *s, size_t most, uint64_t pc) {
  struct libcall e;
  if (!most)
    return 0;
  announce_two(&e, OP_SCAN, s, NULL, pc);
  return read_wide(&e, s, most);
}

INTERPOSED size_t wcslen(const wchar_t *s) {
  return length_of(s, SIZE_MAX, CALLER);
}

INTERPOSED size_t wcsnlen(const wchar_t *s, size_t most) {
  return length_of(s, most, CALLER);
}

static wchar_t folded(wchar_t c, bool fold) {
  return fold && c >= 'A' && c <= 'Z' ? c + ('a' - 'A') : c;
}

static int compare(const wchar_t *a, const wchar_t *b, size_t most, bool fold,
                   bool stop, uint64_t pc) {
  struct libcall e;
  if (!most)
    return 0;
  announce_two(&e, OP_SCAN, a, b, pc);
  size_t room = heap_room(a) / WIDE, other = heap_room(b) / WIDE, i = 0;
  int result = 0;
  for (; i < most && i < room && i < other; i++) {
    wchar_t left = folded(a[i], fold), right = folded(b[i], fold);
    result = (left > right) - (left < right);
    if (result || (stop && !left))
      break;
  }
  touched_wide(&e, a, string_extent(i, most));
  touched_wide(&e, b, string_extent(i, most));
  return result;
}

INTERPOSED int wcscmp(const wchar_t *a, const wchar_t *b) {
  return compare(a, b, SIZE_MAX, false, true, CALLER);
}

INTERPOSED int wcscoll(const wchar_t *a, const wchar_t *b) {
  return compare(a, b, SIZE_MAX, false, true, CALLER);
}

/* In the locale "C" it is a copy. */
INTERPOSED size_t wcsxfrm(wchar_t *to, const wchar_t *from, size_t room) {
  struct libcall e;
  libcall_begin(&e, OP_COPY, CALLER);
  announce_wide(&e, from, SIZE_MAX);
  if (room)
    libcall_begin_write(&e, to);
  libcall_announce(&e);
  size_t length = read_wide(&e, from, SIZE_MAX);
  size_t copied = length + 1 < room ? length + 1 : room;
  if (copied) {
    touches(&e, to, copied * sizeof *to);
    memcpy(to, from, copied * sizeof *to);
  }
  return length;
}

INTERPOSED int wcsncmp(const wchar_t *a, const wchar_t *b, size_t most) {
  return compare(a, b, most, false, true, CALLER);
}

INTERPOSED int wcscasecmp(const wchar_t *a, const wchar_t *b) {
  return compare(a, b, SIZE_MAX, true, true, CALLER);
}

INTERPOSED int wcsncasecmp(const wchar_t *a, const wchar_t *b, size_t most) {
  return compare(a, b, most, true, true, CALLER);
}

INTERPOSED int wmemcmp(const wchar_t *a, const wchar_t *b, size_t count) {
  return compare(a, b, count, false, false, CALLER);
}

/* ---- searching ----------------------------------------------------------- */

static wchar_t *place(const wchar_t *s, size_t at) {
  return (wchar_t *)(uintptr_t)(s + at);
}

INTERPOSED wchar_t *wcschr(const wchar_t *s, wchar_t character) {
  struct libcall e;
  announce_two(&e, OP_SCAN, s, NULL, CALLER);
  size_t room = heap_room(s) / WIDE, i = 0;
  while (i < room && s[i] && s[i] != character)
    i++;
  touched_wide(&e, s, i + 1);
  return s[i] == character ? place(s, i) : NULL;
}

INTERPOSED wchar_t *wcsrchr(const wchar_t *s, wchar_t character) {
  struct libcall e;
  announce_two(&e, OP_SCAN, s, NULL, CALLER);
  for (size_t i = read_wide(&e, s, SIZE_MAX) + 1; i--;)
    if (s[i] == character)
      return place(s, i);
  return NULL;
}

INTERPOSED wchar_t *wmemchr(const wchar_t *s, wchar_t character, size_t count) {
  struct libcall e;
  if (!count)
    return NULL;
  announce_two(&e, OP_SCAN, s, NULL, CALLER);
  size_t room = heap_room(s) / WIDE, i = 0;
  while (i < count && i < room && s[i] != character)
    i++;
  touched_wide(&e, s, string_extent(i, count));
  return i < count && i < room ? place(s, i) : NULL;
}

INTERPOSED wchar_t *wcsstr(const wchar_t *text, const wchar_t *word) {
  struct libcall e;
  announce_two(&e, OP_SCAN, text, word, CALLER);
  size_t size = read_wide(&e, text, SIZE_MAX);
  size_t part = read_wide(&e, word, SIZE_MAX);
  for (size_t i = 0; i + part <= size; i++)
    if (!memcmp(text + i, word, part * WIDE))
      return place(text, i);
  return NULL;
}

static bool is_among(wchar_t c, const wchar_t *set, size_t size) {
  for (size_t i = 0; i < size; i++)
    if (set[i] == c)
      return true;
  return false;
}

static size_t read_span(const struct libcall *e, const wchar_t *s,
                        const wchar_t *set, bool inside) {
  size_t size = read_wide(e, set, SIZE_MAX), room = heap_room(s) / WIDE, i = 0;
  while (i < room && s[i] && is_among(s[i], set, size) == inside)
    i++;
  touched_wide(e, s, i + 1);
  return i;
}

static size_t span(const wchar_t *s, const wchar_t *set, bool inside,
                   uint64_t pc) {
  struct libcall e;
  announce_two(&e, OP_SCAN, s, set, pc);
  return read_span(&e, s, set, inside);
}

INTERPOSED size_t wcsspn(const wchar_t *s, const wchar_t *set) {
  return span(s, set, true, CALLER);
}

INTERPOSED size_t wcscspn(const wchar_t *s, const wchar_t *set) {
  return span(s, set, false, CALLER);
}

INTERPOSED wchar_t *wcspbrk(const wchar_t *s, const wchar_t *set) {
  size_t i = span(s, set, false, CALLER);
  return s[i] ? place(s, i) : NULL;
}

/* If s is NULL, the string is *rest, known when the step is taken. */
INTERPOSED wchar_t *wcstok(wchar_t *s, const wchar_t *set, wchar_t **rest) {
  struct libcall e;
  libcall_begin(&e, OP_SCAN, CALLER);
  libcall_write(&e, rest, sizeof *rest);
  announce_wide(&e, set, SIZE_MAX);
  if (s)
    announce_wide(&e, s, SIZE_MAX);
  e.op.flags |= STEP_BLOCK;
  libcall_announce(&e);
  s = s ? s : *rest;
  if (!s)
    return NULL;
  s += read_span(&e, s, set, true);
  wchar_t *end = s + read_span(&e, s, set, false);
  *rest = *end ? end + 1 : NULL;
  if (*end) {
    touches(&e, end, WIDE);
    *end = 0;
  }
  return end == s ? NULL : s;
}

/* ---- copying ------------------------------------------------------------- */

/* Copies `most` characters at most behind the first `from` of `to`, and pads
 * with zeros up to `pad`. */
static wchar_t *copy(wchar_t *to, const wchar_t *s, size_t most, bool append,
                     size_t pad, uint64_t pc) {
  struct libcall e;
  libcall_begin(&e, OP_COPY, pc);
  if (append)
    announce_wide(&e, to, SIZE_MAX);
  else
    libcall_begin_write(&e, to);
  announce_wide(&e, s, most);
  libcall_announce(&e);
  size_t from = append ? read_wide(&e, to, SIZE_MAX) : 0;
  size_t length = most ? read_wide(&e, s, most) : 0;
  size_t whole = pad == SIZE_MAX ? length + 1 : pad;
  touches(&e, to + from, whole * WIDE);
  memmove(to + from, s, length * WIDE);
  if (whole > length)
    memset(to + from + length, 0, (whole - length) * WIDE);
  return to + from + length;
}

INTERPOSED wchar_t *wcscpy(wchar_t *to, const wchar_t *s) {
  return copy(to, s, SIZE_MAX, false, SIZE_MAX, CALLER), to;
}

INTERPOSED wchar_t *wcpcpy(wchar_t *to, const wchar_t *s) {
  return copy(to, s, SIZE_MAX, false, SIZE_MAX, CALLER);
}

INTERPOSED wchar_t *wcsncpy(wchar_t *to, const wchar_t *s, size_t size) {
  return size ? copy(to, s, size, false, size, CALLER), to : to;
}

INTERPOSED wchar_t *wcscat(wchar_t *to, const wchar_t *s) {
  return copy(to, s, SIZE_MAX, true, SIZE_MAX, CALLER), to;
}

INTERPOSED wchar_t *wcsncat(wchar_t *to, const wchar_t *s, size_t most) {
  return copy(to, s, most, true, SIZE_MAX, CALLER), to;
}

INTERPOSED wchar_t *wcsdup(const wchar_t *s) {
  struct libcall e;
  announce_two(&e, OP_COPY, s, NULL, CALLER);
  size_t size = (read_wide(&e, s, SIZE_MAX) + 1) * WIDE;
  wchar_t *to = heap_allocate(size, 16, CALLER);
  undo_note(to, size);
  memcpy(to, s, size);
  return heap_written(to, size, CALLER);
}

INTERPOSED wchar_t *wmemcpy(wchar_t *to, const wchar_t *from, size_t count) {
  return copy_memory(to, from, count * WIDE, CALLER, NULL);
}

INTERPOSED wchar_t *wmempcpy(wchar_t *to, const wchar_t *from, size_t count) {
  copy_memory(to, from, count * WIDE, CALLER, NULL);
  return to + count;
}

INTERPOSED wchar_t *wmemmove(wchar_t *to, const wchar_t *from, size_t count) {
  return move_memory(to, from, count * WIDE, CALLER, NULL);
}

INTERPOSED wchar_t *wmemset(wchar_t *to, wchar_t character, size_t count) {
  struct libcall e;
  libcall_begin(&e, OP_COPY, CALLER);
  libcall_overwrite(&e, to, count * WIDE);
  libcall_announce(&e);
  for (size_t i = 0; i < count; i++)
    to[i] = character;
  return to;
}

/* ---- numbers ------------------------------------------------------------- */

/* The whole string counts as read. */
#define NUMBER(type, name, parameters, call) \
  INTERPOSED type name parameters {          \
    struct libcall e;                        \
    wchar_t *stop = NULL;                    \
    libcall_begin(&e, OP_SCAN, CALLER);      \
    announce_wide(&e, s, SIZE_MAX);          \
    if (end)                                 \
      libcall_write(&e, end, sizeof *end);   \
    libcall_announce(&e);                    \
    read_wide(&e, s, SIZE_MAX);              \
    foreign_enter();                         \
    type value = REAL(name) call;            \
    foreign_leave();                         \
    if (end && stop)                         \
      *end = stop;                           \
    return value;                            \
  }

#define WHOLE(type, name)                                         \
  NUMBER(type, name, (const wchar_t *s, wchar_t **end, int base), \
         (s, &stop, base))
#define REAL_NUMBER(type, name) \
  NUMBER(type, name, (const wchar_t *s, wchar_t **end), (s, &stop))

WHOLE(long, wcstol)
WHOLE(long long, wcstoll)
WHOLE(unsigned long, wcstoul)
WHOLE(unsigned long long, wcstoull)
REAL_NUMBER(float, wcstof)
REAL_NUMBER(double, wcstod)
REAL_NUMBER(long double, wcstold)

/* ---- conversions --------------------------------------------------------- */

/* In the locale "C" a byte up to 127 is a character, and others are an error;
 * there is no state. */
static bool is_plain(wint_t c) {
  return c < 128;
}

static size_t failed(void) {
  error_set(EILSEQ);
  return (size_t)-1;
}

INTERPOSED int mbsinit(const mbstate_t *state) {
  return !state || !LOOK(state->__count);
}

/* A conversion reads and stores its state, which never changes in this locale.
 */
static void announce_state(struct libcall *e, mbstate_t *state) {
  if (state)
    libcall_write(e, state, sizeof *state);
}

static size_t to_wide(wchar_t *to, const char *s, size_t most, mbstate_t *state,
                      uint64_t pc) {
  struct libcall e;
  if (!s)
    return 0;
  if (!most)
    return (size_t)-2;
  libcall_begin(&e, OP_COPY, pc);
  libcall_read(&e, s, 1);
  if (to)
    libcall_write(&e, to, WIDE);
  announce_state(&e, state);
  libcall_announce(&e);
  if (!is_plain((unsigned char)*s))
    return failed();
  if (to)
    *to = *s;
  return *s != 0;
}

INTERPOSED size_t mbrtowc(wchar_t *to, const char *s, size_t most,
                          mbstate_t *state) {
  return to_wide(to, s, most, state, CALLER);
}

INTERPOSED int mbtowc(wchar_t *to, const char *s, size_t most) {
  size_t used = to_wide(to, s, most, NULL, CALLER);
  return used == (size_t)-2 ? -1 : (int)used;
}

INTERPOSED size_t mbrlen(const char *s, size_t most, mbstate_t *state) {
  return to_wide(NULL, s, most, state, CALLER);
}

INTERPOSED int mblen(const char *s, size_t most) {
  size_t used = to_wide(NULL, s, most, NULL, CALLER);
  return used == (size_t)-2 ? -1 : (int)used;
}

static size_t to_byte(char *to, wchar_t character, mbstate_t *state,
                      uint64_t pc) {
  struct libcall e;
  if (!is_plain((wint_t)character))
    return failed();
  libcall_begin(&e, OP_COPY, pc);
  libcall_write(&e, to, 1);
  announce_state(&e, state);
  libcall_announce(&e);
  *to = (char)character;
  return 1;
}

INTERPOSED size_t wcrtomb(char *to, wchar_t character, mbstate_t *state) {
  return to ? to_byte(to, character, state, CALLER) : 1;
}

INTERPOSED int wctomb(char *to, wchar_t character) {
  return to ? (int)to_byte(to, character, NULL, CALLER) : 0;
}

INTERPOSED wint_t btowc(int c) {
  return c >= 0 && c < 128 ? (wint_t)c : WEOF;
}

INTERPOSED int wctob(wint_t c) {
  return is_plain(c) ? (int)c : EOF;
}

/* Up to the end, or `room` characters.  `rest` is told where it ended. */
static size_t string_to_wide(wchar_t *to, const char *s, size_t room,
                             const char **rest, mbstate_t *state, uint64_t pc) {
  struct libcall e;
  libcall_begin(&e, OP_COPY, pc);
  if (to && room)
    libcall_begin_write(&e, to);
  libcall_string(&e, s, SIZE_MAX);
  if (rest && to)
    libcall_write(&e, rest, sizeof *rest);
  announce_state(&e, state);
  libcall_announce(&e);
  size_t length = string_length(s, to ? room : SIZE_MAX), i = 0;
  touched(&e, s, string_extent(length, to ? room : SIZE_MAX));
  while (i < length && is_plain((unsigned char)s[i]))
    i++;
  bool ends = i == length && (!to || length < room);
  if (to)
    touches(&e, to, (i + ends) * WIDE);
  for (size_t k = 0; to && k < i + ends; k++)
    to[k] = k < i ? s[k] : 0;
  if (rest && to)
    *rest = ends ? NULL : s + i;
  return i < length ? failed() : i;
}

INTERPOSED size_t mbstowcs(wchar_t *to, const char *s, size_t room) {
  return string_to_wide(to, s, room, NULL, NULL, CALLER);
}

INTERPOSED size_t mbsrtowcs(wchar_t *to, const char **s, size_t room,
                            mbstate_t *state) {
  return string_to_wide(to, LOOK(*s), room, s, state, CALLER);
}

static size_t string_to_bytes(char *to, const wchar_t *s, size_t room,
                              const wchar_t **rest, mbstate_t *state,
                              uint64_t pc) {
  struct libcall e;
  libcall_begin(&e, OP_COPY, pc);
  if (to && room)
    libcall_begin_write(&e, to);
  announce_wide(&e, s, SIZE_MAX);
  if (rest && to)
    libcall_write(&e, rest, sizeof *rest);
  announce_state(&e, state);
  libcall_announce(&e);
  size_t length = read_wide(&e, s, to ? room : SIZE_MAX), i = 0;
  while (i < length && is_plain((wint_t)s[i]))
    i++;
  bool ends = i == length && (!to || length < room);
  if (to)
    touches(&e, to, i + ends);
  for (size_t k = 0; to && k < i + ends; k++)
    to[k] = k < i ? (char)s[k] : 0;
  if (rest && to)
    *rest = ends ? NULL : s + i;
  return i < length ? failed() : i;
}

INTERPOSED size_t wcstombs(char *to, const wchar_t *s, size_t room) {
  return string_to_bytes(to, s, room, NULL, NULL, CALLER);
}

INTERPOSED size_t wcsrtombs(char *to, const wchar_t **s, size_t room,
                            mbstate_t *state) {
  return string_to_bytes(to, LOOK(*s), room, s, state, CALLER);
}

/* ---- columns ------------------------------------------------------------- */

INTERPOSED int wcwidth(wchar_t c) {
  return !c ? 0 : c >= 32 && c < 127 ? 1 : -1;
}

INTERPOSED int wcswidth(const wchar_t *s, size_t most) {
  int columns = 0;
  for (size_t i = 0, size = length_of(s, most, CALLER); i < size; i++) {
    if (wcwidth(s[i]) < 0)
      return -1;
    columns += wcwidth(s[i]);
  }
  return columns;
}
