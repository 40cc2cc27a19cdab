/* An entry is a file: a header, the sizes of the parts, the parts with a 0
 * after each.  Its name is the key's digest, its time of change the last use.
 * Files are written under another name and then renamed.
 *
 * The file "size" has the number of bytes of all entries.  A process that
 * writes an entry locks this file and adds the entry's size.  If the sum is too
 * large, it deletes old entries and counts all sizes anew, so that errors do
 * not add up.
 */
#define _GNU_SOURCE
#include "cc/driver/cache.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <time.h>
#include <unistd.h>

#include "host/complain.h"
#include "host/file.h"
#include "host/number.h"
#include "util/ensure.h"
#include "util/vec.h"

enum { MAX_PARTS = 8 };

struct header {
  char magic[8];
  struct digest sum; /* of the key and all that follows */
  uint64_t sizes[MAX_PARTS];
};

static const char magic[8] = "heddle1";

static struct {
  bool decided;
  char *folder; /* NULL: off */
  char *reason; /* why it is off */
  uint64_t bound;
} cache;

/* ---- where, and how much ------------------------------------------------ */

#define DEFAULT_BOUND ((uint64_t)500 << 20)

static uint64_t bound_wanted(void) {
  const char *wanted = getenv("HEDDLE_CACHE_SIZE");
  if (!wanted || !*wanted)
    return DEFAULT_BOUND;
  uint64_t value;
  if (parse_size(wanted, &value))
    return value;
  complain("HEDDLE_CACHE_SIZE=%s is no size; write a number of bytes, or one "
           "with K, M or G, as in 500M",
           wanted);
  return DEFAULT_BOUND;
}

static char *folder_wanted(void) {
  const char *own = getenv("HEDDLE_CACHE_DIR");
  const char *common = getenv("XDG_CACHE_HOME");
  const char *home = getenv("HOME");
  if (own)
    return *own ? strdup(own) : NULL;
  if (common && *common == '/') /* others are to be ignored, says XDG */
    return text_format("%s/heddle", common);
  return home && *home == '/' ? text_format("%s/.cache/heddle", home) : NULL;
}

/* Makes the folder and those above it. */
static bool make_folders(char *path) {
  for (char *slash = path; (slash = strchr(slash + 1, '/'));) {
    *slash = 0;
    mkdir(path, 0700);
    *slash = '/';
  }
  return mkdir(path, 0700) == 0 || errno == EEXIST;
}

static void decide(void) {
  cache.decided = true;
  cache.bound = bound_wanted();
  char *folder = folder_wanted();
  if (!folder)
    cache.reason = "no folder for it: see HEDDLE_CACHE_DIR";
  else if (!cache.bound)
    cache.reason = "HEDDLE_CACHE_SIZE is 0";
  else if ((access(folder, F_OK) && !make_folders(folder)) ||
           access(folder, R_OK | W_OK | X_OK))
    cache.reason = text_format("%s: %s", folder, strerror(errno));
  else
    cache.folder = folder;
}

bool cache_on(void) {
  if (!cache.decided)
    decide();
  return cache.folder != NULL;
}

const char *cache_describe(void) {
  return cache_on() ? cache.folder : text_format("off (%s)", cache.reason);
}

static char *path_of(const struct digest *key) {
  char name[DIGEST_NAME];
  digest_name(key, name);
  return text_format("%s/%s", cache.folder, name);
}

/* ---- entries ------------------------------------------------------------ */

static struct digest sum_of(const struct digest *key,
                            const struct header *header, const char *bytes,
                            size_t size) {
  struct digest sum = digest_of("entry");
  digest_add(&sum, key, sizeof *key);
  digest_add(&sum, header->sizes, sizeof header->sizes);
  digest_add(&sum, bytes, size);
  return sum;
}

/* The bytes behind the header, on the heap; NULL if they are not whole. */
static char *read_rest(int file, size_t *size) {
  const size_t header = sizeof(struct header);
  struct stat status;
  if (fstat(file, &status) || (size_t)status.st_size < header)
    return NULL;
  *size = (size_t)status.st_size - header;
  char *bytes = malloc(*size + 1);
  ensure(bytes);
  if (file_read_bytes(file, bytes, *size))
    return bytes;
  free(bytes);
  return NULL;
}

static bool split(const struct header *header, char *bytes, size_t size,
                  struct cache_part *parts, size_t count) {
  size_t at = 0;
  for (size_t i = 0; i < MAX_PARTS; i++) {
    if (i >= count && header->sizes[i])
      return false;
    if (i >= count)
      continue;
    if (header->sizes[i] >= size - at)
      return false;
    parts[i] = (struct cache_part){bytes + at, header->sizes[i]};
    at += header->sizes[i] + 1;
  }
  return at == size;
}

static bool read_entry(int file, const struct digest *key,
                       struct cache_part *parts, size_t count) {
  struct header header;
  size_t size;
  if (!file_read_bytes(file, &header, sizeof header) ||
      memcmp(header.magic, magic, sizeof magic))
    return false;
  char *bytes = read_rest(file, &size);
  if (!bytes)
    return false;
  struct digest sum = sum_of(key, &header, bytes, size);
  if (digest_same(&sum, &header.sum) &&
      split(&header, bytes, size, parts, count))
    return true;
  free(bytes);
  return false;
}

bool cache_get(const struct digest *key, struct cache_part *parts,
               size_t count) {
  ensure(count <= MAX_PARTS);
  if (!cache_on())
    return false;
  char *path = path_of(key);
  int file = open(path, O_RDONLY | O_CLOEXEC);
  bool found = file >= 0 && read_entry(file, key, parts, count);
  if (found)
    futimens(file, NULL);
  if (file >= 0)
    close(file);
  free(path);
  return found;
}

/* ---- keeping below the size --------------------------------------------- */

struct kept {
  char *name;
  uint64_t size;
  struct timespec used;
};

static int by_use(const void *a, const void *b) {
  const struct timespec *x = &((const struct kept *)a)->used;
  const struct timespec *y = &((const struct kept *)b)->used;
  if (x->tv_sec != y->tv_sec)
    return x->tv_sec < y->tv_sec ? -1 : 1;
  return (x->tv_nsec > y->tv_nsec) - (x->tv_nsec < y->tv_nsec);
}

/* Files that are being written are not counted; one that has been for an hour
 * was left behind by a process that died. */
static bool is_left_behind(const char *name, const struct stat *status) {
  return starts_with(name, "new.") &&
         time(NULL) - status->st_mtim.tv_sec > 3600;
}

/* Deletes entries until a fifth of the space is free.  Returns the size of what
 * is left. */
static uint64_t shrink(void) {
  VEC(struct kept) all = {0};
  uint64_t total = 0;
  DIR *folder = opendir(cache.folder);
  if (!folder)
    return 0;
  for (struct dirent *entry; (entry = readdir(folder));) {
    struct stat status;
    if (fstatat(dirfd(folder), entry->d_name, &status, AT_SYMLINK_NOFOLLOW) ||
        !S_ISREG(status.st_mode))
      continue;
    if (is_left_behind(entry->d_name, &status))
      unlinkat(dirfd(folder), entry->d_name, 0);
    if (strlen(entry->d_name) != DIGEST_NAME - 1)
      continue;
    VEC_PUSH(all, (struct kept){strdup(entry->d_name), (uint64_t)status.st_size,
                                status.st_mtim});
    total += (uint64_t)status.st_size;
  }
  if (all.size)
    qsort(all.at, all.size, sizeof *all.at, by_use);
  for (size_t i = 0; i < all.size && total > cache.bound / 5 * 4; i++)
    if (unlinkat(dirfd(folder), all.at[i].name, 0) == 0)
      total -= all.at[i].size;
  for (size_t i = 0; i < all.size; i++)
    free(all.at[i].name);
  VEC_FREE(all);
  closedir(folder);
  return total;
}

/* A size that cannot be read is too large: then all is counted. */
static uint64_t read_total(int file) {
  char line[32] = "";
  ssize_t got = pread(file, line, sizeof line - 1, 0);
  char *end;
  uint64_t total = strtoull(line, &end, 10);
  return got > 0 && end != line && *end == '\n' ? total : cache.bound;
}

static void count_entry(uint64_t size) {
  char *path = text_format("%s/size", cache.folder), line[32];
  int file = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  free(path);
  if (file < 0)
    return;
  flock(file, LOCK_EX);
  uint64_t total = read_total(file);
  total = total > cache.bound - size ? shrink() : total + size;
  int length = snprintf(line, sizeof line, "%llu\n", (unsigned long long)total);
  if (pwrite(file, line, (size_t)length, 0) != length ||
      ftruncate(file, length))
    ftruncate(file, 0); /* counted anew next time */
  close(file);
}

/* ---- writing ------------------------------------------------------------ */

static bool write_entry(const char *path, const struct header *header,
                        const char *bytes, size_t size) {
  char *fresh = text_format("%s/new.XXXXXX", cache.folder);
  int file = mkostemp(fresh, O_CLOEXEC);
  bool good = file >= 0 && file_write_bytes(file, header, sizeof *header) &&
              file_write_bytes(file, bytes, size);
  if (file >= 0 && close(file))
    good = false;
  good = good && rename(fresh, path) == 0;
  if (!good && file >= 0)
    unlink(fresh);
  free(fresh);
  return good;
}

void cache_put(const struct digest *key, const struct cache_part *parts,
               size_t count) {
  ensure(count <= MAX_PARTS);
  if (!cache_on())
    return;
  struct header header = {0};
  memcpy(header.magic, magic, sizeof magic);
  struct text bytes = {0};
  for (size_t i = 0; i < count; i++) {
    header.sizes[i] = parts[i].size;
    text_add(&bytes, parts[i].at, parts[i].size);
    VEC_PUSH(bytes, 0);
  }
  header.sum = sum_of(key, &header, bytes.at, bytes.size);
  char *path = path_of(key);
  uint64_t size = sizeof header + bytes.size;
  /* One entry must not evict all others. */
  if (size <= cache.bound / 4 &&
      write_entry(path, &header, bytes.at, bytes.size))
    count_entry(size);
  free(path);
  VEC_FREE(bytes);
}
