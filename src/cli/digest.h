/* A digest of 128 bits of a sequence of pieces.  Two sequences that differ get
 * two digests, unless somebody searches for a collision on purpose. */
#ifndef CLI_DIGEST_H
#define CLI_DIGEST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>

#include "cli/words.h"

struct digest {
  uint64_t half[2];
};

/* Starts with the purpose of the digest, so that digests of different things
 * are never alike. */
struct digest digest_of(const char *purpose);

/* Each call adds one piece: "ab", "c" is not "a", "bc". */
void digest_add(struct digest *, const void *bytes, size_t length);
void digest_add_text(struct digest *, const char *text); /* NULL is a piece */
void digest_add_words(struct digest *, const struct words *);
/* Which file it is and when it was changed last, not what is in it. */
void digest_add_identity(struct digest *, const struct stat *);
/* What is in the file; false if it cannot be read. */
bool digest_add_contents(struct digest *, const char *path);

bool digest_same(const struct digest *, const struct digest *);

enum { DIGEST_NAME = 33 };
/* 32 hexadecimal digits. */
void digest_name(const struct digest *, char name[DIGEST_NAME]);

#endif
