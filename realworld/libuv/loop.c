/* A loop of libuv with ITEMS work items: a thread of the pool does each, and the
 * loop calls what follows. */
#include <assert.h>
#include <stdlib.h>
#include <uv.h>

#ifndef ITEMS
#define ITEMS 1
#endif

static struct item {
  uv_work_t request;
  int worked, after;
} item[ITEMS];

static void work(uv_work_t *request) {
  ((struct item *)request)->worked++;
}

static void after(uv_work_t *request, int status) {
  struct item *i = (struct item *)request;
  assert(status == 0 && i->worked == 1);
  i->after++;
}

int main(void) {
  uv_loop_t loop;
  setenv("UV_THREADPOOL_SIZE", "1", 1);
  assert(uv_loop_init(&loop) == 0);
  for (int i = 0; i < ITEMS; i++)
    assert(uv_queue_work(&loop, &item[i].request, work, after) == 0);
  assert(uv_run(&loop, UV_RUN_DEFAULT) == 0);
  for (int i = 0; i < ITEMS; i++) assert(item[i].after == 1);
  assert(uv_loop_close(&loop) == 0);
}
