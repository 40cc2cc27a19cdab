/* Every lock of Concurrency Kit.  -DLOCK=NAME chooses it; THREADS threads take it
 * once each and change two counters that nothing else protects. */
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

#include <ck_cohort.h>
#include <ck_elide.h>
#include <ck_spinlock.h>

#ifndef THREADS
#define THREADS 2
#endif

#define PASTE(a, b) a##b
#define JOIN(a, b) PASTE(a, b)
#define lock_take JOIN(LOCK, _take)
#define lock_give JOIN(LOCK, _give)
#define lock_start JOIN(LOCK, _start)

/* Locks that are one word. */
#define SIMPLE(name)                                                \
  static struct ck_spinlock_##name name;                            \
  static void name##_start(void) { ck_spinlock_##name##_init(&name); } \
  static void name##_take(int i) {                                  \
    (void)i;                                                        \
    ck_spinlock_##name##_lock(&name);                               \
  }                                                                 \
  static void name##_give(int i) {                                  \
    (void)i;                                                        \
    ck_spinlock_##name##_unlock(&name);                             \
  }
SIMPLE(cas)
SIMPLE(dec)
SIMPLE(fas)
SIMPLE(ticket)

/* Queue locks: each thread has a node of its own. */
static struct ck_spinlock_anderson anderson;
static struct ck_spinlock_anderson_thread slots[THREADS];
static struct ck_spinlock_anderson_thread *my_slot[THREADS];
static void anderson_start(void) {
  ck_spinlock_anderson_init(&anderson, slots, THREADS);
}
static void anderson_take(int i) {
  ck_spinlock_anderson_lock(&anderson, &my_slot[i]);
}
static void anderson_give(int i) {
  ck_spinlock_anderson_unlock(&anderson, my_slot[i]);
}

static struct ck_spinlock_mcs *mcs, mcs_node[THREADS];
static void mcs_start(void) { ck_spinlock_mcs_init(&mcs); }
static void mcs_take(int i) { ck_spinlock_mcs_lock(&mcs, &mcs_node[i]); }
static void mcs_give(int i) { ck_spinlock_mcs_unlock(&mcs, &mcs_node[i]); }

static struct ck_spinlock_clh *clh, clh_free, clh_node[THREADS], *my_clh[THREADS];
static void clh_start(void) {
  ck_spinlock_clh_init(&clh, &clh_free);
  for (int i = 0; i < THREADS; i++) my_clh[i] = &clh_node[i];
}
static void clh_take(int i) { ck_spinlock_clh_lock(&clh, my_clh[i]); }
static void clh_give(int i) { ck_spinlock_clh_unlock(&my_clh[i]); }

/* The hierarchical one: threads 0 and 1 share a cluster, the others have one. */
static struct ck_spinlock_hclh *hclh, *cluster[2], hclh_free[3];
static struct ck_spinlock_hclh hclh_node[THREADS], *my_hclh[THREADS];
static void hclh_start(void) {
  ck_spinlock_hclh_init(&hclh, &hclh_free[2], -1);
  for (int i = 0; i < 2; i++)
    ck_spinlock_hclh_init(&cluster[i], &hclh_free[i], i);
  for (int i = 0; i < THREADS; i++) my_hclh[i] = &hclh_node[i];
}
static void hclh_take(int i) {
  ck_spinlock_hclh_lock(&hclh, &cluster[i > 1], my_hclh[i]);
}
static void hclh_give(int i) { ck_spinlock_hclh_unlock(&my_hclh[i]); }

/* A cohort of two local locks and a global one. */
static void ticket_lock_in(void *lock, void *unused) {
  (void)unused;
  ck_spinlock_ticket_lock(lock);
}
static void ticket_unlock_in(void *lock, void *unused) {
  (void)unused;
  ck_spinlock_ticket_unlock(lock);
}
static bool ticket_locked_in(void *lock, void *unused) {
  (void)unused;
  return ck_spinlock_ticket_locked(lock);
}
CK_COHORT_PROTOTYPE(basic, ticket_lock_in, ticket_unlock_in, ticket_locked_in,
                    ticket_lock_in, ticket_unlock_in, ticket_locked_in)
static CK_COHORT_INSTANCE(basic) cohort[2];
static struct ck_spinlock_ticket global, local[2];
static void cohort_start(void) {
  ck_spinlock_ticket_init(&global);
  for (int i = 0; i < 2; i++) {
    ck_spinlock_ticket_init(&local[i]);
    CK_COHORT_INIT(basic, &cohort[i], &global, &local[i], 2);
  }
}
static void cohort_take(int i) {
  CK_COHORT_LOCK(basic, &cohort[i > 1], NULL, NULL);
}
static void cohort_give(int i) {
  CK_COHORT_UNLOCK(basic, &cohort[i > 1], NULL, NULL);
}

/* Elision: without hardware transactions it is the lock below. */
static bool fas_is_locked(ck_spinlock_fas_t *lock) {
  return ck_spinlock_fas_locked(lock);
}
CK_ELIDE_PROTOTYPE(fas, ck_spinlock_fas_t, fas_is_locked, ck_spinlock_fas_lock,
                   fas_is_locked, ck_spinlock_fas_unlock)
static ck_spinlock_fas_t elided = CK_SPINLOCK_FAS_INITIALIZER;
static void elide_start(void) {}
static void elide_take(int i) {
  (void)i;
  CK_ELIDE_LOCK(fas, &elided);
}
static void elide_give(int i) {
  (void)i;
  CK_ELIDE_UNLOCK(fas, &elided);
}

/* All locks are compiled; names of the others would be unused otherwise. */
#define ENTRY(name) {name##_start, name##_take, name##_give}
const struct {
  void (*start)(void);
  void (*take)(int), (*give)(int);
} all[] = {ENTRY(cas),  ENTRY(dec),  ENTRY(fas),    ENTRY(ticket), ENTRY(anderson),
           ENTRY(mcs),  ENTRY(clh),  ENTRY(hclh),   ENTRY(cohort), ENTRY(elide)};

static int first, second;

static void *worker(void *argument) {
  int i = (int)(long)argument;
  lock_take(i);
  int before = first++;
  assert(before == second);
  second++;
  lock_give(i);
  return NULL;
}

int main(void) {
  pthread_t thread[THREADS];
  lock_start();
  for (int i = 1; i < THREADS; i++)
    pthread_create(&thread[i], NULL, worker, (void *)(long)i);
  worker(NULL);
  for (int i = 1; i < THREADS; i++) pthread_join(thread[i], NULL);
  assert(first == THREADS && second == THREADS);
}
