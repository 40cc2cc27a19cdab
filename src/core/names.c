/* What operations and findings are, from their lists. */
#include "system.h"

enum { no, yes };
#define NEVER NULL

const struct op_row op_table[OPS] = {
#define OP(id, json, kind, bytes, synchronises, says, again, depends, about, \
           schedule, waiting)                                                \
  [OP_##id] = {.class = OPCLASS_##kind,                                      \
               .access = OPACCESS_##bytes,                                   \
               .order = OPORDER_##synchronises,                              \
               .target = OPTARGET_##about,                                   \
               .offers = says,                                               \
               .repeats = again,                                             \
               .varies = depends,                                            \
               .name = json,                                                 \
               .words = schedule,                                            \
               .waits = waiting},
#include "ops.def"
#undef OP
};

const char *finding_name(enum finding_kind kind) {
  static const char *const names[] = {
#define FINDING(id, name, headline) name,
#include "findings.def"
#undef FINDING
  };
  return names[kind];
}
