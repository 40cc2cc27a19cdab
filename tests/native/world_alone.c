// No children, no terminal, one network interface, no other users, the name of
// the thread.
// real no: the machine has others
// expect all: executions 1
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <ifaddrs.h>
#include <locale.h>
#include <net/if.h>
#include <pthread.h>
#include <pwd.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

int main(void) {
  char name[16] = "", long_name[16];
  struct ifaddrs *list;
  struct passwd entry, *user;
  assert(waitpid(-1, 0, 0) == -1 && errno == ECHILD && getpgid(0) == getpid());
  assert(!prctl(PR_SET_NAME, "a name that is too long"));
  assert(!prctl(PR_GET_NAME, name) && !strcmp(name, "a name that is "));
  assert(!pthread_getname_np(pthread_self(), long_name, 16));
  assert(!strcmp(name, long_name));
  assert(!getifaddrs(&list) && !strcmp(list->ifa_name, "lo") && !list->ifa_next);
  freeifaddrs(list);
  assert(if_nametoindex("lo") == 1 && !strcmp(if_indextoname(1, name), "lo"));
  assert(!getpwnam_r("root", &entry, name, sizeof name, &user) && !user);
  assert(newlocale(LC_ALL_MASK, "C", 0) && !newlocale(LC_ALL_MASK, "de_DE", 0));
  assert(!strcmp(localeconv()->decimal_point, "."));
}
