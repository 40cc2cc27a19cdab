/* c-blosc: a small buffer is compressed by THREADS threads, which meet at barriers,
 * and decompressed by main. */
#include <assert.h>
#include <blosc.h>
#include <string.h>

#ifndef THREADS
#define THREADS 2
#endif
#ifndef SIZE
#define SIZE 512
#endif

int main(void) {
  static char in[SIZE], out[SIZE], packed[SIZE + BLOSC_MAX_OVERHEAD];
  for (int i = 0; i < SIZE; i++)
    in[i] = i / 16;
  blosc_init();
  blosc_set_nthreads(THREADS);
  blosc_set_blocksize(SIZE / 2);
  int size =
      blosc_compress(5, BLOSC_SHUFFLE, 4, SIZE, in, packed, sizeof packed);
  assert(size > 0);
  blosc_set_nthreads(1);
  assert(blosc_decompress(packed, out, SIZE) == SIZE);
  assert(memcmp(in, out, SIZE) == 0);
  blosc_destroy();
}
