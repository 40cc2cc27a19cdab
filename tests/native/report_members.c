// Names in reports, second part: a record that ends with an array of any length,
// members of unions, bit-fields of globals, fresh memory.
// options --races=off
// algorithms optimal
// expect error assertion
// expect message writes s->v.kind: K_INT -> K_PTR
// expect message writes s->v.u.f = 2.5
// expect message reads table->slots[2].v.u.f = 2.5
// expect message reads table->slots[2].v.kind = K_PTR
// expect message writes device.{ready,level}: {0,0} -> {0,5}
#include <assert.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>

enum kind { K_INT, K_PTR };
struct value { enum kind kind; union { int32_t i; float f; } u; };
struct slot { struct value v; uint8_t used : 1, dirty : 1; };
struct table { int n; struct slot slots[]; };
static struct table *table;
static struct { unsigned ready : 1, level : 3; } device;

static void *set(void *unused) {
  struct slot *s = &table->slots[2];
  s->v.kind = K_PTR;
  s->v.u.f = 2.5f;
  device.level = 5;
  return unused;
}

int main(void) {
  pthread_t t;
  table = malloc(sizeof *table + 4 * sizeof(struct slot) + 16);
  table->n = 4;
  table->slots[2].v.kind = K_INT;
  pthread_create(&t, 0, set, 0);
  pthread_join(t, 0);
  assert(table->slots[2].v.kind == K_INT ||
         table->slots[2].v.u.f == 2 || device.ready);
}
