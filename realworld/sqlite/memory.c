/* SQLite: THREADS threads use one connection to a database in memory; each
 * inserts a row, and main counts them.  MODE is how the connection is shared. */
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

#include "sqlite3.h"

#ifndef THREADS
#define THREADS 2
#endif

static sqlite3 *db;

static void run(const char *text) {
  assert(sqlite3_exec(db, text, NULL, NULL, NULL) == SQLITE_OK);
}

static void *worker(void *argument) {
  run("insert into t values (1)");
  return argument;
}

static int count(void) {
  sqlite3_stmt *statement;
  int result = sqlite3_prepare_v2(db, "select count(*) from t", -1, &statement, 0);
  assert(result == SQLITE_OK && sqlite3_step(statement) == SQLITE_ROW);
  int n = sqlite3_column_int(statement, 0);
  sqlite3_finalize(statement);
  return n;
}

int main(void) {
  pthread_t thread[THREADS];
  int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | MODE;
  assert(sqlite3_open_v2(":memory:", &db, flags, NULL) == SQLITE_OK);
  run("create table t (x)");
  for (int i = 1; i < THREADS; i++)
    pthread_create(&thread[i], NULL, worker, NULL);
  worker(NULL);
  for (int i = 1; i < THREADS; i++) pthread_join(thread[i], NULL);
  assert(count() == THREADS);
  assert(sqlite3_close(db) == SQLITE_OK);
}
