/* The environment: getenv, setenv and similar functions.
 *
 * Changes are kept apart from the environment that the program began with: a
 * table of strings NAME=VALUE, where NAME alone says that there is no such
 * variable any more.  The table is state of the library, so that a setenv and
 * a getenv of different threads are tried in both orders.  putenv copies its
 * string, too: a later change of the string has no effect.  The variable
 * environ shows what the program began with. */
#define _GNU_SOURCE
#include "libc.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/wire.h"

enum { MOST_CHANGES = 64, MOST_BYTES = 16 << 10 };

/* prog */
PROG static struct {
  uint32_t count;
  uint32_t cleared; /* what the program began with is gone */
  uint32_t used;    /* bytes of `texts` */
  char *at[MOST_CHANGES];
} changes;

/* prog: the strings.  As in glibc, each stays as it is for ever. */
PROG static char texts[MOST_BYTES];

/* Strings of the program are read by steps of their own, before the table is
 * used, and are kept on the stack of the thread that calls. */
#define COPY(string, pc)                        \
  ({                                            \
    const char *original = (string);            \
    size_t length_ = read_string(original, pc); \
    char *copy = __builtin_alloca(length_ + 1); \
    memcpy(copy, original, length_);            \
    copy[length_] = 0;                          \
    copy;                                       \
  })

static size_t read_string(const char *string, uint64_t pc) {
  struct libcall e;
  libcall_begin(&e, OP_SCAN, pc);
  libcall_string(&e, string, SIZE_MAX);
  libcall_announce(&e);
  size_t length = string_length(string, SIZE_MAX);
  touched(&e, string, length + 1);
  return length;
}

/* ---- looking ------------------------------------------------------------- */

static bool is_named(const char *entry, const char *name, size_t length) {
  return !strncmp(entry, name, length) &&
         (entry[length] == '=' || !entry[length]);
}

static char **find_change(const char *name, size_t length) {
  for (uint32_t i = 0; i < changes.count; i++)
    if (is_named(changes.at[i], name, length))
      return &changes.at[i];
  return NULL;
}

/* Hides the variable that tells the runtime that the program is checked. */
static char *find_first(const char *name, size_t length) {
  if (changes.cleared ||
      (length == sizeof WIRE_ENV - 1 && !memcmp(name, WIRE_ENV, length)))
    return NULL;
  for (char **at = environ; at && *at; at++)
    if (is_named(*at, name, length))
      return *at;
  return NULL;
}

static char *find_value(const char *name, size_t length) {
  char **change = find_change(name, length);
  char *entry = change ? *change : find_first(name, length);
  return entry && entry[length] == '=' ? entry + length + 1 : NULL;
}

static char *look_up(const char *name, uint64_t pc) {
  name = COPY(name, pc);
  library_state(&changes, sizeof changes, false, pc);
  return find_value(name, strlen(name));
}

INTERPOSED char *getenv(const char *name) {
  return look_up(name, CALLER);
}

INTERPOSED char *secure_getenv(const char *name) {
  return look_up(name, CALLER);
}

/* ---- changing ------------------------------------------------------------ */

/* Puts the entry into the table, in place of an older one. */
static void put(char *entry, size_t length) {
  char **change = find_change(entry, length);
  if (!change) {
    if (changes.count == MOST_CHANGES)
      refuse("more than %d variables of the environment are changed",
             MOST_CHANGES);
    change = &changes.at[changes.count];
    SET(changes.count, changes.count + 1);
  }
  SET(*change, entry);
}

static char *make_room(size_t size) {
  if (size > MOST_BYTES - changes.used)
    refuse("the program's changes of the environment have more than %d bytes",
           MOST_BYTES);
  char *room = texts + changes.used;
  SET(changes.used, changes.used + (uint32_t)size);
  return room;
}

static void store(const char *name, size_t length, const char *value) {
  size_t size = length + 1 + (value ? strlen(value) + 1 : 0);
  char *entry = make_room(size);
  undo_note(entry, size);
  memcpy(entry, name, length);
  entry[length] = value ? '=' : 0;
  if (value)
    strcpy(entry + length + 1, value);
  put(entry, length);
}

static bool is_bad_name(const char *name) {
  if (*name && !strchr(name, '='))
    return false;
  error_set(EINVAL);
  return true;
}

INTERPOSED int setenv(const char *name, const char *value, int replace) {
  name = COPY(name, CALLER);
  value = COPY(value, CALLER);
  library_state(&changes, sizeof changes, true, CALLER);
  if (is_bad_name(name))
    return -1;
  if (replace || !find_value(name, strlen(name)))
    store(name, strlen(name), value);
  return 0;
}

INTERPOSED int unsetenv(const char *name) {
  name = COPY(name, CALLER);
  library_state(&changes, sizeof changes, true, CALLER);
  if (is_bad_name(name))
    return -1;
  if (find_value(name, strlen(name)))
    store(name, strlen(name), NULL);
  return 0;
}

INTERPOSED int putenv(char *entry) {
  entry = COPY(entry, CALLER);
  library_state(&changes, sizeof changes, true, CALLER);
  const char *sign = strchr(entry, '=');
  size_t length = sign ? (size_t)(sign - entry) : strlen(entry);
  store(entry, length, sign ? sign + 1 : NULL);
  return 0;
}

INTERPOSED int clearenv(void) {
  library_state(&changes, sizeof changes, true, CALLER);
  SET(changes.cleared, 1);
  SET(changes.count, 0);
  return 0;
}
