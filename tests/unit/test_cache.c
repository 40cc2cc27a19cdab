/* The folder of results, and the digests that they are found by. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "cc/driver/cache.h"
#include "host/path.h"

static char folder[] = "/tmp/heddle-unit-XXXXXX";

static int make_folder(void **state) {
  (void)state;
  return !mkdtemp(folder) || setenv("HEDDLE_CACHE_DIR", folder, 1) ||
         setenv("HEDDLE_CACHE_SIZE", "100K", 1);
}

static int remove_folder(void **state) {
  (void)state;
  char command[64];
  snprintf(command, sizeof command, "rm -r %s", folder);
  return system(command);
}

static struct digest digest_of_pieces(const char *a, const char *b) {
  struct digest digest = digest_of("test");
  digest_add_text(&digest, a);
  digest_add_text(&digest, b);
  return digest;
}

static void pieces(void **state) {
  (void)state;
  struct digest all[] = {
      digest_of_pieces("ab", "c"), digest_of_pieces("a", "bc"),
      digest_of_pieces("", "abc"), digest_of_pieces(NULL, "abc"),
      digest_of_pieces("abc", ""), digest_of_pieces("abc", NULL),
  };
  struct digest again = digest_of_pieces("ab", "c");
  assert_true(digest_same(&all[0], &again));
  for (size_t i = 0; i < 6; i++)
    for (size_t k = 0; k < i; k++)
      assert_false(digest_same(&all[i], &all[k]));
}

/* Each bit of a long piece matters to both halves, and so does its length. */
static void bits(void **state) {
  (void)state;
  char bytes[77] = {0};
  struct digest plain = digest_of("test");
  digest_add(&plain, bytes, sizeof bytes);
  for (size_t bit = 0; bit < 8 * sizeof bytes; bit++) {
    struct digest other = digest_of("test");
    bytes[bit / 8] ^= (char)(1 << bit % 8);
    digest_add(&other, bytes, sizeof bytes);
    bytes[bit / 8] = 0;
    assert_true(other.half[0] != plain.half[0]);
    assert_true(other.half[1] != plain.half[1]);
  }
  struct digest shorter = digest_of("test");
  digest_add(&shorter, bytes, sizeof bytes - 1);
  assert_false(digest_same(&shorter, &plain));
}

static void keep(const struct digest *key, char *a, char *b) {
  struct cache_part parts[] = {{a, strlen(a)}, {b, strlen(b)}};
  cache_put(key, parts, 2);
}

static void parts_come_back(void **state) {
  (void)state;
  struct digest key = digest_of("parts"), other = digest_of("other");
  struct cache_part parts[2];
  assert_false(cache_get(&key, parts, 2));
  keep(&key, "first", "");
  assert_true(cache_get(&key, parts, 2));
  assert_string_equal(parts[0].at, "first");
  assert_int_equal(parts[1].size, 0);
  free(parts[0].at);
  assert_false(cache_get(&key, parts, 1)); /* it has two parts */
  assert_false(cache_get(&other, parts, 2));
}

/* An entry under another name is none. */
static void renamed(void **state) {
  (void)state;
  struct digest key = digest_of("renamed"), other = digest_of("to");
  char from[100], to[100], name[DIGEST_NAME];
  struct cache_part parts[2];
  keep(&key, "a", "b");
  digest_name(&key, name);
  snprintf(from, sizeof from, "%s/%s", folder, name);
  digest_name(&other, name);
  snprintf(to, sizeof to, "%s/%s", folder, name);
  assert_int_equal(rename(from, to), 0);
  assert_false(cache_get(&other, parts, 2));
  assert_false(cache_get(&key, parts, 2));
}

/* The bound is 100 KB; an entry of more than a quarter of it is not kept. */
static void bounded(void **state) {
  (void)state;
  static char large[20000], huge[30000];
  struct digest kept = digest_of("kept");
  struct cache_part parts[1] = {{huge, sizeof huge}};
  struct digest key = digest_of("huge");
  cache_put(&key, parts, 1);
  assert_false(cache_get(&key, parts, 1));
  for (uint64_t i = 0; i < 20; i++) {
    key = digest_of("large");
    digest_add(&key, &i, sizeof i);
    parts[0] = (struct cache_part){large, sizeof large};
    cache_put(i ? &key : &kept, parts, 1);
    usleep(10000); /* the order of use is told by coarse clocks */
    assert_true(cache_get(&kept, parts, 1));
    free(parts[0].at);
  }
  uint64_t first = 1;
  key = digest_of("large");
  digest_add(&key, &first, sizeof first);
  assert_false(cache_get(&key, parts, 1));
}

static void paths(void **state) {
  (void)state;
  assert_string_equal(path_base("a/b"), "b");
  assert_string_equal(path_base("b"), "b");
  assert_string_equal(path_below("/usr/include/a.h", "/usr/include"), "a.h");
  assert_string_equal(path_below("/usr/include/a.h", "/usr/include/"), "a.h");
  assert_null(path_below("/usr/includes/a.h", "/usr/include"));
  assert_string_equal(path_below("a.h", "."), "a.h");
  assert_null(path_below("/a.h", "."));
  assert_string_equal(path_below("/a.h", "/"), "a.h");
  static const char *const folders[][2] = {
      {"a/b", "a"}, {"b", "."}, {"/b", "/"}, {"/a/b/c", "/a/b"}};
  for (size_t i = 0; i < 4; i++) {
    char *found = path_folder(folders[i][0]);
    assert_string_equal(found, folders[i][1]);
    free(found);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(pieces),          cmocka_unit_test(bits),
      cmocka_unit_test(parts_come_back), cmocka_unit_test(renamed),
      cmocka_unit_test(bounded),         cmocka_unit_test(paths),
  };
  return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
