/* The calls of calls.def.  Arguments: the number of a row from 1, of one of its
 * places from 0, and whether the other thread reads (r) or writes (w) it.
 * Without arguments: lists all places. */
#define _GNU_SOURCE
#include <alloca.h>
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <glob.h>
#include <inttypes.h>
#include <locale.h>
#include <math.h>
#include <net/if.h>
#include <netdb.h>
#include <poll.h>
#include <pthread.h>
#include <regex.h>
#include <sched.h>
#include <search.h>
#include <semaphore.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/select.h>
#include <sys/sendfile.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/sysinfo.h>
#include <sys/time.h>
#include <sys/timerfd.h>
#include <sys/times.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <sys/utsname.h>
#include <termios.h>
#include <threads.h>
#include <time.h>
#include <unistd.h>
#include <wchar.h>

/* ---- what the rows use --------------------------------------------------- */

/* Not in these headers, or under another name. */
char *dirname(char *);
char *__xpg_basename(char *);
int __xpg_strerror_r(int, char *, size_t);

#define SEE(value) (seen = seen * 251 + (unsigned long)(value) % 65521)

static void *same(void *argument) {
  return argument;
}

static int five(void *unused) {
  (void)unused;
  return 5;
}

static int compare(const void *a, const void *b) {
  return *(const int *)a - *(const int *)b;
}

static int compare_counted(const void *a, const void *b, void *count) {
  ++*(int *)count;
  return compare(a, b);
}

static int print_list(char *to, const char *format, ...) {
  va_list list;
  va_start(list, format);
  int length = vsnprintf(to, 20, format, list);
  va_end(list);
  return length;
}

/* ---- the table ----------------------------------------------------------- */

enum part { LIST, FIRST, CALL, PLACE };

static void list(int row, int place, const char *access, const char *name) {
  printf("%d %d %s %s\n", row, place, name, access);
}

#define PARTS(...) __VA_ARGS__
#define ROW(name, variables, first, call, places)                         \
  static unsigned long name##_row(enum part part, int number, int place, \
                                  int writes) {                          \
    static const char text[] = #name;                                    \
    int next = 0;                                                        \
    unsigned long seen = 1;                                              \
    PARTS variables                                                      \
    switch (part) {                                                      \
    case FIRST: {                                                        \
      PARTS first                                                        \
      break;                                                             \
    }                                                                    \
    case CALL: {                                                         \
      PARTS call                                                         \
      break;                                                             \
    }                                                                    \
    default:                                                             \
      places;                                                            \
    }                                                                    \
    return seen;                                                         \
  }
#define ACCESS(access, at, value)             \
  if (part == LIST)                           \
    list(number, next++, access, text);       \
  else if (next++ == place && writes)         \
    at = value;                               \
  else if (next == place + 1)                 \
    SEE(at);
#define R(at, value) ACCESS("R", at, value)
#define W(at, value) ACCESS("W", at, value)
#define N(at, value) ACCESS("N", at, value)
#include "calls.def"
#undef ROW

typedef unsigned long row(enum part, int number, int place, int writes);

static row *const rows[] = {
#define ROW(name, ...) name##_row,
#include "calls.def"
};

/* ---- two threads --------------------------------------------------------- */

static row *chosen;
static int place, writes;

static void *make_call(void *unused) {
  (void)unused;
  return (void *)chosen(CALL, 0, 0, 0);
}

static void *use_place(void *unused) {
  (void)unused;
  return (void *)chosen(PLACE, 0, place, writes);
}

int main(int argc, char **argv) {
  int count = sizeof rows / sizeof *rows;
  pthread_t threads[2];
  void *seen[2];
  for (int i = 0; argc < 4 && i < count; i++)
    rows[i](LIST, i + 1, 0, 0);
  if (argc < 4)
    return 0;
  chosen = rows[atoi(argv[1]) - 1];
  place = atoi(argv[2]);
  writes = *argv[3] == 'w';
  chosen(FIRST, 0, 0, 0);
  pthread_create(&threads[0], NULL, make_call, NULL);
  pthread_create(&threads[1], NULL, use_place, NULL);
  for (int i = 0; i < 2; i++)
    pthread_join(threads[i], &seen[i]);
  printf("%lx %lx %lx\n", (unsigned long)seen[0], (unsigned long)seen[1],
         chosen(PLACE, 0, place, 0));
  return 0;
}
