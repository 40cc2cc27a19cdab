/* A pool of workers that move money between accounts: two locks each, in the
 * order of the transfer. */
#include <pthread.h>
#include <stdlib.h>

struct account {
  pthread_mutex_t lock;
  long balance;
};

struct job {
  struct account *from, *to;
  long amount;
  struct job *next;
};

struct pool {
  pthread_mutex_t lock;
  struct job *jobs;
};

static struct account *account_new(long balance) {
  struct account *a = malloc(sizeof *a);
  pthread_mutex_init(&a->lock, NULL);
  a->balance = balance;
  return a;
}

static void pool_add(struct pool *pool, struct account *from,
                     struct account *to, long amount) {
  struct job *job = malloc(sizeof *job);
  *job = (struct job){from, to, amount, pool->jobs};
  pool->jobs = job;
}

static struct job *pool_take(struct pool *pool) {
  pthread_mutex_lock(&pool->lock);
  struct job *job = pool->jobs;
  if (job)
    pool->jobs = job->next;
  pthread_mutex_unlock(&pool->lock);
  return job;
}

static void transfer(struct account *from, struct account *to, long amount) {
  pthread_mutex_lock(&from->lock);
  pthread_mutex_lock(&to->lock);
  from->balance -= amount;
  to->balance += amount;
  pthread_mutex_unlock(&to->lock);
  pthread_mutex_unlock(&from->lock);
}

static void *worker(void *arg) {
  struct pool *pool = arg;
  for (struct job *job; (job = pool_take(pool));) {
    transfer(job->from, job->to, job->amount);
    free(job);
  }
  return NULL;
}

int main(void) {
  struct pool pool = {.lock = PTHREAD_MUTEX_INITIALIZER};
  struct account *savings = account_new(100), *rent = account_new(100);
  pthread_t workers[2];
  pool_add(&pool, savings, rent, 10);
  pool_add(&pool, rent, savings, 20);
  for (int i = 0; i < 2; i++)
    pthread_create(&workers[i], NULL, worker, &pool);
  for (int i = 0; i < 2; i++)
    pthread_join(workers[i], NULL);
  free(savings);
  free(rent);
  return 0;
}
