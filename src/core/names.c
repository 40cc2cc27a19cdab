/* The names of operations and findings, from their lists. */
#include "system.h"

const char *op_name(enum op op) {
  static const char *const names[] = {
#define OP(id, name, text) name,
#include "ops.def"
#undef OP
  };
  return names[op];
}

const char *finding_name(enum finding_kind kind) {
  static const char *const names[] = {
#define FINDING(id, name, headline) name,
#include "findings.def"
#undef FINDING
  };
  return names[kind];
}
