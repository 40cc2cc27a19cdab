/* Provokes every kind of hook; is compiled, never run. */
#include <stdatomic.h>
#include <stdint.h>
#include <string.h>

typedef struct __attribute__((packed)) {
  char odd;
  int16_t h;
  int32_t w;
  int64_t d;
  __int128 q;
} packed;

packed shared_packed;
uint8_t b;
uint16_t h;
uint32_t w;
uint64_t d;
unsigned __int128 q;
volatile uint32_t volatile_word;
_Thread_local int own;
struct large {
  char bytes[300];
} one, two;

_Atomic uint8_t ab;
_Atomic uint16_t ah;
_Atomic uint32_t aw;
_Atomic uint64_t ad;
_Atomic unsigned __int128 aq;
_Atomic(struct large) al;

void plain(void);
void plain(void) {
  b++, h++, w++, d++, q++;
  volatile_word++;
  own++;
  one = two;
  memcpy(&one, &two, 100);
  memmove(&one, (char *)&one + 1, 100);
  memset(&one, 1, sizeof one);
}

void unaligned(packed *p);
void unaligned(packed *p) { p->h++, p->w++, p->d++, p->q++, shared_packed.q++; }

#define OPERATIONS(a)                                       \
  do {                                                      \
    __typeof__(+a) expected = 0;                            \
    a = 1;                                                  \
    (void)a;                                                \
    atomic_store_explicit(&a, 1, memory_order_relaxed);     \
    atomic_load_explicit(&a, memory_order_acquire);         \
    atomic_exchange(&a, 2);                                 \
    atomic_fetch_add(&a, 3);                                \
    atomic_fetch_sub(&a, 3);                                \
    atomic_fetch_and(&a, 3);                                \
    atomic_fetch_or(&a, 3);                                 \
    atomic_fetch_xor(&a, 3);                                \
    __c11_atomic_fetch_nand(&a, 3, __ATOMIC_SEQ_CST);       \
    __typeof__(a) *place = &a;                              \
    __c11_atomic_compare_exchange_strong(                   \
        place, (void *)&expected, 4, __ATOMIC_SEQ_CST,      \
        __ATOMIC_SEQ_CST);                                  \
    __c11_atomic_compare_exchange_weak(                     \
        place, (void *)&expected, 4, __ATOMIC_SEQ_CST,      \
        __ATOMIC_SEQ_CST);                                  \
  } while (0)

void atomics(void);
void atomics(void) {
  OPERATIONS(ab);
  OPERATIONS(ah);
  OPERATIONS(aw);
  OPERATIONS(ad);
  OPERATIONS(aq);
  atomic_thread_fence(memory_order_seq_cst);
  atomic_signal_fence(memory_order_seq_cst);
}

void large_atomics(struct large *p);
void large_atomics(struct large *p) {
  struct large expected = *p;
  al = *p;
  *p = atomic_load(&al);
  *p = atomic_exchange(&al, expected);
  atomic_compare_exchange_strong(&al, &expected, *p);
}
