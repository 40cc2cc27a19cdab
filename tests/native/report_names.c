// Reports name members by their type, whatever they are reached through: enums,
// flags, bit-fields, strings, function pointers, elements, thread-local and local
// variables.
// options --full --races=off
// algorithms optimal
// expect error assertion
// expect message writes ctx->{ready,level,sign} = {1,5,-3}
// expect message writes ctx->state = BUSY
// expect message writes ctx->callback = on_done
// expect message writes ctx->ratio = 0.25
// expect message writes ctx->title = "boss"
// expect message writes ctx->closed = true
// expect message copies memory to ctx->name: "alice"
// expect message writes ctx->nodes[2].key = 2
// expect message writes ctx->head = &ctx_t#1.nodes[2]
// expect message writes ctx->head = &main's local.nodes[1]
// expect message reads local.closed = true
// expect message writes tls.b[1] = 4
// expect message reads t = T2 worker
// expect message writes numbers[2] = 5
// expect message writes to stdout: "hello 5\n"
// expect message atomically updates users: 0 -> 2
// expect message compares and swaps users: 2 -> 7
// expect message compares and swaps users = 7, and fails
// expect message ends the life of its thread-local variables
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
typedef enum { IDLE, BUSY, DONE } state_t;
typedef struct node {
  struct node *next;
  int key;
} node;
typedef struct {
  unsigned ready : 1, level : 3;
  int sign : 4;
  bool closed;
  state_t state;
  double ratio;
  void (*callback)(void *);
  char name[12];
  const char *title;
  node *head;
  node nodes[3];
} ctx_t;
static _Thread_local int calls;
static _Thread_local struct { int a, b[3]; } tls;
static void on_done(void *p) {
  calls++;
  (void)p;
}
static atomic_int users;
static void *worker(void *arg) {
  ctx_t *ctx = arg;
  ctx->ready = 1;
  ctx->level = 5;
  ctx->sign = -3;
  ctx->state = BUSY;
  ctx->callback = on_done;
  ctx->callback(ctx);
  calls += 2;
  tls.b[1] = 4;
  ctx->ratio = 0.25;
  ctx->title = "boss";
  strcpy(ctx->name, "alice");
  for (int i = 0; i < 3; i++)
    ctx->nodes[i].key = i, ctx->nodes[i].next = ctx->head,
    ctx->head = &ctx->nodes[i];
  atomic_fetch_add(&users, 2);
  int two = 2;
  atomic_compare_exchange_strong(&users, &two, 7);
  atomic_compare_exchange_strong(&users, &two, 9);
  ctx->closed = true;
  return NULL;
}
static void fill(char *to, const char *from) {
  while ((*to++ = *from++))
    ;
}
int main(void) {
  pthread_t t;
  ctx_t local = {0}, *ctx = malloc(sizeof *ctx);
  memset(ctx, 0, sizeof *ctx);
  char *copy = malloc(16);
  fill(copy, "hello");
  int *numbers = calloc(4, sizeof *numbers);
  pthread_create(&t, NULL, worker, ctx);
  numbers[2] = 5;
  printf("%s %d\n", copy, numbers[2]);
  pthread_create(&t, NULL, worker, &local);
  pthread_join(t, NULL);
  assert(!ctx->closed || !local.closed || ctx->level == 4);
}
