// Vector instructions under a mask touch their lanes only; an unaligned load
// reads all of them.
// expect output "0 0\n"
// expect output "1 0\n"
// expect optimal: executions 2, blocked 0
// options --races=off
// libs -mavx
// real no: plain accesses without synchronisation
#ifdef __x86_64__
#include <immintrin.h>
#endif
#include <pthread.h>
#include <stdio.h>

static float x[4];
static int other[4];

#ifdef __x86_64__
static void *put(void *unused) {
  __m128i first = _mm_set_epi32(0, 0, 0, -1);
  _mm_maskstore_ps(x, first, _mm_set1_ps(1));
  x[3] = 2; /* nobody reads it */
  _mm_maskmoveu_si128(_mm_set1_epi32(1), _mm_setzero_si128(), (char *)other);
  return unused;
}

static float get(void) {
  return _mm_cvtss_f32(_mm_maskload_ps(x, _mm_set_epi32(0, -1, -1, -1)));
}
#else
static void *put(void *unused) {
  x[0] = 1;
  return unused;
}

static float get(void) {
  return x[0];
}
#endif

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, put, 0);
  int seen = (int)get();
  int untouched = other[0];
  pthread_join(t, 0);
  printf("%d %d\n", seen, untouched);
}
