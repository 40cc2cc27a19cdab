#define _GNU_SOURCE
#include "supervise/memory_limit.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "core/wire.h"

/* The number in a file of one line; false: there is none, as in "max". */
static bool read_number(const char *path, unsigned skipped, uint64_t *value) {
  char line[128];
  int fd = open(path, O_RDONLY | O_CLOEXEC);
  if (fd < 0)
    return false;
  ssize_t length = read(fd, line, sizeof line - 1);
  close(fd);
  line[length > 0 ? length : 0] = 0;
  char *at = line, *end;
  for (unsigned i = 0; i <= skipped; i++, at = end) {
    *value = strtoull(at, &end, 10);
    if (end == at)
      return false;
  }
  return true;
}

uint64_t memory_limit(uint64_t wanted) {
  uint64_t container;
  uint64_t all = (uint64_t)sysconf(_SC_PHYS_PAGES);
  all *= (uint64_t)sysconf(_SC_PAGESIZE);
  if (wanted != MEMORY_HALF)
    return wanted;
  if (read_number("/sys/fs/cgroup/memory.max", 0, &container) &&
      container < all)
    all = container;
  return all / 2;
}

/* The second number of statm: pages that are in main memory. */
uint64_t memory_of(pid_t pid) {
  char path[64];
  uint64_t pages;
  snprintf(path, sizeof path, "/proc/%ld/statm", (long)pid);
  if (!read_number(path, 1, &pages))
    return 0;
  return pages * (uint64_t)sysconf(_SC_PAGESIZE);
}

void memory_text(uint64_t bytes, char *to, size_t size) {
  if (bytes >= 10u << 20)
    snprintf(to, size, "%" PRIu64 " MB", bytes >> 20);
  else
    snprintf(to, size, "%" PRIu64 " KB", bytes >> 10);
}
