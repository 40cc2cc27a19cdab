/* zstd's multithreaded compression of a small buffer: WORKERS workers compress
 * it, and what comes out can be decompressed to the same bytes. */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#define ZSTD_STATIC_LINKING_ONLY
#include "zstd.h"

#ifndef WORKERS
#define WORKERS 1
#endif
#ifndef SIZE
#define SIZE 600
#endif

static char input[SIZE], output[SIZE + 1000], again[SIZE];

int main(void) {
  for (int i = 0; i < SIZE; i++) input[i] = (char)(i * i / 7);
  ZSTD_CCtx *context = ZSTD_createCCtx();
  ZSTD_CCtx_setParameter(context, ZSTD_c_windowLog, 10);
  ZSTD_CCtx_setParameter(context, ZSTD_c_hashLog, 6);
  ZSTD_CCtx_setParameter(context, ZSTD_c_chainLog, 6);
  ZSTD_CCtx_setParameter(context, ZSTD_c_strategy, ZSTD_fast);
  size_t set = ZSTD_CCtx_setParameter(context, ZSTD_c_nbWorkers, WORKERS);
  assert(!ZSTD_isError(set));
  ZSTD_inBuffer in = {input, SIZE, 0};
  ZSTD_outBuffer out = {output, sizeof output, 0};
  /* If the end came at once, a buffer this small would get no workers. */
  size_t left = ZSTD_compressStream2(context, &out, &in, ZSTD_e_continue);
  assert(!ZSTD_isError(left));
  do {
    left = ZSTD_compressStream2(context, &out, &in, ZSTD_e_end);
    assert(!ZSTD_isError(left));
  } while (left);
  size_t size = ZSTD_decompress(again, SIZE, output, out.pos);
  assert(size == SIZE && memcmp(input, again, SIZE) == 0);
  ZSTD_freeCCtx(context);
}
