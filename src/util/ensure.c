#include "ensure.h"

#include <stdbool.h>
#include <stdio.h>
#include <unistd.h>

void (*ensure_context)(void);
int out_of_memory_exit = 2;

/* Reporting a failure may fail itself: then the process ends at once. */
static void end_if_failing(void) {
  static bool failing;
  if (failing)
    _exit(70);
  failing = true;
}

/* Uses no stdio stream: in the checked program, streams may be in any state. */
void ensure_failed(const char *what, const char *file, int line) {
  end_if_failing();
  dprintf(2, "heddle: internal error: %s:%d: %s\n", file, line, what);
  if (ensure_context)
    ensure_context();
  _exit(70);
}

void out_of_memory(void) {
  dprintf(2, "heddle: out of memory\n");
  _exit(out_of_memory_exit);
}
