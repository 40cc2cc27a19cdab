/* Facts about the machine and the process that a program asks for with a
 * variable to store them in: they are always the same.  What would change them
 * is accepted and changes nothing. */
#define _GNU_SOURCE
#include "libc.h"

#include <errno.h>
#include <malloc.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/sysinfo.h>
#include <sys/utsname.h>
#include <unistd.h>

/* Stores a fact in a variable of the program. */
static void tell(void *to, const void *fact, size_t size, uint64_t pc) {
  struct libcall e;
  libcall_begin(&e, OP_SET, pc);
  libcall_overwrite(&e, to, size);
  libcall_announce(&e);
  memcpy(to, fact, size);
}

static int fail_with(int number) {
  error_set(number);
  return -1;
}

/* ---- the machine --------------------------------------------------------- */

#define HOST "localhost"

INTERPOSED int uname(struct utsname *to) {
  static const struct utsname fact = {
      .sysname = "Linux",
      .nodename = HOST,
      .release = "6.1.0",
      .version = "#1",
      .machine = "x86_64",
  };
  tell(to, &fact, sizeof fact, CALLER);
  return 0;
}

INTERPOSED int gethostname(char *to, size_t size) {
  if (size < sizeof HOST)
    return fail_with(ENAMETOOLONG);
  tell(to, HOST, sizeof HOST, CALLER);
  return 0;
}

INTERPOSED int sysinfo(struct sysinfo *to) {
  struct sysinfo fact = {.uptime = 1000,
                         .totalram = 1ul << 30,
                         .freeram = 1ul << 29,
                         .procs = 1,
                         .mem_unit = 1};
  tell(to, &fact, sizeof fact, CALLER);
  return 0;
}

INTERPOSED int getloadavg(double *to, int count) {
  static const double fact[3];
  if (count > 3)
    count = 3;
  if (count > 0)
    tell(to, fact, (size_t)count * sizeof *fact, CALLER);
  return count;
}

/* ---- the process --------------------------------------------------------- */

/* The usual ones of a shell. */
static struct rlimit limit_of(int resource) {
  switch (resource) {
  case RLIMIT_NOFILE:
    return (struct rlimit){1024, 4096};
  case RLIMIT_STACK:
    return (struct rlimit){8 << 20, RLIM_INFINITY};
  case RLIMIT_CORE:
    return (struct rlimit){0, RLIM_INFINITY};
  default:
    return (struct rlimit){RLIM_INFINITY, RLIM_INFINITY};
  }
}

static int get_limit(int resource, struct rlimit *to, uint64_t pc) {
  if (resource < 0 || resource >= RLIMIT_NLIMITS)
    return fail_with(EINVAL);
  struct rlimit fact = limit_of(resource);
  tell(to, &fact, sizeof fact, pc);
  return 0;
}

static int set_limit(int resource) {
  return resource < 0 || resource >= RLIMIT_NLIMITS ? fail_with(EINVAL) : 0;
}

/* The header declares them with types that differ from system to system. */
#define GET_LIMIT(function, name)                            \
  int function(int, struct rlimit *) __asm__(name);          \
  INTERPOSED int function(int resource, struct rlimit *to) { \
    return get_limit(resource, to, CALLER);                  \
  }
#define SET_LIMIT(function, name)                                  \
  int function(int, const struct rlimit *) __asm__(name);          \
  INTERPOSED int function(int resource, const struct rlimit *to) { \
    (void)to;                                                      \
    return set_limit(resource);                                    \
  }

GET_LIMIT(get_usual_limit, "getrlimit")
GET_LIMIT(get_large_limit, "getrlimit64")
SET_LIMIT(set_usual_limit, "setrlimit")
SET_LIMIT(set_large_limit, "setrlimit64")

int get_usage(int, struct rusage *) __asm__("getrusage");
INTERPOSED int get_usage(int who, struct rusage *to) {
  static const struct rusage fact = {.ru_maxrss = 1 << 10};
  (void)who;
  tell(to, &fact, sizeof fact, CALLER);
  return 0;
}

int get_priority(int, unsigned) __asm__("getpriority");
INTERPOSED int get_priority(int which, unsigned who) {
  (void)which;
  (void)who;
  error_set(0);
  return 0;
}

int set_priority(int, unsigned, int) __asm__("setpriority");
INTERPOSED int set_priority(int which, unsigned who, int priority) {
  (void)which;
  (void)who;
  (void)priority;
  return 0;
}

INTERPOSED int nice(int by) {
  (void)by;
  return 0;
}

/* ---- advice about memory ------------------------------------------------- */

#define UNUSED __attribute__((unused))

INTERPOSED int mlock(const void *from UNUSED, size_t size UNUSED) {
  return 0;
}

INTERPOSED int munlock(const void *from UNUSED, size_t size UNUSED) {
  return 0;
}

INTERPOSED int mlockall(int flags UNUSED) {
  return 0;
}

INTERPOSED int munlockall(void) {
  return 0;
}

INTERPOSED int malloc_trim(size_t rest UNUSED) {
  return 0;
}

INTERPOSED int mallopt(int parameter UNUSED, int value UNUSED) {
  return 1;
}

/* ---- what a process may not do, or need not ------------------------------ */

/* The program has no rights beyond its own, and no terminal. */
INTERPOSED pid_t setsid(void) {
  return 1000;
}

static int become(unsigned id) {
  return id == 1000 ? 0 : fail_with(EPERM);
}

INTERPOSED int setuid(uid_t id) {
  return become(id);
}

INTERPOSED int setgid(gid_t id) {
  return become(id);
}

INTERPOSED int seteuid(uid_t id) {
  return become(id);
}

INTERPOSED int setegid(gid_t id) {
  return become(id);
}

int set_groups(size_t, const gid_t *) __asm__("setgroups");
INTERPOSED int set_groups(size_t count UNUSED, const gid_t *at UNUSED) {
  return fail_with(EPERM);
}

INTERPOSED int initgroups(const char *, gid_t);
INTERPOSED int initgroups(const char *name UNUSED, gid_t group UNUSED) {
  return fail_with(EPERM);
}

INTERPOSED int chroot(const char *path UNUSED) {
  return fail_with(EPERM);
}

struct termios;
INTERPOSED int tcgetattr(int, struct termios *);
INTERPOSED int tcgetattr(int descriptor UNUSED, struct termios *to UNUSED) {
  return fail_with(ENOTTY);
}

INTERPOSED int tcsetattr(int, int, const struct termios *);
INTERPOSED int tcsetattr(int descriptor UNUSED, int when UNUSED,
                         const struct termios *from UNUSED) {
  return fail_with(ENOTTY);
}

/* There is nobody but the user with this number, who has no name. */
#define NO_ENTRY(type, name, key)            \
  struct type;                               \
  INTERPOSED struct type *name(key);         \
  INTERPOSED struct type *name(key sought) { \
    (void)sought;                            \
    return NULL;                             \
  }

NO_ENTRY(passwd, getpwnam, const char *)
NO_ENTRY(passwd, getpwuid, uid_t)
NO_ENTRY(group, getgrnam, const char *)
NO_ENTRY(group, getgrgid, gid_t)

INTERPOSED int backtrace(void **, int);
INTERPOSED int backtrace(void **to UNUSED, int size UNUSED) {
  return 0;
}

INTERPOSED unsigned long getauxval(unsigned long);
INTERPOSED unsigned long getauxval(unsigned long type UNUSED) {
  error_set(ENOENT);
  return 0;
}

/* ---- two processors ------------------------------------------------------ */

int get_cpu(unsigned *, unsigned *) __asm__("getcpu");
INTERPOSED int get_cpu(unsigned *processor, unsigned *node) {
  static const unsigned first = 0;
  if (processor)
    tell(processor, &first, sizeof first, CALLER);
  if (node)
    tell(node, &first, sizeof first, CALLER);
  return 0;
}

INTERPOSED int __sched_cpucount(size_t, const cpu_set_t *);
INTERPOSED int __sched_cpucount(size_t size, const cpu_set_t *set) {
  struct libcall e;
  int count = 0;
  libcall_begin(&e, OP_SCAN, CALLER);
  libcall_read(&e, set, size);
  libcall_announce(&e);
  for (size_t i = 0; i < size; i++)
    count += __builtin_popcount(((const unsigned char *)set)[i]);
  return count;
}

INTERPOSED int sched_get_priority_max(int policy) {
  return policy == SCHED_FIFO || policy == SCHED_RR ? 99 : 0;
}

INTERPOSED int sched_get_priority_min(int policy) {
  return policy == SCHED_FIFO || policy == SCHED_RR ? 1 : 0;
}
