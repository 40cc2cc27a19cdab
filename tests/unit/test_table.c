/* util/table: what was added is found, and nothing else; also when all hashes
 * are alike. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "util/rng.h"
#include "util/table.h"
#include "util/vec.h"

typedef VEC(uint64_t) key_list;
typedef uint32_t hasher(uint64_t key);

enum { MISSING = -1 };

static long find(const struct table *t, const key_list *keys, uint32_t hash,
                 uint64_t key) {
  for (TABLE_EACH(n, t, hash))
    if (keys->at[n] == key)
      return (long)n;
  return MISSING;
}

static void add_and_find(hasher *hash, uint64_t count) {
  struct table t = {0};
  key_list keys = {0};
  for (uint64_t key = 0; key < count; key++) {
    assert_int_equal(find(&t, &keys, hash(key), key), MISSING);
    table_add(&t, hash(key), keys.size);
    VEC_PUSH(keys, key);
    assert_true(2 * t.used <= t.capacity);
  }
  for (uint64_t key = 0; key < count; key++)
    assert_int_equal(find(&t, &keys, hash(key), key), key);
  for (uint64_t key = count; key < 2 * count; key++)
    assert_int_equal(find(&t, &keys, hash(key), key), MISSING);
  table_free(&t);
  VEC_FREE(keys);
}

static uint32_t all_alike(uint64_t key) {
  (void)key;
  return UINT32_MAX;
}

static uint32_t mixed(uint64_t key) {
  return (uint32_t)rng_mix(key);
}

/* Neighbours, at the end of the slots. */
static uint32_t close_together(uint64_t key) {
  return UINT32_MAX - (uint32_t)key % 4;
}

static void many(void **state) {
  (void)state;
  add_and_find(mixed, 20000);
  add_and_find(table_hash, 20000);
}

static void collisions(void **state) {
  (void)state;
  add_and_find(all_alike, 300);
  add_and_find(close_together, 1000);
}

static void empty(void **state) {
  (void)state;
  struct table t = {0};
  key_list keys = {0};
  assert_int_equal(find(&t, &keys, 7, 7), MISSING);
  table_clear(&t);
  table_free(&t);
}

static void clear(void **state) {
  (void)state;
  struct table t = {0};
  key_list keys = {0};
  for (uint64_t key = 0; key < 1000; key++) {
    table_add(&t, mixed(key), keys.size);
    VEC_PUSH(keys, key);
  }
  table_clear(&t);
  for (uint64_t key = 0; key < 1000; key++)
    assert_int_equal(find(&t, &keys, mixed(key), key), MISSING);
  table_add(&t, mixed(5), 5);
  assert_int_equal(find(&t, &keys, mixed(5), 5), 5);
  table_free(&t);
  VEC_FREE(keys);
}

/* Every element with the hash comes exactly once. */
static void same_hash_once(void **state) {
  (void)state;
  struct table t = {0};
  unsigned seen[100] = {0};
  for (size_t i = 0; i < 100; i++) {
    table_add(&t, 42, i);
    table_add(&t, 43, 1000 + i);
  }
  for (TABLE_EACH(n, &t, 42)) {
    assert_true(n < 100);
    seen[n]++;
  }
  for (size_t i = 0; i < 100; i++)
    assert_int_equal(seen[i], 1);
  table_free(&t);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(many),
      cmocka_unit_test(collisions),
      cmocka_unit_test(empty),
      cmocka_unit_test(clear),
      cmocka_unit_test(same_hash_once),
  };
  return cmocka_run_group_tests(tests, 0, 0);
}
