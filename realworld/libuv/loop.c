/* libuv's loop.  With WORK a thread pool runs ITEMS items, each of which then ends
 * in the loop; with ASYNC a thread wakes the loop; with TIMER a timer fires. */
#include <assert.h>
#include <uv.h>

#ifndef ITEMS
#define ITEMS 1
#endif

static uv_async_t async;
static uv_timer_t timer;
static int worked[ITEMS], ended, woken, fired, sent;

static void work(uv_work_t *item) {
  worked[(long)item->data]++;
}

static void work_ended(uv_work_t *item, int status) {
  assert(status == 0 && worked[(long)item->data] == 1);
  ended++;
}

static void wake(uv_async_t *handle) {
  assert(sent == 1);
  woken++;
  uv_close((uv_handle_t *)handle, NULL);
}

static void fire(uv_timer_t *handle) {
  fired++;
  uv_close((uv_handle_t *)handle, NULL);
}

static void sender(void *argument) {
  (void)argument;
  sent = 1;
  uv_async_send(&async);
}

int main(void) {
  static uv_work_t item[ITEMS];
  uv_loop_t *loop = uv_default_loop();
  uv_thread_t thread;
  (void)sender, (void)wake, (void)fire;
#ifdef ASYNC
  uv_async_init(loop, &async, wake);
  uv_thread_create(&thread, sender, NULL);
#endif
#ifdef TIMER
  uv_timer_init(loop, &timer);
  uv_timer_start(&timer, fire, 10, 0);
#endif
#ifdef WORK
  for (long i = 0; i < ITEMS; i++) {
    item[i].data = (void *)i;
    uv_queue_work(loop, &item[i], work, work_ended);
  }
#endif
  assert(uv_run(loop, UV_RUN_DEFAULT) == 0);
#ifdef ASYNC
  uv_thread_join(&thread);
  assert(woken == 1);
#endif
#ifdef TIMER
  assert(fired == 1);
#endif
#ifdef WORK
  assert(ended == ITEMS);
#endif
  assert(uv_loop_close(loop) == 0);
}
