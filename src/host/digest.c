/* Two sums of 64 bits run side by side.  Each takes 16 bytes at a time and
 * multiplies them with itself; the upper half of the product, where the good
 * bits are, is folded onto the lower one.  The sums swap the roles of the two
 * words and use different constants: a multiplication by zero in one of them
 * leaves the other as it is.
 */
#include "host/digest.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* The first digits of the fractions of pi and e. */
#define FIRST 0x243f6a8885a308d3u
#define SECOND 0xb7e151628aed2a6bu

static uint64_t fold(uint64_t a, uint64_t b) {
  unsigned __int128 product = (unsigned __int128)a * b;
  return (uint64_t)product ^ (uint64_t)(product >> 64);
}

static uint64_t rotate(uint64_t value, int bits) {
  return value << bits | value >> (64 - bits);
}

static void take(struct digest *digest, uint64_t a, uint64_t b) {
  uint64_t *half = digest->half;
  half[0] = rotate(half[0], 23) + fold(half[0] ^ a, b ^ FIRST);
  half[1] = rotate(half[1], 29) + fold(half[1] ^ b, a ^ SECOND);
}

struct digest digest_of(const char *purpose) {
  struct digest digest = {{SECOND, FIRST}};
  digest_add_text(&digest, purpose);
  return digest;
}

/* The length comes last and mixes the halves. */
void digest_add(struct digest *digest, const void *bytes, size_t length) {
  const char *at = bytes;
  uint64_t pair[2];
  size_t left = length;
  for (; left >= sizeof pair; left -= sizeof pair, at += sizeof pair) {
    memcpy(pair, at, sizeof pair);
    take(digest, pair[0], pair[1]);
  }
  memset(pair, 0, sizeof pair);
  if (left)
    memcpy(pair, at, left);
  take(digest, pair[0], pair[1]);
  take(digest, length ^ digest->half[1], ~length ^ digest->half[0]);
}

void digest_add_text(struct digest *digest, const char *text) {
  digest_add(digest, text ? text : "", text ? strlen(text) + 1 : 0);
}

void digest_add_words(struct digest *digest, const struct word_list *words) {
  digest_add(digest, &words->size, sizeof words->size);
  for (size_t i = 0; i < words->size; i++)
    digest_add_text(digest, words->at[i]);
}

void digest_add_identity(struct digest *digest, const struct stat *status) {
  uint64_t what[] = {
      status->st_dev,
      status->st_ino,
      status->st_mode,
      (uint64_t)status->st_size,
      (uint64_t)status->st_mtim.tv_sec,
      (uint64_t)status->st_mtim.tv_nsec,
      (uint64_t)status->st_ctim.tv_sec,
      (uint64_t)status->st_ctim.tv_nsec,
  };
  digest_add(digest, what, sizeof what);
}

/* Most sources are small: one read, no mapping. */
static bool add_small(struct digest *digest, int file, size_t size) {
  char bytes[1 << 16];
  ssize_t got = read(file, bytes, size);
  if (got != (ssize_t)size)
    return false;
  digest_add(digest, bytes, size);
  return true;
}

static bool add_large(struct digest *digest, int file, size_t size) {
  void *bytes = mmap(NULL, size, PROT_READ, MAP_PRIVATE, file, 0);
  if (bytes == MAP_FAILED)
    return false;
  digest_add(digest, bytes, size);
  munmap(bytes, size);
  return true;
}

bool digest_add_contents(struct digest *digest, const char *path) {
  int file = open(path, O_RDONLY | O_CLOEXEC);
  if (file < 0)
    return false;
  struct stat status;
  bool good = fstat(file, &status) == 0 && S_ISREG(status.st_mode);
  if (good) {
    size_t size = (size_t)status.st_size;
    good = size < 1 << 16 ? add_small(digest, file, size)
                          : add_large(digest, file, size);
  }
  close(file);
  return good;
}

bool digest_same(const struct digest *a, const struct digest *b) {
  return a->half[0] == b->half[0] && a->half[1] == b->half[1];
}

void digest_name(const struct digest *digest, char name[DIGEST_NAME]) {
  snprintf(name, DIGEST_NAME, "%016llx%016llx",
           (unsigned long long)digest->half[0],
           (unsigned long long)digest->half[1]);
}
