/* The way into a checked program: this file owns main.
 *
 * The link gives the program's main another name (--wrap=main): the C start-up
 * code calls __wrap_main when the constructors have run.  With a control file
 * the program is explored or replayed; without one it runs as if an ordinary
 * compiler had built it.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "session/native_session.h"
#include "system/native/engine/engine.h"
#include "system/native/engine/external.h"
#include "system/native/libc/heap.h"
#include "system/native/libc/libc.h"

#include <string.h>
#include <unistd.h>

int __real_main(int argc, char **argv, char **envp);
__attribute__((visibility("default"))) int __wrap_main(int argc, char **argv,
                                                       char **envp);

static struct {
  int argc;
  char **argv;
  char **envp;
} arguments;

static void main_entry(struct thread *t) {
  (void)t;
  signals_start();
  int status = __real_main(arguments.argc, arguments.argv, arguments.envp);
  program_exit(status, (uintptr_t)__real_main + 1); /* as a return address */
}

/* ---- checked ------------------------------------------------------------- */

static void send_modules(void) {
  for (size_t i = 0; i < modules()->size; i++) {
    const struct module *m = &modules()->at[i];
    struct wire_module head = {m->bias};
    wire_send(MESSAGE_MODULE, &head, sizeof head, m->path, strlen(m->path));
  }
}

static void explore_program(void) {
  send_modules();
  external_start();
  heap_start();
  output_start();
  crash_catch();
  stuck_answer();
  signals_expect();
  sharing_start();
  coroutine_start_main(main_entry, (uintptr_t)__real_main);
  if (engine.control->options.rollback == ROLLBACK_REPLAY)
    rollback_prepare();
  ensure_context = native_print_schedule;
  out_of_memory_exit = WIRE_NO_MEMORY;
  engine.mode = MODE_EXPLORE;
  native_session(&native_system, engine.control);
}

/* ---- main ---------------------------------------------------------------- */

int __wrap_main(int argc, char **argv, char **envp) {
  arguments.argc = argc;
  arguments.argv = argv;
  arguments.envp = envp;
  if (!control_find()) {
    engine.mode = MODE_PLAIN;
    return __real_main(argc, argv, envp);
  }
  explore_program();
  _exit(0);
}
