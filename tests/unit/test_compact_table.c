/* util/compact_table: what was added is found, and nothing else; also when all hashes
 * are alike. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "util/compact_table.h"
#include "util/rng.h"
#include "util/table.h"
#include "util/vec.h"

typedef VEC(uint64_t) key_list;
typedef uint32_t hasher(uint64_t key);

/* What the table asks when it grows. */
struct asked {
  const key_list *keys;
  hasher *hash;
};

static uint32_t hash_of(const void *context, size_t number) {
  const struct asked *a = context;
  return a->hash(a->keys->at[number]);
}

enum { MISSING = -1 };

static long find(const struct compact_table *t, const key_list *keys,
                 uint32_t hash, uint64_t key) {
  for (COMPACT_EACH(n, t, hash))
    if (keys->at[n] == key)
      return (long)n;
  return MISSING;
}

static void add_and_find(hasher *hash, uint64_t count) {
  struct compact_table t = {0};
  key_list keys = {0};
  for (uint64_t key = 0; key < count; key++) {
    assert_int_equal(find(&t, &keys, hash(key), key), MISSING);
    compact_add(&t, hash(key), keys.size, hash_of,
                &(struct asked){&keys, hash});
    VEC_PUSH(keys, key);
    assert_true(5 * t.used <= 4 * t.capacity);
  }
  for (uint64_t key = 0; key < count; key++)
    assert_int_equal(find(&t, &keys, hash(key), key), key);
  for (uint64_t key = count; key < 2 * count; key++)
    assert_int_equal(find(&t, &keys, hash(key), key), MISSING);
  compact_free(&t);
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
  add_and_find(mixed, 200000);
  add_and_find(table_hash, 20000);
}

static void collisions(void **state) {
  (void)state;
  add_and_find(all_alike, 300);
  add_and_find(close_together, 1000);
}

static void empty(void **state) {
  (void)state;
  struct compact_table t = {0};
  key_list keys = {0};
  assert_int_equal(find(&t, &keys, 7, 7), MISSING);
  compact_free(&t);
}

static void freed(void **state) {
  (void)state;
  struct compact_table t = {0};
  key_list keys = {0};
  for (uint64_t key = 0; key < 1000; key++) {
    compact_add(&t, mixed(key), keys.size, hash_of,
                &(struct asked){&keys, mixed});
    VEC_PUSH(keys, key);
  }
  compact_free(&t);
  for (uint64_t key = 0; key < 1000; key++)
    assert_int_equal(find(&t, &keys, mixed(key), key), MISSING);
  compact_add(&t, mixed(5), 5, hash_of, &(struct asked){&keys, mixed});
  assert_int_equal(find(&t, &keys, mixed(5), 5), 5);
  compact_free(&t);
  VEC_FREE(keys);
}

static uint32_t two_hashes(const void *context, size_t number) {
  (void)context;
  return UINT32_MAX - (uint32_t)number % 2;
}

/* Every element with the hash comes exactly once, in the order in which they
 * were added, also around the end of the slots. */
static void same_hash_in_order(void **state) {
  (void)state;
  struct compact_table t = {0};
  for (size_t i = 0; i < 300; i++) {
    compact_add(&t, two_hashes(NULL, i), i, two_hashes, NULL);
    size_t expected = 0;
    for (COMPACT_EACH(n, &t, UINT32_MAX)) {
      if (n % 2)
        continue; /* of the other hash */
      assert_int_equal(n, expected);
      expected += 2;
    }
    assert_int_equal(expected, i / 2 * 2 + 2);
  }
  compact_free(&t);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(many),
      cmocka_unit_test(collisions),
      cmocka_unit_test(empty),
      cmocka_unit_test(freed),
      cmocka_unit_test(same_hash_in_order),
  };
  return cmocka_run_group_tests(tests, 0, 0);
}
