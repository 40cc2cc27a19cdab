// The types that accesses go through: behind `// type` those in the hooks of that
// line, each once; "-" is an access that goes through no pointer.  And what the
// list of calls says: behind `// call` the function, the type that its result
// points to, and its first two arguments.
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

struct inner {
  int x, y[3];
};

typedef struct {
  struct inner inner;
  struct inner *other;
  unsigned low : 3, high : 5;
  pthread_mutex_t lock;
  pthread_cond_t changed;
  char name[8];
} pair_t;

struct pair_list {
  pair_t *pairs;
};

static int global;
static pair_t whole;

int through(pair_t *p, struct pair_list *l, int *n, int i) {
  p->inner.y[i] = 1;          // type pair_t
  p->other->x = 2;            // type pair_t, inner
  l->pairs[i].inner.x = 3;    // type pair_list, pair_t
  p->low = 4;                 // type pair_t
  *n = 5;                     // type int
  n[i] = 6;                   // type int
  global = 7;                 // type -
  whole.inner.x = 8;          // type -
  ((pair_t *)n)->inner.x = 9; // type pair_t
  return 0;
}

void calls(pair_t *p, const char *name) {
  pair_t *made = malloc(sizeof *made); // call malloc pair_t - -
  pthread_mutex_lock(&p->lock);        // call pthread_mutex_lock - p->lock -
  pthread_cond_wait(&p->changed,       // call pthread_cond_wait - p->changed p->lock
                    &p->lock);
  strcpy(p->name, name); // call strcpy - p->name *name
  free(made);            // call free - *made -
}
