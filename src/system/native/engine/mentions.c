/* Where the program mentions functions that the runtime refuses or does not
 * know.
 *
 * A refusal names all such functions at once, each with its places and what to
 * do, so that the user need not run into them one by one.  The stubs of those
 * that are not known (see external.h) are in a table that `heddle cc` made; the
 * others are interposed.  Their places are found by looking through the
 * program's instructions for those that reach a stub or an entry.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "engine.h"
#include "external.h"

#include <string.h>

/* keep: one entry of the table; see cc/driver/cc_stubs.c. */
struct stub {
  const struct external *function;
  const char *code;
};

extern const struct stub __start_heddle_stubs[]
    __attribute__((weak, visibility("hidden")));
extern const struct stub __stop_heddle_stubs[]
    __attribute__((weak, visibility("hidden")));

enum { SHOWN_PLACES = 3 };

/* ---- instructions -------------------------------------------------------- */

#if defined __x86_64__

enum { INSTRUCTION_STEP = 1, INSTRUCTION_SIZE = 5 };

/* A call, a jump, or the address taken: the last four bytes are the distance
 * from the next instruction. */
static bool reaches(const unsigned char *at, const char *target) {
  int32_t distance;
  bool jumps = at[0] == 0xe8 || at[0] == 0xe9;
  bool takes_address = at[-1] == 0x8d && (at[0] & 0xc7) == 0x05;
  if (!jumps && !takes_address)
    return false;
  memcpy(&distance, at + 1, sizeof distance);
  return (const char *)at + INSTRUCTION_SIZE + distance == target;
}

#else

enum { INSTRUCTION_STEP = 4, INSTRUCTION_SIZE = 4 };

/* bl and b: 26 bits, in units of four bytes. */
static bool reaches(const unsigned char *at, const char *target) {
  uint32_t word;
  memcpy(&word, at, sizeof word);
  if ((word & 0x7c000000) != 0x14000000)
    return false;
  int32_t distance = (int32_t)(word << 6) >> 4;
  return (const char *)at + distance == target;
}

#endif

/* ---- the list ------------------------------------------------------------ */

struct list {
  char *text;
  size_t size;
  size_t length;
};

static void add(struct list *l, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
static void add(struct list *l, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  size_t room = l->size - l->length;
  int more = real_vsnprintf(l->text + l->length, room, format, arguments);
  va_end(arguments);
  l->length += (size_t)more < room ? (size_t)more : room - 1;
}

/* Adds the places in one module, each as a return address.  Returns their
 * number. */
static unsigned add_places(struct list *l, const struct module *m,
                           const char *target, unsigned known) {
  unsigned found = known;
  for (uint64_t at = m->code + INSTRUCTION_STEP;
       at + INSTRUCTION_SIZE <= m->code_end; at += INSTRUCTION_STEP)
    if (reaches((const unsigned char *)(uintptr_t)at, target) &&
        module_is_program(at) && found++ < SHOWN_PLACES)
      add(l, "%s{pc:%llx}", found > 1 ? ", " : "",
          (unsigned long long)at + INSTRUCTION_SIZE);
  return found;
}

/* Its places, if there are any. */
static unsigned add_function(struct list *l, const char *name,
                             const char *code) {
  unsigned found = 0;
  size_t before = l->length;
  add(l, "\n  %s: ", name);
  for (size_t i = 0; i < modules()->size; i++)
    if (modules()->at[i].program)
      found = add_places(l, &modules()->at[i], code, found);
  if (found > SHOWN_PLACES)
    add(l, " and %u more", found - SHOWN_PLACES);
  if (!found)
    l->length = before;
  return found;
}

/* A stub is there because the program mentions the function. */
static void add_stub(struct list *l, const struct stub *stub) {
  const char *name = stub->function->name;
  if (!add_function(l, name, stub->code))
    add(l, "\n  %s: from a table of functions", name);
  add(l, ": not known; --allow-external=%s", name);
}

static void add_advice(struct list *l, const struct advice *a) {
  const char *code = external_entry(a->name);
  if (code && add_function(l, a->name, code))
    add(l, ": %s", a->instead);
}

void mentions_list(char *text, size_t size) {
  struct list l = {text, size, 0};
  text[0] = 0;
  for (const struct stub *s = __start_heddle_stubs; s < __stop_heddle_stubs;
       s++)
    if (!external_allowed(s->function->name))
      add_stub(&l, s);
  for (const struct advice *a = external_advice; a->name; a++)
    add_advice(&l, a);
  text[l.length] = 0;
}
