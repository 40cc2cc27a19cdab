/* Sleeping.  Under heddle a sleep may take any time, also next to none; here it
 * is short. */
#define _GNU_SOURCE
#include <poll.h>
#include <sys/select.h>
#include <sys/syscall.h>
#include <threads.h>
#include <time.h>
#include <unistd.h>

#include "real/real.h"

unsigned sleep(unsigned seconds) {
  (void)seconds;
  heddle_real_nap();
  return 0;
}

int usleep(useconds_t time) {
  (void)time;
  heddle_real_nap();
  return 0;
}

int nanosleep(const struct timespec *time, struct timespec *left) {
  (void)time, (void)left;
  heddle_real_nap();
  return 0;
}

int clock_nanosleep(clockid_t clock, int flags, const struct timespec *time,
                    struct timespec *left) {
  (void)clock, (void)flags, (void)time, (void)left;
  heddle_real_nap();
  return 0;
}

int thrd_sleep(const struct timespec *time, struct timespec *left) {
  (void)time, (void)left;
  heddle_real_nap();
  return 0;
}

/* With a time they look once, as under heddle. */
int poll(struct pollfd *files, nfds_t count, int time) {
  const struct timespec none = {0, 0};
  if (time >= 0)
    heddle_real_nap();
  return (int)syscall(SYS_ppoll, files, count, time < 0 ? 0 : &none, 0, 0);
}

int select(int count, fd_set *in, fd_set *out, fd_set *other,
           struct timeval *time) {
  struct timespec none = {0, 0};
  if (time) {
    *time = (struct timeval){0};
    heddle_real_nap();
  }
  return (int)syscall(SYS_pselect6, count, in, out, other, time ? &none : 0, 0);
}
