/* memcached's items, hash table, slabs and locks: threads store, read and delete
 * one item while its own worker thread runs libevent's loop. */
#define main server_main
#include "memcached.c"
#undef main

#include <assert.h>

#ifndef READERS
#define READERS 1
#endif

static LIBEVENT_THREAD user[READERS + 1];
static logger quiet;
static char key[] = "key";

static item *store(int value) {
  item *it = item_alloc(key, sizeof key - 1, 0, 0, sizeof value);
  assert(it);
  memcpy(ITEM_data(it), &value, sizeof value);
  return it;
}

static void *read_item(void *me) {
  conn c = {.thread = me};
  int value;
  item *it = item_get(key, sizeof key - 1, &c, DONT_UPDATE);
  if (!it)
    return NULL;
  memcpy(&value, ITEM_data(it), sizeof value);
  assert(value == 1 || value == 2);
  item_remove(it);
  return NULL;
}

static void *replace_item(void *me) {
  conn c = {.thread = me};
  uint32_t hv;
  item *old = item_get_locked(key, sizeof key - 1, &c, DONT_UPDATE, &hv);
  assert(old);
  item *it = store(2);
  item_replace(old, it, hv);
  do_item_remove(old);
  item_unlock(hv);
  item_remove(it);
  return NULL;
}

/* As server_main() does it. */
static void set_up(void) {
  settings_init();
  settings.maxbytes = 8 << 20;
  settings.num_threads = 1;
  hash_init(MURMUR3_HASH);
  stats_init();
  assoc_init(12);
  slabs_init(settings.maxbytes, settings.factor, false, NULL, NULL, false);
  memcached_thread_init(settings.num_threads, NULL);
}

int main(void) {
  pthread_t thread[READERS + 1];
  set_up();
  for (int i = 0; i <= READERS; i++) {
    user[i].l = &quiet;
    pthread_mutex_init(&user[i].stats.mutex, NULL);
  }
  item *it = store(1);
  assert(item_link(it));
  item_remove(it);
  for (int i = 0; i < READERS; i++)
    pthread_create(&thread[i], NULL, read_item, &user[i]);
  pthread_create(&thread[READERS], NULL, replace_item, &user[READERS]);
  for (int i = 0; i <= READERS; i++)
    pthread_join(thread[i], NULL);
  assert(stats_state.curr_items == 1);
  return 0;
}
