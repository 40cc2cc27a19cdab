/* A digest of the program's state. */
#ifndef SYSTEM_NATIVE_VERIFY_FINGERPRINT_H
#define SYSTEM_NATIVE_VERIFY_FINGERPRINT_H

#include <stddef.h>
#include <stdint.h>

/* A sum over words that are not zero, each mixed with its key: memory that was
 * never touched counts like memory that is zero again. */
struct state_digest {
  uint64_t sum;
};

void digest_word(struct state_digest *, uint64_t key, uint64_t word);
/* Bytes, by their address or by another key. */
void digest_bytes(struct state_digest *, const void *, size_t);
void digest_bytes_as(struct state_digest *, uint64_t key, const void *, size_t);

/* heap.c: all blocks, freed ones too, and _Thread_local variables. */
void heap_digest(struct state_digest *);
/* libc_exit.c: the state of the wrappers of libc. */
void exit_digest(struct state_digest *);

#endif
