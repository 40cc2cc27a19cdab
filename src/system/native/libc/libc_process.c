/* What a process is told that has no children, no terminal, no rights beyond
 * its own, one network interface, and no user but itself. */
#define _GNU_SOURCE
#define __NO_INLINE__ 1 /* no bodies in the headers */
#include "libc.h"

#include <arpa/inet.h>
#include <errno.h>
#include <ifaddrs.h>
#include <locale.h>
#include <malloc.h>
#include <math.h>
#include <net/if.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/statvfs.h>
#include <sys/vfs.h>
#include <sys/xattr.h>

#include "heap.h"

#define UNUSED __attribute__((unused))

static int fail_with(int number) {
  error_set(number);
  return -1;
}

static void tell(void *to, const void *fact, size_t size, uint64_t pc) {
  struct libcall e;
  libcall_begin(&e, OP_SET, pc);
  libcall_overwrite(&e, to, size);
  libcall_announce(&e);
  memcpy(to, fact, size);
}

/* ---- no children, no terminal -------------------------------------------- */

INTERPOSED pid_t waitpid(pid_t, int *, int);
INTERPOSED pid_t waitpid(pid_t child UNUSED, int *to UNUSED, int flags UNUSED) {
  return fail_with(ECHILD);
}

INTERPOSED pid_t wait(int *);
INTERPOSED pid_t wait(int *to UNUSED) {
  return fail_with(ECHILD);
}

int wait_any(pid_t, int *, int, void *) __asm__("wait4");
INTERPOSED int wait_any(pid_t child UNUSED, int *to UNUSED, int flags UNUSED,
                        void *usage UNUSED) {
  return fail_with(ECHILD);
}

int wait_which(int, unsigned, void *, int) __asm__("waitid");
INTERPOSED int wait_which(int kind UNUSED, unsigned which UNUSED,
                          void *to UNUSED, int flags UNUSED) {
  return fail_with(ECHILD);
}

#define NUMBER(name, value)                \
  INTERPOSED pid_t name(pid_t);            \
  INTERPOSED pid_t name(pid_t of UNUSED) { \
    return (value);                        \
  }
NUMBER(getpgid, 1000)
NUMBER(getsid, 1000)

INTERPOSED int setpgid(pid_t, pid_t);
INTERPOSED int setpgid(pid_t whose UNUSED, pid_t group UNUSED) {
  return 0;
}

INTERPOSED pid_t tcgetpgrp(int);
INTERPOSED pid_t tcgetpgrp(int descriptor UNUSED) {
  return fail_with(ENOTTY);
}

INTERPOSED int ttyname_r(int, char *, size_t);
INTERPOSED int ttyname_r(int descriptor UNUSED, char *to UNUSED,
                         size_t size UNUSED) {
  return ENOTTY;
}

#define NO_TERMINAL(name, ...)       \
  INTERPOSED int name(__VA_ARGS__);  \
  INTERPOSED int name(__VA_ARGS__) { \
    return fail_with(ENOTTY);        \
  }
NO_TERMINAL(tcdrain, int descriptor UNUSED)
NO_TERMINAL(tcflush, int descriptor UNUSED, int which UNUSED)
NO_TERMINAL(tcsetpgrp, int descriptor UNUSED, pid_t group UNUSED)
NO_TERMINAL(grantpt, int descriptor UNUSED)
NO_TERMINAL(unlockpt, int descriptor UNUSED)

/* ---- itself -------------------------------------------------------------- */

#define ACCEPTED(name, ...)          \
  INTERPOSED int name(__VA_ARGS__);  \
  INTERPOSED int name(__VA_ARGS__) { \
    return 0;                        \
  }

INTERPOSED int getdtablesize(void);
INTERPOSED int getdtablesize(void) {
  return 1024;
}

INTERPOSED int getgroups(int, gid_t *);
INTERPOSED int getgroups(int count UNUSED, gid_t *to UNUSED) {
  return 0;
}

static int get_ids(unsigned *a, unsigned *b, unsigned *c, uint64_t pc) {
  static const unsigned id = 1000;
  tell(a, &id, sizeof id, pc);
  tell(b, &id, sizeof id, pc);
  tell(c, &id, sizeof id, pc);
  return 0;
}

INTERPOSED int getresuid(uid_t *a, uid_t *b, uid_t *c) {
  return get_ids(a, b, c, CALLER);
}

INTERPOSED int getresgid(gid_t *a, gid_t *b, gid_t *c) {
  return get_ids(a, b, c, CALLER);
}

static int become(unsigned a, unsigned b, unsigned c) {
  return (a == 1000 || a == UINT32_MAX) && (b == 1000 || b == UINT32_MAX) &&
                 (c == 1000 || c == UINT32_MAX)
             ? 0
             : fail_with(EPERM);
}

INTERPOSED int setresuid(uid_t a, uid_t b, uid_t c) {
  return become(a, b, c);
}

INTERPOSED int setresgid(gid_t a, gid_t b, gid_t c) {
  return become(a, b, c);
}

INTERPOSED int setreuid(uid_t a, uid_t b) {
  return become(a, b, 1000);
}

INTERPOSED int setregid(gid_t a, gid_t b) {
  return become(a, b, 1000);
}

int set_clock(int, const void *) __asm__("clock_settime");
INTERPOSED int set_clock(int clock UNUSED, const void *to UNUSED) {
  return fail_with(EPERM);
}

int set_day(const void *, const void *) __asm__("settimeofday");
INTERPOSED int set_day(const void *to UNUSED, const void *zone UNUSED) {
  return fail_with(EPERM);
}

/* backtrace() finds no frames. */
INTERPOSED char **backtrace_symbols(void *const *, int);
INTERPOSED char **backtrace_symbols(void *const *frames UNUSED,
                                    int count UNUSED) {
  return heap_allocate(1, 16, CALLER);
}

ACCEPTED(backtrace_symbols_fd, void *const *frames UNUSED, int count UNUSED,
         int descriptor UNUSED)

/* No object of the program is known by its name. */
ACCEPTED(dladdr, const void *address UNUSED, void *to UNUSED)
ACCEPTED(dladdr1, const void *address UNUSED, void *to UNUSED,
         void **more UNUSED, int flags UNUSED)
ACCEPTED(dl_iterate_phdr, void *look UNUSED, void *data UNUSED)
ACCEPTED(endmntent, void *list UNUSED)
ACCEPTED(setlogmask, int mask UNUSED)
ACCEPTED(personality, unsigned long kind UNUSED)

#define NOT_PERMITTED(name, error, ...) \
  INTERPOSED int name(__VA_ARGS__);     \
  INTERPOSED int name(__VA_ARGS__) {    \
    return fail_with(error);            \
  }
NOT_PERMITTED(setns, EPERM, int descriptor UNUSED, int kind UNUSED)
NOT_PERMITTED(unshare, EPERM, int flags UNUSED)
NOT_PERMITTED(adjtimex, EPERM, void *to UNUSED)

/* The file systems keep no attributes beyond the usual ones. */
#define NO_ATTRIBUTES(type, name, ...) \
  INTERPOSED type name(__VA_ARGS__) {  \
    return fail_with(ENOTSUP);         \
  }
#define OF_PATH const char *path UNUSED
#define OF_FILE int descriptor UNUSED
#define NAMED const char *name UNUSED
#define TO void *to UNUSED, size_t size UNUSED
#define TO_LIST char *to UNUSED, size_t size UNUSED
#define FROM const void *from UNUSED, size_t size UNUSED, int flags UNUSED
NO_ATTRIBUTES(ssize_t, getxattr, OF_PATH, NAMED, TO)
NO_ATTRIBUTES(ssize_t, lgetxattr, OF_PATH, NAMED, TO)
NO_ATTRIBUTES(ssize_t, fgetxattr, OF_FILE, NAMED, TO)
NO_ATTRIBUTES(ssize_t, listxattr, OF_PATH, TO_LIST)
NO_ATTRIBUTES(ssize_t, llistxattr, OF_PATH, TO_LIST)
NO_ATTRIBUTES(ssize_t, flistxattr, OF_FILE, TO_LIST)
NO_ATTRIBUTES(int, setxattr, OF_PATH, NAMED, FROM)
NO_ATTRIBUTES(int, lsetxattr, OF_PATH, NAMED, FROM)
NO_ATTRIBUTES(int, fsetxattr, OF_FILE, NAMED, FROM)
NO_ATTRIBUTES(int, removexattr, OF_PATH, NAMED)
NO_ATTRIBUTES(int, lremovexattr, OF_PATH, NAMED)
NO_ATTRIBUTES(int, fremovexattr, OF_FILE, NAMED)

/* ---- users and services -------------------------------------------------- */

/* The lists are empty: found nothing, which is no error. */
static int no_entry(void **result, uint64_t pc) {
  static void *const none;
  tell(result, &none, sizeof none, pc);
  return 0;
}

#define NO_ENTRY_R(name, key)                                                 \
  INTERPOSED int name(key, void *, char *, size_t, void **);                  \
  INTERPOSED int name(key sought UNUSED, void *entry UNUSED,                  \
                      char *room UNUSED, size_t size UNUSED, void **result) { \
    return no_entry(result, CALLER);                                          \
  }
NO_ENTRY_R(getpwnam_r, const char *)
NO_ENTRY_R(getpwuid_r, uid_t)
NO_ENTRY_R(getgrnam_r, const char *)
NO_ENTRY_R(getgrgid_r, gid_t)

#define NO_ENTRY(name, ...)            \
  INTERPOSED void *name(__VA_ARGS__);  \
  INTERPOSED void *name(__VA_ARGS__) { \
    return NULL;                       \
  }
NO_ENTRY(getservbyname, const char *service UNUSED, const char *kind UNUSED)
NO_ENTRY(getservbyport, int port UNUSED, const char *kind UNUSED)
NO_ENTRY(getprotobyname, const char *kind UNUSED)
NO_ENTRY(getprotobynumber, int kind UNUSED)
NO_ENTRY(getpwent, void)
NO_ENTRY(getgrent, void)
NO_ENTRY(getutent, void)
NO_ENTRY(setmntent, const char *path UNUSED, const char *mode UNUSED)
NO_ENTRY(getmntent, void *list UNUSED)
NO_ENTRY(getmntent_r, void *list UNUSED, void *to UNUSED, char *room UNUSED,
         int size UNUSED)

#define NOTHING(name)         \
  INTERPOSED void name(void); \
  INTERPOSED void name(void) {}
NOTHING(setpwent)
NOTHING(endpwent)
NOTHING(setgrent)
NOTHING(endgrent)
NOTHING(endservent)
NOTHING(endprotoent)
NOTHING(setutent)
NOTHING(endutent)

/* ---- the network: one interface ------------------------------------------ */

#define INTERFACE "lo"

INTERPOSED unsigned if_nametoindex(const char *name) {
  struct libcall e;
  libcall_begin(&e, OP_SCAN, CALLER);
  libcall_string(&e, name, SIZE_MAX);
  libcall_announce(&e);
  touched(&e, name, string_length(name, SIZE_MAX) + 1);
  if (!heddle_real_strcmp(name, INTERFACE))
    return 1;
  error_set(ENODEV);
  return 0;
}

INTERPOSED char *if_indextoname(unsigned index, char to[IF_NAMESIZE]) {
  if (index != 1) {
    error_set(ENXIO);
    return NULL;
  }
  tell(to, INTERFACE, sizeof INTERFACE, CALLER);
  return to;
}

/* prog: what getifaddrs() gives. */
struct interfaces {
  struct ifaddrs list;
  struct sockaddr_in address, mask;
  char name[8];
};

INTERPOSED int getifaddrs(struct ifaddrs **result) {
  struct interfaces *i = heap_allocate(sizeof *i, 16, CALLER);
  undo_note(i, sizeof *i);
  *i = (struct interfaces){
      .list = {.ifa_flags = IFF_UP | IFF_LOOPBACK | IFF_RUNNING},
      .address = {.sin_family = AF_INET,
                  .sin_addr.s_addr = __builtin_bswap32(INADDR_LOOPBACK)},
      .mask = {.sin_family = AF_INET,
               .sin_addr.s_addr = __builtin_bswap32(0xff000000)},
      .name = INTERFACE};
  i->list.ifa_name = i->name;
  i->list.ifa_addr = (struct sockaddr *)&i->address;
  i->list.ifa_netmask = (struct sockaddr *)&i->mask;
  heap_written(i, sizeof *i, CALLER);
  tell(result, &i, sizeof i, CALLER);
  return 0;
}

INTERPOSED void freeifaddrs(struct ifaddrs *list) {
  if (list)
    heap_free(list, "freeifaddrs", CALLER);
}

INTERPOSED struct if_nameindex *if_nameindex(void) {
  struct {
    struct if_nameindex list[2];
    char name[8];
  } *i = heap_allocate(sizeof *i, 16, CALLER);
  undo_note(i, sizeof *i);
  *i = (__typeof__(*i)){.list = {{.if_index = 1}}, .name = INTERFACE};
  i->list[0].if_name = i->name;
  heap_written(i, sizeof *i, CALLER);
  return i->list;
}

INTERPOSED void if_freenameindex(struct if_nameindex *list) {
  if (list)
    heap_free(list, "if_freenameindex", CALLER);
}

/* ---- the heap and sets of processors ------------------------------------- */

INTERPOSED cpu_set_t *__sched_cpualloc(size_t);
INTERPOSED cpu_set_t *__sched_cpualloc(size_t count) {
  return heap_allocate((count + 63) / 64 * 8, 16, CALLER);
}

INTERPOSED void __sched_cpufree(cpu_set_t *);
INTERPOSED void __sched_cpufree(cpu_set_t *set) {
  if (set)
    heap_free(set, "CPU_FREE", CALLER);
}

/* Nothing is told of the heap. */
struct mallinfo2 mallinfo2(void);
INTERPOSED struct mallinfo2 mallinfo2(void) {
  return (struct mallinfo2){0};
}

struct mallinfo mallinfo(void);
INTERPOSED struct mallinfo mallinfo(void) {
  return (struct mallinfo){0};
}

/* ---- locales: there is only "C" ------------------------------------------ */

INTERPOSED struct lconv *localeconv(void) {
  return REAL(localeconv)();
}

INTERPOSED locale_t newlocale(int mask, const char *name, locale_t base) {
  struct libcall e;
  libcall_begin(&e, OP_SCAN, CALLER);
  libcall_string(&e, name, SIZE_MAX);
  libcall_announce(&e);
  touched(&e, name, string_length(name, SIZE_MAX) + 1);
  if (*name && heddle_real_strcmp(name, "C") &&
      heddle_real_strcmp(name, "POSIX")) {
    error_set(ENOENT);
    return NULL;
  }
  (void)base;
  foreign_enter();
  locale_t c = REAL(newlocale)(mask, "C", NULL); /* a constant of libc */
  foreign_leave();
  return c;
}

INTERPOSED locale_t uselocale(locale_t locale) {
  (void)locale;
  return LC_GLOBAL_LOCALE;
}

INTERPOSED locale_t duplocale(locale_t locale) {
  return locale;
}

INTERPOSED void freelocale(locale_t locale) {
  (void)locale;
}

/* ---- numbers ------------------------------------------------------------- */

/* They are of libm, which the linker brings in for them (cc/driver/cc_link.c).
 */
#define LIBM(name)                                                            \
  ({                                                                          \
    __typeof__(&name) real_one = (__typeof__(&name))real_lookup(#name);       \
    if (!real_one)                                                            \
      refuse("call of " #name ", which no loaded library defines: link with " \
             "-Wl,--no-as-needed -lm");                                       \
    real_one;                                                                 \
  })

/* The compiler makes sincos of a sine and a cosine of one number. */
#define NUMBERS(type, suffix)                                                \
  INTERPOSED void sincos##suffix(type x, type *sine, type *cosine) {         \
    type s, c;                                                               \
    LIBM(sincos##suffix)(x, &s, &c);                                         \
    tell(sine, &s, sizeof s, CALLER);                                        \
    tell(cosine, &c, sizeof c, CALLER);                                      \
  }                                                                          \
  INTERPOSED type remquo##suffix(type x, type y, int *quotient) {            \
    int bits;                                                                \
    type rest = LIBM(remquo##suffix)(x, y, &bits);                           \
    tell(quotient, &bits, sizeof bits, CALLER);                              \
    return rest;                                                             \
  }                                                                          \
  INTERPOSED type lgamma##suffix##_r(type x, int *sign) {                    \
    int s = 1;                                                               \
    type result = LIBM(lgamma##suffix##_r)(x, &s);                           \
    tell(sign, &s, sizeof s, CALLER);                                        \
    return result;                                                           \
  }                                                                          \
  INTERPOSED type nan##suffix(const char *tag) {                             \
    struct libcall e;                                                        \
    libcall_begin(&e, OP_SCAN, CALLER);                                      \
    libcall_string(&e, tag, SIZE_MAX);                                       \
    libcall_announce(&e);                                                    \
    touched(&e, tag, string_extent(string_length(tag, SIZE_MAX), SIZE_MAX)); \
    return LIBM(nan##suffix)(tag);                                           \
  }
NUMBERS(double, )
NUMBERS(float, f)
NUMBERS(long double, l)
