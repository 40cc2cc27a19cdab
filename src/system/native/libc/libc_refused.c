/* Functions that are refused: refused.def. */
#define _GNU_SOURCE
#include "libc.h"
#include "system/native/engine/external.h"

/* The types do not matter: none returns. */
#define REFUSED(name, why)                 \
  int refused_##name(void) __asm__(#name); \
  INTERPOSED int refused_##name(void) {    \
    external_refuse(#name, why);           \
  }
#include "refused.def"
#undef REFUSED

const struct advice external_advice[] = {
#define REFUSED(name, why) {#name, why},
#include "refused.def"
    {NULL, NULL}};
