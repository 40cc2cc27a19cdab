/* Steps in x86-64 code.  heddle_real_step keeps all registers and the flags; a
 * function must not keep data below its stack pointer. */
#include <string.h>

#include "fuzz/real/insert.h"

const char *const insert_options[] = {"-mno-red-zone", NULL};

const char insert_call[] = "\tcall\theddle_real_step\n";

static bool starts(const char *text, const char *prefix) {
  return !strncmp(text, prefix, strlen(prefix));
}

/* The linker knows the code around __tls_get_addr and replaces it. */
static bool calls(const char *code) {
  return starts(code, "call") && !strstr(code, "__tls_get_addr");
}

static bool touches_memory(const char *code) {
  if (starts(code, "lea") || starts(code, "nop"))
    return false;
  return strchr(code, '(') || strstr(code, "%fs:") || starts(code, "rep");
}

bool insert_before(const char *instruction) {
  return calls(instruction) || touches_memory(instruction);
}
