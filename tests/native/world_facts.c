// Facts about the machine and the process are always the same.
// real no: the machine has other ones
// expect output "Linux localhost 1024 18 22 1\n"
#define _GNU_SOURCE
#include <errno.h>
#include <gnu/libc-version.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <unistd.h>

int main(void) {
  struct utsname machine;
  struct rlimit limit;
  struct rusage usage;
  char host[16], two[2];
  uname(&machine);
  gethostname(host, sizeof host);
  getrlimit(RLIMIT_NOFILE, &limit);
  getrusage(RUSAGE_SELF, &usage);
  int before = (int)umask(022), small = gethostname(two, sizeof two);
  printf("%s %s %d %d %o %d\n", machine.sysname, host, (int)limit.rlim_cur,
         before, umask(0), small == -1 && errno == ENAMETOOLONG);
  mlockall(MCL_CURRENT);
  return strcmp(machine.nodename, host) != 0 ||
         strncmp(gnu_get_libc_version(), "2.", 2) != 0;
}
