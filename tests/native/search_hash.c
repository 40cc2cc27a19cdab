// hsearch: one table for all threads, which the program must protect; tables of hsearch_r.
// expect output "1 2 0 22 0 12 3 12\n"
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <search.h>
#include <stdio.h>
#include <stdlib.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *enter(void *key) {
  pthread_mutex_lock(&mutex);
  ENTRY *e = hsearch((ENTRY){key, NULL}, ENTER);
  e->data = (char *)e->data + 1;
  pthread_mutex_unlock(&mutex);
  return NULL;
}

static int entered(const char *key) {
  ENTRY *e = hsearch((ENTRY){(char *)key, NULL}, FIND);
  return e ? (int)(long)e->data : 0;
}

int main(void) {
  pthread_t t[2];
  char b[] = "b";
  hcreate(2);
  pthread_create(&t[0], NULL, enter, "a");
  pthread_create(&t[1], NULL, enter, "b");
  enter(b);
  pthread_join(t[0], NULL);
  pthread_join(t[1], NULL);
  printf("%d %d %d ", entered("a"), entered("b"), entered("c"));
  struct hsearch_data own = {0};
  ENTRY *found;
  hcreate_r(1, &own);
  printf("%d%d ", hcreate_r(1, &own) + 2, hsearch_r((ENTRY){"x", "y"}, ENTER, &found, &own) + 1);
  hsearch_r((ENTRY){"y", NULL}, ENTER, &found, &own);
  hsearch_r((ENTRY){"z", NULL}, ENTER, &found, &own);
  printf("%d ", hsearch_r((ENTRY){"w", NULL}, ENTER, &found, &own));
  printf("%d ", errno);
  printf("%d ", !found + 2);
  hdestroy_r(&own);
  hdestroy();
  printf("%d\n", errno);
}
