/* A digest of what the program's state consists of. */
#ifndef NATIVE_FINGERPRINT_H
#define NATIVE_FINGERPRINT_H

#include <stddef.h>
#include <stdint.h>

/* A sum over words that are not zero, each mixed with its key: memory that was
 * never touched counts like memory that is zero again. */
struct digest {
  uint64_t sum;
};

void digest_word(struct digest *, uint64_t key, uint64_t word);
/* Bytes, by their address or by another key. */
void digest_bytes(struct digest *, const void *, size_t);
void digest_bytes_as(struct digest *, uint64_t key, const void *, size_t);

/* heap.c: all blocks, freed ones too, and _Thread_local variables. */
void heap_digest(struct digest *);
/* libc_misc.c, libc_exit.c: what the wrappers of libc remember. */
void libc_digest(struct digest *);
void exit_digest(struct digest *);

#endif
