#include <assert.h>
#include <pthread.h>

static pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;
static int x, y;

static void *change(void *unused) {
  pthread_rwlock_wrlock(&l);
  x++;
  y++;
  pthread_rwlock_unlock(&l);
  return unused;
}

static void *look(void *unused) {
  pthread_rwlock_rdlock(&l);
  int a = x, b = y;
  assert(a == b);
  pthread_rwlock_unlock(&l);
  return unused;
}

int main(void) {
  pthread_t t[4];
  for (int i = 0; i < 4; i++)
    pthread_create(&t[i], 0, i < 2 ? change : look, 0);
  for (int i = 0; i < 4; i++)
    pthread_join(t[i], 0);
}
