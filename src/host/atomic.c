#define _GNU_SOURCE
#include "host/atomic.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "util/ensure.h"

/* The file behind symbolic links, so that they stay. */
static char *behind_links(const char *path) {
  char *real = realpath(path, 0);
  if (!real)
    real = strdup(path);
  ensure(real);
  return real;
}

static bool is_special(const char *path) {
  struct stat status;
  return !stat(path, &status) && !S_ISREG(status.st_mode);
}

/* New files have the permissions that the user's mask leaves. */
static FILE *open_temporary(char *name) {
  int fd = mkostemp(name, O_CLOEXEC);
  if (fd < 0)
    return 0;
  mode_t mask = umask(0);
  umask(mask);
  fchmod(fd, 0666 & ~mask);
  return fdopen(fd, "w");
}

bool atomic_open(struct atomic_file *file, const char *path) {
  file->temporary = 0;
  file->path = behind_links(path);
  if (is_special(file->path)) {
    file->to = fopen(file->path, "we");
  } else {
    ensure(asprintf(&file->temporary, "%s.XXXXXX", file->path) >= 0);
    file->to = open_temporary(file->temporary);
  }
  if (file->to)
    return true;
  int error = errno;
  free(file->path);
  free(file->temporary);
  errno = error;
  return false;
}

bool atomic_close(struct atomic_file *file) {
  bool good = !ferror(file->to);
  int error = good ? 0 : EIO;
  if (fclose(file->to)) {
    good = false;
    error = errno;
  }
  if (good && file->temporary && rename(file->temporary, file->path)) {
    good = false;
    error = errno;
  }
  if (!good && file->temporary)
    unlink(file->temporary);
  free(file->path);
  free(file->temporary);
  errno = error;
  return good;
}

void atomic_drop(struct atomic_file *file) {
  fclose(file->to);
  if (file->temporary)
    unlink(file->temporary);
  free(file->path);
  free(file->temporary);
}

bool atomic_possible(const char *path) {
  struct stat status;
  char folder[PATH_MAX];
  if (strlen(path) >= sizeof folder) {
    errno = ENAMETOOLONG;
    return false;
  }
  if (!stat(path, &status) && S_ISDIR(status.st_mode)) {
    errno = EISDIR;
    return false;
  }
  if (is_special(path))
    return !access(path, W_OK);
  strcpy(folder, path);
  char *slash = strrchr(folder, '/');
  if (slash)
    slash[slash == folder] = 0;
  return !access(slash ? folder : ".", W_OK | X_OK);
}
