#include "host/file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "util/ensure.h"
#include "util/text.h"
#include "util/vec.h"

bool file_read_bytes(int file, void *bytes, size_t size) {
  for (char *at = bytes; size;) {
    ssize_t got = read(file, at, size);
    if (got < 0 && errno == EINTR)
      continue;
    if (got <= 0)
      return false;
    at += got;
    size -= (size_t)got;
  }
  return true;
}

bool file_write_bytes(int file, const void *bytes, size_t size) {
  for (const char *at = bytes; size;) {
    ssize_t done = write(file, at, size);
    if (done < 0 && errno == EINTR)
      continue;
    if (done <= 0)
      return false;
    at += done;
    size -= (size_t)done;
  }
  return true;
}

char *file_read(const char *path, size_t *size) {
  struct stat status;
  int file = open(path, O_RDONLY | O_CLOEXEC);
  if (file < 0)
    return NULL;
  char *bytes = NULL;
  if (fstat(file, &status) == 0 && S_ISREG(status.st_mode)) {
    size_t length = (size_t)status.st_size;
    bytes = malloc(length + 1);
    ensure(bytes); /* out of memory */
    bytes[length] = 0;
    if (size)
      *size = length;
    if (!file_read_bytes(file, bytes, length)) {
      free(bytes);
      bytes = NULL;
    }
  }
  close(file);
  return bytes;
}

char *file_read_any(const char *path, size_t *size) {
  FILE *file = fopen(path, "re");
  struct text text = {0};
  if (!file)
    return NULL;
  for (size_t got = 1; got;) {
    VEC_RESERVE(text, 65536);
    got = fread(text.at + text.size, 1, 65536, file);
    text.size += got;
  }
  fclose(file);
  if (size)
    *size = text.size;
  return text_take(&text);
}

bool file_write(const char *path, const char *bytes, size_t size, mode_t mode) {
  unlink(path);
  int file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
  if (file < 0)
    return false;
  bool good = file_write_bytes(file, bytes, size);
  if (close(file) == 0 && good)
    return true;
  unlink(path);
  return false;
}

bool file_is_special(const char *path) {
  struct stat status;
  return stat(path, &status) == 0 && !S_ISREG(status.st_mode);
}
