#include "ensure.h"

#include <stdio.h>
#include <unistd.h>

void (*ensure_context)(void);

/* Uses no stdio stream: the checked program's may be in any state. */
void ensure_failed(const char *what, const char *file, int line) {
  dprintf(2, "heddle: internal error: %s:%d: %s\n", file, line, what);
  void (*context)(void) = ensure_context;
  ensure_context = 0; /* it may fail itself */
  if (context)
    context();
  _exit(70);
}
