// Functions that packages of Debian use, here and there: each does what glibc's does.
// expect output "c6 0.2631 e3 1 raw 3 0 ok\n"
// algorithms naive optimal
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <locale.h>
#include <malloc.h>
#include <math.h>
#include <net/if.h>
#include <netdb.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <termios.h>
#include <unistd.h>
#include <wchar.h>

static int descriptors(void) {
  char text[3] = "ab";
  struct iovec range = {text, 2};
  struct statx facts;
  int file = open("heddle-small", O_CREAT | O_RDWR | O_TRUNC, 0600);
  if (pwritev2(file, &range, 1, 1, 0) != 2 || preadv2(file, &range, 1, -1, 0) != 2)
    return 1;
  if (statx(AT_FDCWD, "heddle-small", 0, STATX_SIZE, &facts) ||
      facts.stx_size != 3)
    return 2;
  int other = dup(file);
  if (close_range((unsigned)other, (unsigned)other, 0) || close(other) != -1)
    return 3;
  unlink("heddle-small");
  return close(file);
}

static int terminals(void) {
  struct termios t;
  memset(&t, 0, sizeof t);
  t.c_lflag = ECHO;
  cfmakeraw(&t);
  if (cfsetspeed(&t, B9600) || cfgetospeed(&t) != B9600 || cfgetispeed(&t) != B9600)
    return 1;
  return (t.c_lflag & ECHO) || !(t.c_cflag & CS8) || cfsetospeed(&t, 12345) != -1;
}

static int sets(void) {
  cpu_set_t *set = CPU_ALLOC(100);
  CPU_ZERO_S(CPU_ALLOC_SIZE(100), set);
  CPU_SET_S(70, CPU_ALLOC_SIZE(100), set);
  int count = CPU_COUNT_S(CPU_ALLOC_SIZE(100), set);
  CPU_FREE(set);
  return count;
}

int main(void) {
  unsigned short own[3] = {1, 2, 3}, same[3] = {1, 2, 3};
  wchar_t copy[8];
  struct if_nameindex *faces = if_nameindex();
  if (!faces || !faces->if_name || faces->if_index != 1)
    return 1;
  if_freenameindex(faces);
  (void)mallinfo2();
  h_errno = 0;
  char swapped[4] = "";
  swab("abc", swapped, 3);
  if (strcmp(swapped, "ba") || strtod_l("1.5", NULL, newlocale(LC_ALL_MASK, "C", NULL)) != 1.5)
    return 2;
  flockfile(stdout);
  flockfile(stdout);
  printf("%lx ", (unsigned long)jrand48(own) & 0xff);
  printf("%.4f ", erand48(own));
  printf("%lx ", (unsigned long)nrand48(same) & 0xff);
  putc_unlocked('0' + sets(), stdout);
  funlockfile(stdout);
  printf(" %s ", terminals() ? "?" : "raw");
  printf("%zu ", wcsxfrm(copy, L"abc", 8));
  funlockfile(stdout);
  printf("%d %s\n", descriptors(), inet_network("127.1") == 0x7f01 ? "ok" : "?");
}
