/* Sites: where an access stands, and what the source calls the object. */
#include <stdio.h>
#include <string.h>

#include "unit.h"

void sites_name(struct unit *u, LLVMValueRef function) {
  (void)u;
  (void)function;
}

LLVMValueRef site_of(struct unit *u, LLVMValueRef instruction, unsigned nth) {
  unsigned length = 0;
  size_t size = 0;
  char text[4096];
  (void)nth;
  LLVMValueRef function =
      LLVMGetBasicBlockParent(LLVMGetInstructionParent(instruction));
  const char *file = LLVMGetDebugLocFilename(instruction, &length);
  snprintf(text, sizeof text, "%s\t%s\t%.*s:%u:%u", "",
           LLVMGetValueName2(function, &size), (int)length, file ? file : "",
           LLVMGetDebugLocLine(instruction),
           LLVMGetDebugLocColumn(instruction));
  return unit_bytes(u, text, strlen(text) + 1);
}
