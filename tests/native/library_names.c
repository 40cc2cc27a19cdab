// Paths, addresses as text, messages and numbers in parts, as glibc has them.
// expect all: executions 1
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <assert.h>
#include <errno.h>
#include <fnmatch.h>
#include <libintl.h>
#include <math.h>
#include <netdb.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

char *__xpg_basename(char *);
char *dirname(char *);

static void path(const char *all, const char *folder, const char *last) {
  char one[32], other[32];
  strcpy(one, all);
  strcpy(other, all);
  assert(!strcmp(dirname(one), folder));
  assert(!strcmp(__xpg_basename(other), last));
}

static void paths(void) {
  path("/usr/lib", "/usr", "lib");
  path("/usr/", "/", "usr");
  path("usr", ".", "usr");
  path("/", "/", "/");
  path("//", "//", "/");
  path("//a", "//", "a");
  path("///a", "/", "a");
  path("///", "/", "/");
  path("", ".", ".");
  path("a//b//", "a", "b");
  path("/a", "/", "a");
  assert(!strcmp(basename("/a/b"), "b") && !strcmp(basename("/a/"), ""));
  assert(!fnmatch("*.c", "x.c", 0) && fnmatch("*.c", "x.h", 0) == FNM_NOMATCH);
}

static void addresses(void) {
  struct in_addr a;
  struct in6_addr b;
  char text[64];
  assert(inet_pton(AF_INET, "127.0.0.1", &a) == 1);
  assert(a.s_addr == htonl(INADDR_LOOPBACK) &&
         inet_addr("1.2.3.4") == htonl(0x01020304));
  assert(inet_pton(AF_INET, "1.2.3", &a) == 0 && !inet_aton("x", &a));
  assert(inet_pton(99, "1", &a) == -1 && errno == EAFNOSUPPORT);
  assert(inet_pton(AF_INET6, "::1", &b) == 1 && b.s6_addr[15] == 1);
  assert(!strcmp(inet_ntop(AF_INET6, &b, text, sizeof text), "::1"));
  assert(!inet_ntop(AF_INET6, &b, text, 2) && errno == ENOSPC);
  a.s_addr = htonl(0x7f000001);
  assert(!strcmp(inet_ntoa(a), "127.0.0.1"));
}

static void names(void) {
  struct addrinfo hints = {.ai_family = AF_INET, .ai_socktype = SOCK_STREAM};
  struct addrinfo *list = NULL;
  char host[64], service[16];
  assert(!getaddrinfo("localhost", "80", &hints, &list));
  assert(list && list->ai_family == AF_INET && !list->ai_next);
  assert(!getnameinfo(list->ai_addr, list->ai_addrlen, host, sizeof host,
                      service, sizeof service,
                      NI_NUMERICHOST | NI_NUMERICSERV));
  assert(!strcmp(host, "127.0.0.1") && !strcmp(service, "80"));
  freeaddrinfo(list);
  hints.ai_flags = AI_NUMERICHOST;
  assert(getaddrinfo("localhost", "80", &hints, &list) == EAI_NONAME);
  assert(getaddrinfo(NULL, NULL, &hints, &list) == EAI_NONAME);
  assert(strlen(gai_strerror(EAI_NONAME)) > 0);
}

static void numbers(void) {
  double whole;
  int exponent;
  assert(frexp(8, &exponent) == 0.5 && exponent == 4);
  assert(modf(2.5, &whole) == 0.5 && whole == 2);
}

int main(void) {
  cpu_set_t set;
  paths();
  addresses();
  names();
  numbers();
  assert(!strcmp(gettext("text"), "text"));
  assert(!strcmp(ngettext("one", "many", 2), "many"));
  assert(!sched_getaffinity(0, sizeof set, &set) && CPU_COUNT(&set) > 0);
}
