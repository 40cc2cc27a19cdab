/* str*: one event each, whose footprint is what the function reads and writes.
 *
 * The length of a string is known only by reading it, and reading is allowed
 * only when the announced step is taken.  So the announcement names the first
 * byte and is marked STEP_BLOCK ("the footprint depends on the state"), unless
 * the string is a constant.
 */
#define _GNU_SOURCE
#include "libc.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "heap.h"

/* Reads the string in full; the step has been announced. */
static size_t read_string(const struct libcall *e, const char *s, size_t most) {
  size_t length = string_length(s, most);
  touched(e, s, string_extent(length, most));
  return length;
}

/* Announces a function that only reads one string, or two. */
static void announce_scan(struct libcall *e, const char *s, size_t most,
                          const char *other, uint64_t pc) {
  libcall_begin(e, OP_SCAN, pc);
  libcall_string(e, s, most);
  if (other)
    libcall_string(e, other, most);
  libcall_announce(e);
}

/* ---- length and comparison ----------------------------------------------- */

INTERPOSED size_t strlen(const char *s) {
  struct libcall e;
  announce_scan(&e, s, SIZE_MAX, NULL, CALLER);
  return read_string(&e, s, SIZE_MAX);
}

INTERPOSED size_t strnlen(const char *s, size_t most) {
  struct libcall e;
  announce_scan(&e, s, most, NULL, CALLER);
  return most ? read_string(&e, s, most) : 0;
}

/* As tolower() in the C locale. */
static unsigned char folded(unsigned char c) {
  return c >= 'A' && c <= 'Z' ? c + ('a' - 'A') : c;
}

/* Both are read up to the first difference or the end. */
static int compare(const char *a, const char *b, size_t most, bool fold,
                   uint64_t pc) {
  struct libcall e;
  announce_scan(&e, a, most, b, pc);
  size_t room = heap_room(a), other = heap_room(b), i = 0;
  if (other < room)
    room = other;
  int difference = 0;
  for (; i < most && i < room; i++) {
    unsigned char left = a[i], right = b[i];
    difference = fold ? folded(left) - folded(right) : left - right;
    if (difference || !left)
      break;
  }
  touched(&e, a, i < most ? i + 1 : i);
  touched(&e, b, i < most ? i + 1 : i);
  return difference;
}

INTERPOSED int strcmp(const char *a, const char *b) {
  return compare(a, b, SIZE_MAX, false, CALLER);
}

INTERPOSED int strncmp(const char *a, const char *b, size_t most) {
  return compare(a, b, most, false, CALLER);
}

INTERPOSED int strcasecmp(const char *a, const char *b) {
  return compare(a, b, SIZE_MAX, true, CALLER);
}

INTERPOSED int strncasecmp(const char *a, const char *b, size_t most) {
  return compare(a, b, most, true, CALLER);
}

/* Both are read up to their ends: numbers are compared as such. */
INTERPOSED int strverscmp(const char *a, const char *b) {
  struct libcall e;
  announce_scan(&e, a, SIZE_MAX, b, CALLER);
  read_string(&e, a, SIZE_MAX);
  read_string(&e, b, SIZE_MAX);
  return REAL(strverscmp)(a, b);
}

/* The only locale is "C". */
INTERPOSED int strcoll(const char *a, const char *b) {
  return compare(a, b, SIZE_MAX, false, CALLER);
}

/* ---- searching ----------------------------------------------------------- */

/* The first place of the character, or the end of the string; read up to
 * there. */
static char *find(const char *s, int character, uint64_t pc) {
  struct libcall e;
  announce_scan(&e, s, SIZE_MAX, NULL, pc);
  size_t room = heap_room(s), i = 0;
  while (i < room && s[i] && s[i] != (char)character)
    i++;
  touched(&e, s, i + 1);
  return (char *)(uintptr_t)(s + i);
}

INTERPOSED char *strchrnul(const char *s, int character) {
  return find(s, character, CALLER);
}

INTERPOSED char *strchr(const char *s, int character) {
  char *at = find(s, character, CALLER);
  return *at == (char)character ? at : NULL;
}

INTERPOSED char *index(const char *s, int character) {
  char *at = find(s, character, CALLER);
  return *at == (char)character ? at : NULL;
}

static char *find_last(const char *s, int character, uint64_t pc) {
  struct libcall e;
  announce_scan(&e, s, SIZE_MAX, NULL, pc);
  for (size_t i = read_string(&e, s, SIZE_MAX) + 1; i--;)
    if (s[i] == (char)character)
      return (char *)(uintptr_t)(s + i);
  return NULL;
}

INTERPOSED char *strrchr(const char *s, int character) {
  return find_last(s, character, CALLER);
}

INTERPOSED char *rindex(const char *s, int character) {
  return find_last(s, character, CALLER);
}

/* The text is read up to the end of the word found, and no further. */
INTERPOSED char *strstr(const char *text, const char *word) {
  struct libcall e;
  announce_scan(&e, text, SIZE_MAX, word, CALLER);
  size_t word_size = read_string(&e, word, SIZE_MAX);
  for (const char *at = text;; at++) {
    size_t there = string_length(at, word_size);
    if (there == word_size && memcmp(at, word, word_size) != 0)
      continue;
    bool is_end = there < word_size;
    touched(&e, text, (size_t)(at - text) + there + is_end);
    return is_end ? NULL : (char *)(uintptr_t)at;
  }
}

static char *find_folded(const char *text, size_t size, const char *word,
                         size_t word_size) {
  for (; size >= word_size; text++, size--) {
    size_t i = 0;
    while (i < word_size && folded(text[i]) == folded(word[i]))
      i++;
    if (i == word_size)
      return (char *)(uintptr_t)text;
  }
  return NULL;
}

INTERPOSED char *strcasestr(const char *text, const char *word) {
  struct libcall e;
  announce_scan(&e, text, SIZE_MAX, word, CALLER);
  size_t word_size = read_string(&e, word, SIZE_MAX);
  size_t size = read_string(&e, text, SIZE_MAX);
  return find_folded(text, size, word, word_size);
}

/* How many bytes at the start of s are (or are not) in the set.  The byte that
 * ends them is read as well. */
static size_t span(const struct libcall *e, const char *s, const char *set,
                   bool inside) {
  bool member[256] = {false};
  size_t size = read_string(e, set, SIZE_MAX), room = heap_room(s), i = 0;
  for (size_t k = 0; k < size; k++)
    member[(unsigned char)set[k]] = true;
  while (i < room && s[i] && member[(unsigned char)s[i]] == inside)
    i++;
  touched(e, s, i + 1);
  return i;
}

INTERPOSED size_t strspn(const char *s, const char *set) {
  struct libcall e;
  announce_scan(&e, s, SIZE_MAX, set, CALLER);
  return span(&e, s, set, true);
}

INTERPOSED size_t strcspn(const char *s, const char *set) {
  struct libcall e;
  announce_scan(&e, s, SIZE_MAX, set, CALLER);
  return span(&e, s, set, false);
}

INTERPOSED char *strpbrk(const char *s, const char *set) {
  struct libcall e;
  announce_scan(&e, s, SIZE_MAX, set, CALLER);
  s += span(&e, s, set, false);
  return *s ? (char *)(uintptr_t)s : NULL;
}

/* ---- copying ------------------------------------------------------------- */

static void check_overlap(const char *to, const char *from, size_t size,
                          const char *name, uint64_t pc) {
  if (to < from + size && from < to + size)
    fail(FINDING_MEMORY, pc,
         "%s: the %zu bytes read and the bytes written overlap", name, size);
}

/* Announces a copy of a string.  The length of a constant is known now, and so
 * is the step's footprint. */
static void announce_copy(struct libcall *e, char *to, const char *from,
                          size_t most, uint64_t pc) {
  libcall_begin(e, OP_COPY, pc);
  if (is_constant(from)) {
    size_t length = heddle_real_strnlen(from, most);
    libcall_write(e, to, string_extent(length, most));
  } else {
    libcall_begin_write(e, to);
    libcall_string(e, from, most);
  }
  libcall_announce(e);
}

#define UNLIMITED SIZE_MAX

/* `room`: the object's size, as the compiler knows it (_FORTIFY_SOURCE). */
static void check_room(const char *name, size_t size, size_t room,
                       uint64_t pc) {
  if (size > room)
    fail(FINDING_MEMORY, pc,
         "out of bounds: %s writes %zu bytes to an object of %zu bytes", name,
         size, room);
}

/* Copies a string with its final zero, and returns the place of that zero. */
static char *copy_string(char *to, const char *from, size_t room,
                         const char *name, uint64_t pc) {
  struct libcall e;
  announce_copy(&e, to, from, SIZE_MAX, pc);
  size_t length = read_string(&e, from, SIZE_MAX);
  check_room(name, length + 1, room, pc);
  check_overlap(to, from, length + 1, name, pc);
  if (e.op.flags & STEP_BLOCK)
    touches(&e, to, length + 1);
  heddle_real_memmove(to, from, length + 1);
  return to + length;
}

INTERPOSED char *strcpy(char *to, const char *from) {
  copy_string(to, from, UNLIMITED, "strcpy", CALLER);
  return to;
}

INTERPOSED char *stpcpy(char *to, const char *from) {
  return copy_string(to, from, UNLIMITED, "stpcpy", CALLER);
}

/* Copies at most `size` bytes and fills the rest with zeros.  Exactly `size`
 * bytes are written. */
static char *copy_padded(char *to, const char *from, size_t size,
                         const char *name, uint64_t pc) {
  struct libcall e;
  if (!size)
    return to;
  libcall_begin(&e, OP_COPY, pc);
  libcall_write(&e, to, size);
  libcall_string(&e, from, size);
  libcall_announce(&e);
  size_t length = read_string(&e, from, size);
  check_overlap(to, from, string_extent(length, size), name, pc);
  heddle_real_memmove(to, from, length);
  heddle_real_memset(to + length, 0, size - length);
  return to + length;
}

INTERPOSED char *strncpy(char *to, const char *from, size_t size) {
  copy_padded(to, from, size, "strncpy", CALLER);
  return to;
}

INTERPOSED char *stpncpy(char *to, const char *from, size_t size) {
  return copy_padded(to, from, size, "stpncpy", CALLER);
}

/* Appends at most `most` bytes, and a zero. */
static char *append(char *to, const char *from, size_t most, size_t room,
                    const char *name, uint64_t pc) {
  struct libcall e;
  libcall_begin(&e, OP_COPY, pc);
  libcall_string(&e, to, SIZE_MAX);
  libcall_string(&e, from, most);
  libcall_announce(&e);
  char *end = to + read_string(&e, to, SIZE_MAX);
  size_t length = most ? read_string(&e, from, most) : 0;
  check_room(name, end - to + length + 1, room, pc);
  check_overlap(end, from, length + 1, name, pc);
  touches(&e, end, length + 1);
  heddle_real_memmove(end, from, length);
  end[length] = 0;
  return to;
}

INTERPOSED char *strcat(char *to, const char *from) {
  return append(to, from, SIZE_MAX, UNLIMITED, "strcat", CALLER);
}

INTERPOSED char *strncat(char *to, const char *from, size_t most) {
  return append(to, from, most, UNLIMITED, "strncat", CALLER);
}

INTERPOSED size_t strxfrm(char *to, const char *from, size_t size) {
  struct libcall e;
  libcall_begin(&e, OP_COPY, CALLER);
  libcall_string(&e, from, SIZE_MAX);
  if (size)
    libcall_begin_write(&e, to);
  libcall_announce(&e);
  size_t length = read_string(&e, from, SIZE_MAX);
  size_t copied = length < size ? length + 1 : size;
  touches(&e, to, copied);
  heddle_real_memmove(to, from, copied);
  return length;
}

/* ---- copies on the heap -------------------------------------------------- */

static char *duplicate(const char *s, size_t most, uint64_t pc) {
  struct libcall e;
  announce_scan(&e, s, most, NULL, pc);
  size_t length = most ? read_string(&e, s, most) : 0;
  char *fresh = heap_allocate(length + 1, 16, pc);
  if (!fresh)
    return NULL;
  undo_note(fresh, length + 1);
  heddle_real_memcpy(fresh, s, length);
  fresh[length] = 0;
  return heap_written(fresh, length + 1, pc);
}

INTERPOSED char *strdup(const char *s) {
  return duplicate(s, SIZE_MAX, CALLER);
}

INTERPOSED char *strndup(const char *s, size_t most) {
  return duplicate(s, most, CALLER);
}

INTERPOSED char *__strdup(const char *);
INTERPOSED char *__strdup(const char *s) {
  return duplicate(s, SIZE_MAX, CALLER);
}

INTERPOSED char *__strndup(const char *, size_t);
INTERPOSED char *__strndup(const char *s, size_t most) {
  return duplicate(s, most, CALLER);
}

/* ---- tokens -------------------------------------------------------------- */

/* Cuts off the first token of s and stores where the rest begins.  The step
 * has been announced. */
static char *cut(const struct libcall *e, char *s, const char *set,
                 char **rest) {
  s += span(e, s, set, true);
  char *end = s + span(e, s, set, false);
  char *next = end;
  if (*end) {
    touches(e, end, 1);
    *next++ = 0;
  }
  *rest = next;
  return end == s ? NULL : s;
}

/* If s is NULL, the string is *rest, which is known only when the step is
 * taken. */
static char *token(char *s, const char *set, char **rest, uint64_t pc) {
  struct libcall e;
  libcall_begin(&e, OP_SCAN, pc);
  libcall_write(&e, rest, sizeof *rest);
  libcall_string(&e, set, SIZE_MAX);
  if (s)
    libcall_string(&e, s, SIZE_MAX);
  e.op.flags |= STEP_BLOCK;
  libcall_announce(&e);
  if (!s)
    s = *rest;
  return s ? cut(&e, s, set, rest) : NULL;
}

INTERPOSED char *strtok_r(char *s, const char *set, char **rest) {
  return token(s, set, rest, CALLER);
}

INTERPOSED char *__strtok_r(char *s, const char *set, char **rest) {
  return token(s, set, rest, CALLER);
}

/* prog: the position of strtok, one for all threads as in libc.  Its use by two
 * threads at once is a race like any other. */
PROG static char *strtok_rest;

INTERPOSED char *strtok(char *s, const char *set) {
  return token(s, set, &strtok_rest, CALLER);
}

INTERPOSED char *strsep(char **string, const char *set) {
  struct libcall e;
  libcall_begin(&e, OP_SCAN, CALLER);
  libcall_write(&e, string, sizeof *string);
  libcall_string(&e, set, SIZE_MAX);
  e.op.flags |= STEP_BLOCK;
  libcall_announce(&e);
  char *s = *string;
  if (!s)
    return NULL;
  char *end = s + span(&e, s, set, false);
  if (!*end) {
    *string = NULL;
    return s;
  }
  touches(&e, end, 1);
  *end = 0;
  *string = end + 1;
  return s;
}

/* ---- messages ------------------------------------------------------------ */

const char *error_text(int number) {
  return REAL(strerrordesc_np)(number);
}

/* As libc's: a constant for the numbers that mean something. */
static char *describe_error(int number, uint64_t pc) {
  const char *text = error_text(number);
  if (text)
    return (char *)(uintptr_t)text;
  char *fresh = heap_allocate(32, 16, pc);
  undo_note(fresh, 32);
  heddle_real_snprintf(fresh, 32, "Unknown error %d", number);
  return heap_written(fresh, heddle_real_strlen(fresh) + 1, pc);
}

INTERPOSED char *strerror(int number) {
  return describe_error(number, CALLER);
}

INTERPOSED char *strerror_l(int number, locale_t locale) {
  (void)locale;
  return describe_error(number, CALLER);
}

/* The last one of an odd number of bytes is left out. */
void swab(const void *, void *, ssize_t);
INTERPOSED void swab(const void *from, void *to, ssize_t size) {
  struct libcall e;
  size_t pairs = size > 0 ? (size_t)size / 2 : 0;
  libcall_begin(&e, OP_COPY, CALLER);
  libcall_read(&e, from, 2 * pairs);
  libcall_write(&e, to, 2 * pairs);
  libcall_announce(&e);
  for (size_t i = 0; i < pairs; i++) {
    uint16_t pair;
    memcpy(&pair, (const char *)from + 2 * i, 2);
    pair = (uint16_t)(pair << 8 | pair >> 8);
    memcpy((char *)to + 2 * i, &pair, 2);
  }
}

static size_t write_error(int number, char *to, size_t size, uint64_t pc) {
  char unknown[32];
  const char *text = error_text(number);
  if (!text) {
    heddle_real_snprintf(unknown, sizeof unknown, "Unknown error %d", number);
    text = unknown;
  }
  size_t length = heddle_real_strlen(text);
  size_t copied = length < size ? length + 1 : size;
  struct libcall e;
  libcall_begin(&e, OP_COPY, pc);
  libcall_write(&e, to, copied);
  libcall_announce(&e);
  heddle_real_memcpy(to, text, copied);
  if (copied)
    to[copied - 1] = 0;
  return length;
}

/* The GNU one, which may return a constant instead. */
INTERPOSED char *strerror_r(int number, char *to, size_t size) {
  const char *text = error_text(number);
  if (text)
    return (char *)(uintptr_t)text;
  write_error(number, to, size, CALLER);
  return to;
}

INTERPOSED int __xpg_strerror_r(int number, char *to, size_t size);
INTERPOSED int __xpg_strerror_r(int number, char *to, size_t size) {
  size_t length = write_error(number, to, size, CALLER);
  if (!error_text(number))
    return EINVAL;
  return length < size ? 0 : ERANGE;
}

INTERPOSED char *strsignal(int number) {
  const char *text = REAL(sigdescr_np)(number);
  return (char *)(uintptr_t)(text ? text : "Unknown signal");
}

/* ---- what _FORTIFY_SOURCE makes of them ---------------------------------- */

INTERPOSED char *__strcpy_chk(char *, const char *, size_t);
INTERPOSED char *__strcpy_chk(char *to, const char *from, size_t room) {
  copy_string(to, from, room, "strcpy", CALLER);
  return to;
}

INTERPOSED char *__stpcpy_chk(char *, const char *, size_t);
INTERPOSED char *__stpcpy_chk(char *to, const char *from, size_t room) {
  return copy_string(to, from, room, "stpcpy", CALLER);
}

INTERPOSED char *__strncpy_chk(char *, const char *, size_t, size_t);
INTERPOSED char *__strncpy_chk(char *to, const char *from, size_t size,
                               size_t room) {
  check_room("strncpy", size, room, CALLER);
  copy_padded(to, from, size, "strncpy", CALLER);
  return to;
}

INTERPOSED char *__stpncpy_chk(char *, const char *, size_t, size_t);
INTERPOSED char *__stpncpy_chk(char *to, const char *from, size_t size,
                               size_t room) {
  check_room("stpncpy", size, room, CALLER);
  return copy_padded(to, from, size, "stpncpy", CALLER);
}

INTERPOSED char *__strcat_chk(char *, const char *, size_t);
INTERPOSED char *__strcat_chk(char *to, const char *from, size_t room) {
  return append(to, from, SIZE_MAX, room, "strcat", CALLER);
}

INTERPOSED char *__strncat_chk(char *, const char *, size_t, size_t);
INTERPOSED char *__strncat_chk(char *to, const char *from, size_t most,
                               size_t room) {
  return append(to, from, most, room, "strncat", CALLER);
}
