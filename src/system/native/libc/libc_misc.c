/* errno, and facts about the machine and the process, which are always the
 * same. */
#define _GNU_SOURCE
#include "libc.h"

#include <errno.h>
#include <locale.h>
#include <sched.h>
#include <sys/sysinfo.h>
#include <unistd.h>

#include "heap.h"
#include "system/native/engine/round.h"
#include "system/native/engine/timekeeping.h"
#include "system/native/files/files.h"

/* ---- errno --------------------------------------------------------------- */

/* The kernel thread's, which libc's own functions set (see real.map). */
int *heddle_real_errno_location(void);
int *heddle_real_errno_location(void) {
  return REAL(__errno_location)();
}

static bool has_own_errno(void) {
  return self != NULL;
}

INTERPOSED int *__errno_location(void) {
  return has_own_errno() ? &self->error_number : heddle_real_errno_location();
}

/* A new value is something that a round of a loop has changed: the thread may
 * look at it without a step. */
static void error_change(int number) {
  if (number == self->error_number)
    return;
  round_changes();
  SET(self->error_number, number);
}

void error_set(int number) {
  if (has_own_errno())
    error_change(number);
  else
    *heddle_real_errno_location() = number;
}

void foreign_enter(void) {
  heap_foreign_begin();
  if (has_own_errno())
    *heddle_real_errno_location() = self->error_number;
}

void foreign_leave(void) {
  heap_foreign_end();
  if (has_own_errno())
    error_change(*heddle_real_errno_location());
}

/* ---- the run as a whole -------------------------------------------------- */

void libc_reset(void) {
  output_reset();
  exit_reset();
  getopt_reset();
  time_reset();
  files_reset();
}

void libc_start(void) {
  output_start();
  exit_start();
  getopt_start();
  files_start();
}

/* ---- the process and the machine ----------------------------------------- */

#define PROCESS PROCESS_ID
#define USER USER_ID

#define FIXED(type, name, value) \
  INTERPOSED type name(void) {   \
    return (value);              \
  }

FIXED(pid_t, getpid, PROCESS)
FIXED(pid_t, getppid, 1)
FIXED(pid_t, gettid, PROCESS + (self ? (pid_t)self->id : 0))
FIXED(pid_t, getpgrp, PROCESS)
FIXED(uid_t, getuid, USER)
FIXED(uid_t, geteuid, USER)
FIXED(gid_t, getgid, USER)
FIXED(gid_t, getegid, USER)
FIXED(int, sched_getcpu, 0)
FIXED(long, gethostid, 0)
FIXED(int, get_nprocs, 2)
FIXED(int, get_nprocs_conf, 2)
FIXED(int, getpagesize, 4096)

/* Values that differ between machines are fixed here; the rest are constants of
 * libc. */
INTERPOSED long sysconf(int name) {
  switch (name) {
  case _SC_NPROCESSORS_ONLN:
  case _SC_NPROCESSORS_CONF:
    return 2;
  case _SC_PHYS_PAGES:
  case _SC_AVPHYS_PAGES:
    return 1 << 18; /* 1 GB */
  default:
    return REAL(sysconf)(name);
  }
}

/* There is only the locale "C". */
static bool is_known_locale(const char *name, uint64_t pc) {
  struct libcall e;
  libcall_begin(&e, OP_SCAN, pc);
  libcall_string(&e, name, SIZE_MAX);
  libcall_announce(&e);
  touched(&e, name, string_length(name, SIZE_MAX) + 1);
  return !*name || !heddle_real_strcmp(name, "C") ||
         !heddle_real_strcmp(name, "POSIX");
}

INTERPOSED char *setlocale(int category, const char *locale) {
  (void)category;
  static char name[] = "C";
  return !locale || is_known_locale(locale, CALLER) ? name : NULL;
}
