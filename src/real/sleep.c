/* Sleeping.  Under heddle a sleep may take any time, also next to none; here it
 * is short. */
#define _GNU_SOURCE
#include <poll.h>
#include <sys/select.h>
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

/* heddle has both without descriptors only. */
int poll(struct pollfd *files, nfds_t count, int time) {
  (void)files, (void)count, (void)time;
  heddle_real_nap();
  return 0;
}

int select(int count, fd_set *in, fd_set *out, fd_set *other,
           struct timeval *time) {
  (void)count, (void)in, (void)out, (void)other;
  *time = (struct timeval){0};
  heddle_real_nap();
  return 0;
}
