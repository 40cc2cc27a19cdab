#include "cc/driver/manifest.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cc/driver/cache.h"
#include "cc/driver/pack.h"

/* The clock that files get their times from. */
struct timespec manifest_start(void) {
  struct timespec now;
  clock_gettime(CLOCK_REALTIME_COARSE, &now);
  return now;
}

/* Some file systems count whole or even double seconds only. */
static bool changed_since(const struct stat *status, struct timespec start) {
  struct timespec changed = status->st_ctim;
  if (changed.tv_nsec == 0)
    changed.tv_sec += 2;
  if (changed.tv_sec != start.tv_sec)
    return changed.tv_sec > start.tv_sec;
  return changed.tv_nsec >= start.tv_nsec;
}

/* What a result depends on besides its key; false if no result can. */
static bool add_state(const struct manifest *manifest, struct digest *state) {
  for (size_t i = 0; i < manifest->absent.size; i++)
    if (access(manifest->absent.at[i], F_OK) == 0)
      return false;
  digest_add_words(state, &manifest->absent);
  digest_add_words(state, &manifest->contents);
  for (size_t i = 0; i < manifest->contents.size; i++)
    if (!digest_add_contents(state, manifest->contents.at[i]))
      return false;
  digest_add_words(state, &manifest->identity);
  for (size_t i = 0; i < manifest->identity.size; i++) {
    struct stat status;
    if (stat(manifest->identity.at[i], &status))
      return false;
    digest_add_identity(state, &status);
  }
  return true;
}

static struct digest key_of_manifest(const struct digest *key) {
  struct digest digest = digest_of("manifest");
  digest_add(&digest, key, sizeof *key);
  return digest;
}

bool manifest_find(const struct digest *key, struct digest *result) {
  struct cache_part parts[3];
  struct digest own = key_of_manifest(key);
  if (!cache_get(&own, parts, 3))
    return false;
  struct manifest manifest = {0};
  unpack_words(&parts[0], &manifest.contents);
  unpack_words(&parts[1], &manifest.identity);
  unpack_words(&parts[2], &manifest.absent);
  *result = *key;
  return add_state(&manifest, result);
}

static bool all_are_old(const struct word_list *paths, struct timespec start) {
  struct stat status;
  for (size_t i = 0; i < paths->size; i++)
    if (stat(paths->at[i], &status) || changed_since(&status, start))
      return false;
  return true;
}

bool manifest_keep(const struct digest *key, const struct manifest *manifest,
                   struct timespec start, struct digest *result) {
  *result = *key;
  if (!add_state(manifest, result) ||
      !all_are_old(&manifest->contents, start) ||
      !all_are_old(&manifest->identity, start))
    return false;
  struct cache_part parts[] = {pack_words(&manifest->contents),
                               pack_words(&manifest->identity),
                               pack_words(&manifest->absent)};
  struct digest own = key_of_manifest(key);
  cache_put(&own, parts, 3);
  for (size_t i = 0; i < 3; i++)
    free(parts[i].at);
  return true;
}
