/* Concurrency Kit's epochs: a writer replaces an object and frees the old one
 * when no reader can hold it any more.  Use after free is an error that heddle
 * finds by itself. */
#include <assert.h>
#include <pthread.h>
#include <stddef.h>
#include <stdlib.h>

#include <ck_epoch.h>
#include <ck_pr.h>

#ifndef READERS
#define READERS 1
#endif

struct object {
  int value;
  ck_epoch_entry_t entry;
};
CK_EPOCH_CONTAINER(struct object, entry, object_of)

static ck_epoch_t epoch;
static ck_epoch_record_t record[READERS + 1];
static struct object *current;

static struct object *make(int value) {
  struct object *o = malloc(sizeof *o);
  o->value = value;
  return o;
}

static void destroy(ck_epoch_entry_t *entry) { free(object_of(entry)); }

static void *reader(void *argument) {
  ck_epoch_record_t *mine = argument;
  ck_epoch_begin(mine, NULL);
  struct object *o = ck_pr_load_ptr(&current);
  assert(o->value == 1 || o->value == 2);
  ck_epoch_end(mine, NULL);
  return NULL;
}

int main(void) {
  pthread_t thread[READERS];
  ck_epoch_init(&epoch);
  for (int i = 0; i <= READERS; i++) ck_epoch_register(&epoch, &record[i], NULL);
  current = make(1);
  for (int i = 0; i < READERS; i++)
    pthread_create(&thread[i], NULL, reader, &record[i + 1]);
  struct object *old = current, *fresh = make(2);
  ck_pr_fence_store();
  ck_pr_store_ptr(&current, fresh);
#ifdef DEFER
  ck_epoch_call(&record[0], &old->entry, destroy);
  ck_epoch_barrier(&record[0]);
#else
  ck_epoch_synchronize(&record[0]);
  destroy(&old->entry);
#endif
  for (int i = 0; i < READERS; i++) pthread_join(thread[i], NULL);
  free(current);
}
