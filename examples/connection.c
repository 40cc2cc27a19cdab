/* A server closes connections that are idle while a handler still uses one: the
 * handler looks the connection up, and takes no reference. */
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum state { CONNECTED, CLOSING };

struct connection {
  char user[16];
  enum state state;
  int requests;
};

static pthread_mutex_t table_lock = PTHREAD_MUTEX_INITIALIZER;
static struct connection *table[2];

static struct connection *connection_open(int slot, const char *user) {
  struct connection *c = malloc(sizeof *c);
  strcpy(c->user, user);
  c->state = CONNECTED;
  c->requests = 0;
  table[slot] = c;
  return c;
}

static struct connection *connection_find(const char *user) {
  struct connection *found = NULL;
  pthread_mutex_lock(&table_lock);
  for (int i = 0; i < 2; i++)
    if (table[i] && !strcmp(table[i]->user, user))
      found = table[i];
  pthread_mutex_unlock(&table_lock);
  return found;
}

static void *handler(void *arg) {
  struct connection *c = connection_find(arg);
  if (c)
    c->requests++;
  return NULL;
}

static void *reaper(void *arg) {
  (void)arg;
  pthread_mutex_lock(&table_lock);
  struct connection *c = table[1];
  table[1] = NULL;
  c->state = CLOSING;
  pthread_mutex_unlock(&table_lock);
  free(c);
  return NULL;
}

int main(void) {
  pthread_t threads[2];
  connection_open(0, "alice");
  connection_open(1, "bob");
  pthread_create(&threads[0], NULL, handler, "bob");
  pthread_create(&threads[1], NULL, reaper, NULL);
  for (int i = 0; i < 2; i++)
    pthread_join(threads[i], NULL);
  return 0;
}
