// A list of arguments that another thread reads on with.
// expect output "1 2\n"
// expect output "2 1\n"
// real no: va_arg by two threads at once is undefined
// options --races=off
// algorithms naive optimal
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>

static va_list *list;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *take(void *result) {
  pthread_mutex_lock(&mutex);
  *(int *)result = va_arg(*list, int);
  pthread_mutex_unlock(&mutex);
  return 0;
}

static void share(int count, ...) {
  va_list ap;
  int r[2] = {0, 0};
  pthread_t t;
  va_start(ap, count);
  list = &ap;
  pthread_create(&t, 0, take, &r[0]);
  take(&r[1]);
  pthread_join(t, 0);
  va_end(ap);
  printf("%d %d\n", r[0], r[1]);
}

int main(void) {
  share(2, 1, 2);
}
