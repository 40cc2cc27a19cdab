/* A digest of 128 bits of a sequence of pieces.  Two sequences that differ have
 * different digests, unless a collision was made on purpose. */
#ifndef HOST_DIGEST_H
#define HOST_DIGEST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>

#include "host/word_list.h"

struct digest {
  uint64_t half[2];
};

/* Starts with the purpose of the digest, so that digests of different things
 * are never alike. */
struct digest digest_of(const char *purpose);

/* Each call adds one piece: "ab", "c" is not "a", "bc". */
void digest_add(struct digest *, const void *bytes, size_t length);
void digest_add_text(struct digest *, const char *text); /* NULL is a piece */
void digest_add_words(struct digest *, const struct word_list *);
/* Adds the identity of a file and the time of its last change, not its
 * contents. */
void digest_add_identity(struct digest *, const struct stat *);
/* Adds the contents of the file; false if it cannot be read. */
bool digest_add_contents(struct digest *, const char *path);

bool digest_same(const struct digest *, const struct digest *);

enum { DIGEST_NAME = 33 };
/* 32 hexadecimal digits. */
void digest_name(const struct digest *, char name[DIGEST_NAME]);

#endif
