/* liblzma's multithreaded encoder: THREADS threads compress a small buffer in
 * blocks, and what comes out can be decoded to the same bytes. */
#include <assert.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <lzma.h>

#ifndef THREADS
#define THREADS 1
#endif
#ifndef BLOCKS
#define BLOCKS 1
#endif

enum { BLOCK = 8, SIZE = BLOCK * BLOCKS };
static uint8_t input[SIZE], output[4096], again[SIZE];

int main(void) {
  lzma_stream stream = LZMA_STREAM_INIT;
  /* The smallest dictionary, so that little memory is initialised. */
  lzma_options_lzma lzma;
  lzma_lzma_preset(&lzma, 0);
  lzma.dict_size = LZMA_DICT_SIZE_MIN;
  lzma.nice_len = 8;
  lzma_filter filters[] = {{LZMA_FILTER_LZMA2, &lzma}, {LZMA_VLI_UNKNOWN, NULL}};
  lzma_mt options = {.threads = THREADS, .block_size = BLOCK,
                     .filters = filters, .check = LZMA_CHECK_CRC32};
  for (int i = 0; i < SIZE; i++) input[i] = (uint8_t)(i * 7);
  assert(lzma_stream_encoder_mt(&stream, &options) == LZMA_OK);
  stream.next_in = input, stream.avail_in = SIZE;
  stream.next_out = output, stream.avail_out = sizeof output;
  lzma_ret result;
  do result = lzma_code(&stream, LZMA_FINISH);
  while (result == LZMA_OK);
  assert(result == LZMA_STREAM_END);
  size_t size = (size_t)stream.total_out, from = 0, to = 0;
  lzma_end(&stream);
  uint64_t memory = UINT64_MAX;
  assert(lzma_stream_buffer_decode(&memory, 0, NULL, output, &from, size, again,
                                   &to, SIZE) == LZMA_OK);
  assert(to == SIZE && memcmp(input, again, SIZE) == 0);
}
