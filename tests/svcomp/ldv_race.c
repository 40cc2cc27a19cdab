#include <pthread.h>
#include <stdlib.h>
extern void abort(void);
#include <assert.h>
void reach_error() { assert(0); }
extern void __VERIFIER_assume(int);
void ldv_assert(int expression) { if (!expression) { ERROR: {reach_error();abort();} }; return; }
struct device { int shared; int *buffer; };
struct my_data { pthread_mutex_t lock; struct device dev; int a; int b; };
pthread_t t1, t2;
#define container_of(ptr, type, member) ((type *)((char *)(ptr) - (unsigned long)(&((type *)0)->member)))
void *my_callback(void *arg) {
  struct device *dev = (struct device *)arg;
  struct my_data *data = container_of(dev, struct my_data, dev);
  data->a = 1;
  data->b = data->b + 1;
  return 0;
}
int my_drv_probe(struct my_data *data) {
  struct device *d = &data->dev;
  pthread_mutex_init(&data->lock, NULL);
  data->a = 0;
  data->b = 0;
  ldv_assert(data->a == 0);
  ldv_assert(data->b == 0);
  pthread_create(&t1, NULL, my_callback, (void *)d);
  pthread_create(&t2, NULL, my_callback, (void *)d);
  return 0;
}
void my_drv_disconnect(struct my_data *data) {
  pthread_join(t1, NULL);
  pthread_join(t2, NULL);
  pthread_mutex_destroy(&data->lock);
}
int main(void) {
  struct my_data data;
  int ret = my_drv_probe(&data);
  if (ret == 0) {
    my_drv_disconnect(&data);
    ldv_assert(data.a == 1);
    ldv_assert(data.b == 2);
  }
  return 0;
}
