/* signalfd: a descriptor from which signals are read that are pending for the
 * reading thread or for the process.  A read tells of one. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <sys/signalfd.h>

#include "channel.h"
#include "system/native/hooks/hooks.h"

ssize_t signal_descriptor_read(struct description *d, void *to, size_t size,
                               uint64_t pc) {
  struct signalfd_siginfo info;
  file_reads(&d->flags, sizeof d->flags);
  file_reads(&d->signals, sizeof d->signals);
  if (size < sizeof info)
    return file_error(EINVAL);
  if (signals_take_one(d->signals, !(d->flags & O_NONBLOCK), &info, pc) < 0)
    return -1;
  copy_memory(to, channel_stage(&info, sizeof info, pc), sizeof info, pc, NULL);
  return sizeof info;
}

static int make(unsigned long signals, int flags, uint64_t pc) {
  struct description *d =
      description_new(DESCRIPTION_SIGNALS,
                      O_RDONLY | (flags & SFD_NONBLOCK ? O_NONBLOCK : 0), pc);
  d->signals = signals;
  return descriptor_give(d, 0, flags & SFD_CLOEXEC);
}

static int change(int descriptor, unsigned long signals) {
  struct description *d = description_of(descriptor);
  if (!d)
    return -1;
  if (d->kind != DESCRIPTION_SIGNALS)
    return file_error(EINVAL);
  FILE_SET(d->signals, signals);
  return descriptor;
}

INTERPOSED int signalfd(int descriptor, const sigset_t *set, int flags) {
  struct libcall e;
  if (flags & ~(SFD_NONBLOCK | SFD_CLOEXEC))
    return file_error(EINVAL);
  unsigned long signals = LOOK(*set).__val[0];
  signals_are_sent();
  file_begin(&e, CALLER);
  file_announce(&e);
  return descriptor == -1 ? make(signals, flags, CALLER)
                          : change(descriptor, signals);
}
