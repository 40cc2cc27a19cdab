#define _GNU_SOURCE
#include "host/folder.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "host/complain.h"
#include "util/ensure.h"

#define PREFIX "heddle-run-"

/* A folder that is younger may be about to be locked. */
enum { GRACE = 60 /* seconds */ };

static const char *parent_folder(void) {
  const char *parent = getenv("TMPDIR");
  return parent && *parent ? parent : "/tmp";
}

static int remove_one(const char *path, const struct stat *status, int type,
                      struct FTW *where) {
  (void)status, (void)type, (void)where;
  remove(path);
  return 0; /* go on with the other files */
}

static void remove_all(const char *path) {
  nftw(path, remove_one, 4, FTW_DEPTH | FTW_PHYS);
}

/* ---- what others left ---------------------------------------------------- */

static bool is_left(int folder) {
  struct stat status;
  return !fstat(folder, &status) && status.st_uid == geteuid() &&
         time(NULL) - status.st_mtime >= GRACE &&
         !flock(folder, LOCK_EX | LOCK_NB);
}

static void remove_if_left(int parent, const char *parent_path,
                           const char *name) {
  char *path;
  int folder =
      openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  if (folder < 0)
    return;
  ensure(asprintf(&path, "%s/%s", parent_path, name) >= 0);
  if (is_left(folder))
    remove_all(path);
  free(path);
  close(folder);
}

static void remove_left_ones(void) {
  const char *path = parent_folder();
  DIR *parent = opendir(path);
  if (!parent)
    return;
  for (struct dirent *entry; (entry = readdir(parent));)
    if (!strncmp(entry->d_name, PREFIX, sizeof PREFIX - 1))
      remove_if_left(dirfd(parent), path, entry->d_name);
  closedir(parent);
}

/* ---- our own ------------------------------------------------------------- */

bool folder_make(struct folder *f) {
  remove_left_ones();
  ensure(asprintf(&f->path, "%s/" PREFIX "XXXXXX", parent_folder()) >= 0);
  if (!mkdtemp(f->path)) {
    complain("cannot make a folder in %s: %s; set TMPDIR to one that can be "
             "written",
             parent_folder(), strerror(errno));
    free(f->path);
    f->path = NULL;
    return false;
  }
  f->lock = open(f->path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (f->lock >= 0)
    flock(f->lock,
          LOCK_EX); /* without a lock, the folder is safe for a minute */
  return true;
}

void folder_forget(struct folder *f) {
  free(f->path);
  f->path = NULL;
}

void folder_remove(struct folder *f) {
  if (!f->path)
    return;
  remove_all(f->path);
  if (f->lock >= 0)
    close(f->lock);
  folder_forget(f);
}
