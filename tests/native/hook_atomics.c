// Every atomic operation in every size, also those that need libatomic.
// expect all: executions 1
// real no: other compilers need -mcx16
#include <assert.h>
#include <stdatomic.h>

#define CHECK(type)                                             \
  do {                                                          \
    static _Atomic type a;                                      \
    type e = 3;                                                 \
    atomic_store(&a, 5);                                        \
    assert(atomic_load(&a) == 5);                               \
    assert(atomic_exchange(&a, 7) == 5);                        \
    assert(atomic_fetch_add(&a, 3) == 7);                       \
    assert(atomic_fetch_sub(&a, 1) == 10);                      \
    assert(atomic_fetch_or(&a, 16) == 9);                       \
    assert(atomic_fetch_and(&a, 24) == 25);                     \
    assert(atomic_fetch_xor(&a, 8) == 24);                      \
    assert(!atomic_compare_exchange_strong(&a, &e, 4));         \
    assert(e == 16);                                            \
    assert(atomic_compare_exchange_weak(&a, &e, 4));            \
    assert(__sync_val_compare_and_swap((type *)&a, 4, 6) == 4); \
    assert(__atomic_fetch_nand((type *)&a, 2, 5) == 6);         \
    assert((type)a == (type)~2);                                \
  } while (0)

struct large {
  long words[5];
};
static _Atomic struct large object;

static void check_large(void) {
  struct large x = {{1, 2, 3, 4, 5}}, y, z = {{9}};
  atomic_store(&object, x);
  y = atomic_exchange(&object, z);
  assert(y.words[4] == 5);
  assert(!atomic_compare_exchange_strong(&object, &y, x));
  assert(y.words[0] == 9);
  assert(atomic_compare_exchange_strong(&object, &y, x));
  y = atomic_load(&object);
  assert(y.words[3] == 4);
}

int main(void) {
  CHECK(unsigned char);
  CHECK(unsigned short);
  CHECK(unsigned);
  CHECK(unsigned long);
  CHECK(unsigned __int128);
  check_large();
  atomic_thread_fence(memory_order_seq_cst);
  atomic_signal_fence(memory_order_seq_cst);
}
