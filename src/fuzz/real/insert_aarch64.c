/* Steps in AArch64 code.  heddle_real_step keeps all registers but those that
 * the call itself needs, and the flags. */
#include <string.h>

#include "fuzz/real/insert.h"

const char *const insert_options[] = {NULL};

const char insert_call[] = "\tstp\tx29, x30, [sp, -16]!\n"
                           "\tbl\theddle_real_step\n"
                           "\tldp\tx29, x30, [sp], 16\n";

static bool starts(const char *text, const char *prefix) {
  return !strncmp(text, prefix, strlen(prefix));
}

/* Between an exclusive load and its store no other memory may be touched. */
static bool is_exclusive(const char *code) {
  return starts(code, "stx") || starts(code, "stlx");
}

bool insert_before(const char *instruction) {
  if (starts(instruction, "bl"))
    return true;
  return strchr(instruction, '[') && !is_exclusive(instruction);
}
