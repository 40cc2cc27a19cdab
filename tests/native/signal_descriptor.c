// A signal that is blocked is read from a descriptor, once; poll() tells of it.
// expect output "10\n"
// algorithms naive optimal source observers stateful unfold pop
#include <assert.h>
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <sys/signalfd.h>
#include <unistd.h>

static void *send(void *unused) {
  kill(getpid(), SIGUSR1);
  return unused;
}

int main(void) {
  pthread_t thread;
  sigset_t set;
  struct signalfd_siginfo info;
  sigemptyset(&set);
  sigaddset(&set, SIGUSR1);
  pthread_sigmask(SIG_BLOCK, &set, NULL);
  struct pollfd file = {signalfd(-1, &set, SFD_NONBLOCK), POLLIN, 0};
  pthread_create(&thread, NULL, send, NULL);
  assert(poll(&file, 1, -1) == 1 && file.revents == POLLIN);
  assert(read(file.fd, &info, sizeof info) == sizeof info);
  assert(read(file.fd, &info, sizeof info) == -1 && errno == EAGAIN);
  pthread_join(thread, NULL);
  printf("%u\n", info.ssi_signo);
}
