/* Regular expressions.
 *
 * What regcomp() makes of a pattern depends on the pattern alone.  It is made
 * once and kept; the program's regex_t holds a number that stands for it, which
 * is computed from the pattern, so that it is the same in every run.
 */
#define _GNU_SOURCE
#define __NO_INLINE__ 1 /* no bodies in the headers */
#include "libc.h"

#include <regex.h>
#include <stdlib.h>
#include <string.h>

#include "util/ensure.h"
#include "util/vec.h"

/* keep */
struct pattern {
  uint64_t number; /* in regex_t.buffer */
  char *text;
  int flags;
  int error;
  regex_t compiled;
};
static VEC(struct pattern *) patterns;

static uint64_t number_of(const char *text, int flags) {
  uint64_t hash = (uint64_t)flags + 0x9e3779b97f4a7c15;
  for (; *text; text++)
    hash = (hash ^ (unsigned char)*text) * 0x100000001b3;
  return hash | 1;
}

static struct pattern *pattern_numbered(uint64_t number) {
  for (size_t i = 0; i < patterns.size; i++)
    if (patterns.at[i]->number == number)
      return patterns.at[i];
  return NULL;
}

static const struct pattern *compile(const char *text, int flags) {
  uint64_t number = number_of(text, flags);
  struct pattern *p;
  while ((p = pattern_numbered(number))) {
    if (p->flags == flags && !heddle_real_strcmp(p->text, text))
      return p;
    number += 2;
  }
  p = malloc(sizeof *p);
  char *copy = malloc(strlen(text) + 1);
  ensure(p && copy); /* out of memory */
  *p = (struct pattern){.number = number, .text = copy, .flags = flags};
  memcpy(copy, text, strlen(text) + 1);
  foreign_enter();
  p->error = REAL(regcomp)(&p->compiled, copy, flags);
  foreign_leave();
  VEC_PUSH(patterns, p);
  return p;
}

INTERPOSED int regcomp(regex_t *to, const char *text, int flags) {
  struct libcall e;
  libcall_begin(&e, OP_COPY, CALLER);
  libcall_write(&e, to, sizeof *to);
  libcall_string(&e, text, SIZE_MAX);
  libcall_announce(&e);
  touched(&e, text, string_length(text, SIZE_MAX) + 1);
  const struct pattern *p = compile(text, flags);
  memset(to, 0, sizeof *to);
  if (!p->error) {
    to->buffer = (void *)(uintptr_t)p->number;
    to->re_nsub = p->compiled.re_nsub;
  }
  return p->error;
}

static const struct pattern *pattern_of(const regex_t *from, uint64_t pc) {
  const struct pattern *p = pattern_numbered((uintptr_t)from->buffer);
  if (!p)
    fail(FINDING_MISUSE, pc,
         "a regular expression that is not compiled, or was freed");
  return p;
}

/* How many places it stores. */
static size_t places(const struct pattern *p, size_t count, int flags) {
  return p->flags & REG_NOSUB && !(flags & REG_STARTEND) ? 0 : count;
}

INTERPOSED int regexec(const regex_t *from, const char *text, size_t count,
                       regmatch_t to[_Restrict_arr_ _REGEX_NELTS(count)],
                       int flags) {
  struct libcall e;
  bool part = flags & REG_STARTEND;
  libcall_begin(&e, OP_COPY, CALLER);
  libcall_read(&e, from, sizeof *from);
  if (part)
    libcall_read(&e, to, sizeof *to);
  libcall_string(&e, text, SIZE_MAX);
  if (count)
    libcall_begin_write(&e, to);
  libcall_announce(&e);
  const struct pattern *p = pattern_of(from, CALLER);
  if (part)
    touched(&e, text + to->rm_so, (size_t)(to->rm_eo - to->rm_so));
  else
    touched(&e, text, string_length(text, SIZE_MAX) + 1);
  count = places(p, count, flags);
  if (count)
    touches(&e, to, count * sizeof *to);
  foreign_enter();
  int result = REAL(regexec)(&p->compiled, text, count, to, flags);
  foreign_leave();
  return result;
}

INTERPOSED void regfree(regex_t *of) {
  struct libcall e;
  libcall_begin(&e, OP_SET, CALLER);
  libcall_write(&e, of, sizeof *of);
  libcall_announce(&e);
  memset(of, 0, sizeof *of);
}

INTERPOSED size_t regerror(int error, const regex_t *of, char *to,
                           size_t size) {
  char text[256];
  struct libcall e;
  (void)of;
  foreign_enter();
  size_t needed = REAL(regerror)(error, NULL, text, sizeof text);
  foreign_leave();
  if (!size)
    return needed;
  size_t written = needed < size ? needed : size;
  libcall_begin(&e, OP_COPY, CALLER);
  libcall_overwrite(&e, to, written);
  libcall_announce(&e);
  memcpy(to, text, written - 1);
  to[written - 1] = 0;
  return needed;
}
