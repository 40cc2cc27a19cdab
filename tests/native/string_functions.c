// What each function promises, on memory that is not constant.
// expect all: executions 1
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static char a[32], b[32], *rest;

static void copies(void) {
  assert(strcpy(a, "hello") == a && !strcmp(a, "hello"));
  assert(stpcpy(b, a) == b + 5 && !strcmp(b, a));
  memset(b, 'x', sizeof b);
  strncpy(b, a, 8);
  assert(!memcmp(b, "hello\0\0\0x", 9));
  assert(stpncpy(b, a, 3) == b + 3 && !strncmp(b, "hello", 5));
  assert(!strcmp(strcat(a, " you"), "hello you"));
  assert(!strcmp(strncat(a, "abc", 2), "hello youab"));
  memmove(a + 1, a, 4);
  assert(!strcmp(a, "hhell youab"));
  assert(mempcpy(b, "xyz", 4) == b + 4 && !strcmp(b, "xyz"));
  assert(memccpy(b, "pqr", 'q', 3) == b + 2 && !strcmp(b, "pqz"));
}

static void searches(void) {
  strcpy(a, "a.b,c.b");
  assert(strlen(a) == 7 && strnlen(a, 3) == 3 && strnlen(a, 99) == 7);
  assert(strchr(a, '.') == a + 1 && strrchr(a, '.') == a + 5);
  assert(strchr(a, 0) == a + 7 && !strchr(a, 'x') && !strrchr(a, 'x'));
  assert(strchrnul(a, 'x') == a + 7 && memchr(a, ',', 7) == a + 3);
  assert(!memchr(a, 'x', 7) && memrchr(a, 'b', 7) == a + 6);
  assert(strstr(a, ".b") == a + 1 && strstr(a, "") == a && !strstr(a, "bb"));
  assert(strcasestr(a, ".B") == a + 1 && memmem(a, 7, "c.", 2) == a + 4);
  assert(strspn(a, "ab.") == 3 && strcspn(a, ",") == 3);
  assert(strpbrk(a, ",;") == a + 3 && !strpbrk(a, "xyz"));
  assert(strcmp(a, "a.c") < 0 && strncmp(a, "a.c", 2) == 0);
  assert(!strcasecmp(a, "A.B,C.B") && !strncasecmp(a, "A.X", 2));
  assert(memcmp(a, "a.a", 3) > 0);
}

static void tokens(void) {
  strcpy(a, ",,x,y;z,");
  assert(!strcmp(strtok(a, ",;"), "x") && !strcmp(strtok(0, ",;"), "y"));
  assert(!strcmp(strtok(0, ",;"), "z") && !strtok(0, ",;"));
  strcpy(a, "p q");
  assert(!strcmp(strtok_r(a, " ", &rest), "p"));
  assert(!strcmp(strtok_r(0, " ", &rest), "q") && !strtok_r(0, " ", &rest));
  strcpy(a, "k,,l");
  char *s = a;
  assert(!strcmp(strsep(&s, ","), "k") && !strcmp(strsep(&s, ","), ""));
  assert(!strcmp(strsep(&s, ","), "l") && !s && !strsep(&s, ","));
}

static void numbers(void) {
  char *end;
  strcpy(a, " -42x");
  assert(atoi(a) == -42 && atol(a) == -42);
  assert(strtol(a, &end, 10) == -42 && end == a + 4);
  assert(strtoul("0x1fz", &end, 0) == 31 && *end == 'z');
  assert(strtod("1.5e1", 0) == 15 && atof("2.25") == 2.25);
  errno = 0;
  assert(strtol("99999999999999999999", 0, 10) > 0 && errno == ERANGE);
  rest = a;
  errno = 0; /* a base that does not exist: the end is not stored */
  assert(!strtol("5", &rest, 1) && errno == EINVAL && rest == a);
}

int main(void) {
  copies();
  searches();
  tokens();
  numbers();
  char *copy = strdup("dup");
  assert(!strcmp(copy, "dup") && strlen(copy) == 3);
  free(copy);
  copy = strndup("dup", 2);
  assert(!strcmp(copy, "du"));
  free(copy);
  assert(!strcmp(strerror(ENOENT), "No such file or directory"));
}
