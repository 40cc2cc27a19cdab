/* Accesses that nothing declares: compiled without hooks, but linked as if
 * `heddle cc` had compiled it, by this reference. */
#include "core/hook.h"

extern const char mark __asm__(HOOK_MARK);
const char *const unseen_mark = &mark;

int unseen_read(const int *from) {
  return *from;
}

void unseen_write(int *to, int value) {
  *to = value;
}
