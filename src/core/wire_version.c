/* The version of the wire: a program that was built with another heddle must be
 * refused, not misunderstood.  WIRE_VERSION is counted up by hand.  The lists
 * grow more often than one remembers that: so their names in order count, and
 * so does the size of the control file. */
#include <string.h>

#include "core/wire.h"
#include "util/hash.h"

static const char *const names[] = {
#define OP(id, json, ...) json,
#include "core/ops.def"
#undef OP
#define FINDING(id, name, headline) name,
#include "core/findings.def"
#undef FINDING
#define FLAG(field, name, help) name,
#define ENUM(field, name, values, initial, help) name,
#define NUMBER(field, name, arg, least, initial, help) name,
#define BYTE(field, name, arg, initial, help) name,
#define SIZE(field, name, arg, least, initial, words, help) name,
#define RANGES(field, name, arg, words, help) name,
#define LINES(field, name, arg, help) name,
#include "core/options.def"
};

uint32_t wire_version(void) {
  uint64_t sum = hash_start() + WIRE_VERSION + sizeof(struct control);
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    sum = hash_bytes(sum, names[i], strlen(names[i]) + 1);
  return (uint32_t)(sum >> 32);
}
