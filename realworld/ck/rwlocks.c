/* Every read-write lock of Concurrency Kit, and its sequence lock.  -DLOCK=NAME
 * chooses it; a writer changes two variables, readers must see them equal. */
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

#include <ck_brlock.h>
#include <ck_bytelock.h>
#include <ck_cohort.h>
#include <ck_pflock.h>
#include <ck_rwcohort.h>
#include <ck_rwlock.h>
#include <ck_sequence.h>
#include <ck_spinlock.h>
#include <ck_swlock.h>
#include <ck_tflock.h>

#ifndef READERS
#define READERS 1
#endif
#ifndef WRITERS
#define WRITERS 1
#endif

#define PASTE(a, b) a##b
#define JOIN(a, b) PASTE(a, b)
#define UNUSED __attribute__((unused))

/* Locks whose functions get the lock and nothing else. */
#define SIMPLE(name, type, prefix)                                          \
  static type name;                                                         \
  UNUSED static void name##_start(void) { prefix##_init(&name); }           \
  UNUSED static void name##_write(int i UNUSED) { prefix##_write_lock(&name); } \
  UNUSED static void name##_written(int i UNUSED) {                         \
    prefix##_write_unlock(&name);                                           \
  }                                                                         \
  UNUSED static void name##_read(int i UNUSED) { prefix##_read_lock(&name); } \
  UNUSED static void name##_seen(int i UNUSED) { prefix##_read_unlock(&name); }
SIMPLE(pf, ck_pflock_t, ck_pflock)
SIMPLE(rw, ck_rwlock_t, ck_rwlock)
SIMPLE(sw, ck_swlock_t, ck_swlock)
SIMPLE(tf, struct ck_tflock_ticket, ck_tflock_ticket)

static struct ck_brlock br;
static struct ck_brlock_reader br_reader[READERS + WRITERS];
UNUSED static void br_start(void) {
  ck_brlock_init(&br);
  for (int i = 0; i < READERS; i++)
    ck_brlock_read_register(&br, &br_reader[WRITERS + i]);
}
UNUSED static void br_write(int i UNUSED) { ck_brlock_write_lock(&br); }
UNUSED static void br_written(int i UNUSED) { ck_brlock_write_unlock(&br); }
UNUSED static void br_read(int i) { ck_brlock_read_lock(&br, &br_reader[i]); }
UNUSED static void br_seen(int i) { ck_brlock_read_unlock(&br_reader[i]); }

static struct ck_bytelock byte;
UNUSED static void byte_start(void) { ck_bytelock_init(&byte); }
UNUSED static void byte_write(int i) { ck_bytelock_write_lock(&byte, i + 1); }
UNUSED static void byte_written(int i UNUSED) { ck_bytelock_write_unlock(&byte); }
UNUSED static void byte_read(int i) { ck_bytelock_read_lock(&byte, i + 1); }
UNUSED static void byte_seen(int i) { ck_bytelock_read_unlock(&byte, i + 1); }

/* Cohorts of readers and writers: neutral, for writers, for readers. */
static void ticket_take(void *lock, void *context UNUSED) {
  ck_spinlock_ticket_lock(lock);
}
static void ticket_give(void *lock, void *context UNUSED) {
  ck_spinlock_ticket_unlock(lock);
}
static bool ticket_taken(void *lock, void *context UNUSED) {
  return ck_spinlock_ticket_locked(lock);
}
CK_COHORT_PROTOTYPE(basic, ticket_take, ticket_give, ticket_taken, ticket_take,
                    ticket_give, ticket_taken)
static CK_COHORT_INSTANCE(basic) cohort;
static struct ck_spinlock_ticket global, local;
static void start_cohort(void) {
  ck_spinlock_ticket_init(&global);
  ck_spinlock_ticket_init(&local);
  CK_COHORT_INIT(basic, &cohort, &global, &local, 1);
}
#define COHORT(name, KIND, ...)                                             \
  CK_RWCOHORT_##KIND##_PROTOTYPE(basic)                                     \
  static CK_RWCOHORT_##KIND##_INSTANCE(basic) name;                         \
  UNUSED static void name##_start(void) {                                   \
    start_cohort();                                                         \
    CK_RWCOHORT_##KIND##_INIT(basic, &name __VA_ARGS__);                    \
  }                                                                         \
  UNUSED static void name##_write(int i UNUSED) {                           \
    CK_RWCOHORT_##KIND##_WRITE_LOCK(basic, &name, &cohort, NULL, NULL);     \
  }                                                                         \
  UNUSED static void name##_written(int i UNUSED) {                         \
    CK_RWCOHORT_##KIND##_WRITE_UNLOCK(basic, &name, &cohort, NULL, NULL);   \
  }                                                                         \
  UNUSED static void name##_read(int i UNUSED) {                            \
    CK_RWCOHORT_##KIND##_READ_LOCK(basic, &name, &cohort, NULL, NULL);      \
  }                                                                         \
  UNUSED static void name##_seen(int i UNUSED) {                            \
    CK_RWCOHORT_##KIND##_READ_UNLOCK(basic, &name, &cohort, NULL, NULL);    \
  }
#define COMMA ,
COHORT(neutral, NEUTRAL)
COHORT(wp, WP, COMMA 1)
COHORT(rp, RP, COMMA 1)

static int first, second;

#ifdef SEQUENCE
static struct ck_sequence sequence = CK_SEQUENCE_INITIALIZER;
static void write_both(int i UNUSED) {
  ck_sequence_write_begin(&sequence);
  ck_pr_store_int(&first, 1);
  ck_pr_store_int(&second, 1);
  ck_sequence_write_end(&sequence);
}
static void read_both(int i UNUSED) {
  unsigned version;
  int a, b;
  do {
    version = ck_sequence_read_begin(&sequence);
    a = ck_pr_load_int(&first);
    b = ck_pr_load_int(&second);
  } while (ck_sequence_read_retry(&sequence, version));
  assert(a == b);
}
static void start(void) {}
#else
static void write_both(int i) {
  JOIN(LOCK, _write)(i);
  first++;
  second++;
  JOIN(LOCK, _written)(i);
}
static void read_both(int i) {
  JOIN(LOCK, _read)(i);
  assert(first == second);
  JOIN(LOCK, _seen)(i);
}
static void start(void) { JOIN(LOCK, _start)(); }
#endif

static void *worker(void *argument) {
  int i = (int)(long)argument;
  if (i < WRITERS)
    write_both(i);
  else
    read_both(i);
  return NULL;
}

int main(void) {
  enum { THREADS = READERS + WRITERS };
  pthread_t thread[THREADS];
  start();
  for (int i = 1; i < THREADS; i++)
    pthread_create(&thread[i], NULL, worker, (void *)(long)i);
  worker(NULL);
  for (int i = 1; i < THREADS; i++) pthread_join(thread[i], NULL);
}
