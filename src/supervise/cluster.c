#define _GNU_SOURCE
#include "supervise/cluster.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "host/complain.h"
#include "host/path.h"

/* The library lies beside the others: see the Makefile. */
static void *load(void) {
  static const char *const places[] = {"lib/mpi.so", "../lib/heddle/mpi.so"};
  char self[PATH_MAX], path[PATH_MAX + 64];
  ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
  void *library = 0;
  if (length < 0)
    return 0;
  self[length] = 0;
  char *folder = path_folder(self);
  for (size_t i = 0; i < sizeof places / sizeof *places && !library; i++) {
    snprintf(path, sizeof path, "%s/%s", folder, places[i]);
    if (!access(path, R_OK))
      library = dlopen(path, RTLD_NOW | RTLD_GLOBAL);
  }
  free(folder);
  return library;
}

#define SIZE "OMPI_COMM_WORLD_SIZE"

bool cluster_expected(void) {
  const char *size = getenv(SIZE);
  return size && atoi(size) > 1;
}

void cluster_hush(void) {
  const char *rank = getenv("OMPI_COMM_WORLD_RANK");
  if (!cluster_expected() || !rank || !atoi(rank))
    return;
  int null = open("/dev/null", O_WRONLY | O_CLOEXEC);
  if (null < 0 || dup2(null, 1) < 0 || dup2(null, 2) < 0)
    _exit(EXIT_UNCHECKED);
  close(null);
}

bool cluster_open(struct cluster *c, bool *failed) {
  *failed = false;
  if (!cluster_expected())
    return false;
  void *library = load();
  cluster_open_function *open = 0;
  if (library) /* ISO C has no conversion of an object pointer to a function */
    *(void **)&open = dlsym(library, CLUSTER_OPEN);
  *failed = !open || !open(c);
  if (*failed)
    complain("mpirun has started %s processes, but this heddle was built "
             "without Open MPI: install libopenmpi-dev and build it again",
             getenv(SIZE));
  return !*failed;
}
