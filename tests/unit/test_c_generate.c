/* Random C programs: the same seed gives the same text, every template is
 * complete, and smaller programs are still programs. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

#include "fuzz/c/c_generate.h"
#include "fuzz/c/c_shrink.h"
#include "fuzz/c/pieces.h"

static char *print(uint64_t seed, uint64_t index) {
  struct c_program p;
  struct c_taste all = {0};
  struct text to = {0};
  c_generate(&p, seed, index, &all);
  c_program_print(&p, 0, &to);
  c_program_free(&p);
  return text_take(&to);
}

static void same_seed_same_text(void **state) {
  (void)state;
  for (uint64_t i = 0; i < 500; i++) {
    char *a = print(7, i), *b = print(7, i), *c = print(8, i);
    assert_string_equal(a, b);
    assert_string_not_equal(a, c);
    assert_null(strchr(a, '@'));
    assert_null(strchr(a, '`'));
    free(a), free(b), free(c);
  }
}

static void choices_nest(void **state) {
  (void)state;
  struct rng rng;
  rng_seed(&rng, 1);
  struct template_context c = {.rng = &rng, .object = "x", .number = 3};
  bool seen[3] = {0};
  for (int i = 0; i < 100; i++) {
    char *text = template_text(&c, "@(a@|b@(c@|d@)@)+@X+@@y");
    seen[text[0] == 'a' ? 0 : text[1] == 'c' ? 1 : 2] = true;
    assert_string_equal(strchr(text, '+'), "+x+`3_y");
    free(text);
  }
  assert_true(seen[0] && seen[1] && seen[2]);
  char *order = template_text(&c, "@l @P");
  assert_string_equal(order,
                      "memory_order_seq_cst __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST");
  free(order);
}

/* Everything that is offered fails: nothing is left in the end. */
static size_t always(void *context, const c_program_list *list) {
  unsigned *rounds = context;
  (void)list;
  ++*rounds;
  return 0;
}

static void shrinks_to_nothing(void **state) {
  (void)state;
  for (uint64_t i = 0; i < 100; i++) {
    struct c_program p;
    struct c_taste all = {0};
    unsigned rounds = 0;
    c_generate(&p, 3, i, &all);
    c_shrink(&p, always, &rounds);
    for (size_t s = 0; s < p.statements.size; s++)
      assert_true(p.statements.at[s].removed);
    for (size_t t = 1; t < p.threads.size; t++)
      assert_true(p.threads.at[t].removed);
    assert_true(rounds < 40);
    c_program_free(&p);
  }
}

/* Kinds of pieces that the generator relies on. */
static void pieces_are_complete(void **state) {
  (void)state;
  for (unsigned i = 0; i < piece_count; i++) {
    assert_true(pieces[i].traits & ITSELF ||
                strstr(pieces[i].declarations, "@@T"));
    assert_non_null(pieces[i].reads[0]);
    assert_non_null(pieces[i].writes[0]);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(same_seed_same_text),
      cmocka_unit_test(choices_nest),
      cmocka_unit_test(shrinks_to_nothing),
      cmocka_unit_test(pieces_are_complete),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
