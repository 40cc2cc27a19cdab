/* Programs are told apart by their files' identity: reading a compiler to learn
 * that it is another one would take longer than compiling.
 *
 * Most of clang is in its shared libraries, which lie beside it in ../lib; most
 * of heddle is in the folder of its own library.
 */
#define _GNU_SOURCE
#include "cc/driver/cc_identity.h"

#include <dirent.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "host/path.h"
#include "host/version.h"
#include "host/word_list.h"

extern char **environ;

/* Beginnings of the names of variables that clang, ld, their loader or heddle
 * read.  PATH is not one of them: see cc_ask.c. */
static const char *const variables[] = {
    "CCC_",           "CC_",          "CLANG_",       "COMPILER_PATH=",
    "CPATH=",         "GCC_",         "GNUTARGET=",   "HEDDLE_",
    "C_INCLUDE_PATH", "LDEMULATION=", "LD_",          "LLVM_",
    "LIBRARY_PATH=",  "RC_DEBUG_",    "SOURCE_DATE_", NULL,
};

static void add_environment(struct digest *digest) {
  struct word_list found = {0};
  for (char **at = environ; *at; at++)
    if (starts_with_one_of(*at, variables) &&
        !starts_with(*at, "HEDDLE_CACHE_"))
      word_list_add(&found, *at);
  word_list_sort(&found);
  digest_add_words(digest, &found);
}

static bool add_file(struct digest *digest, const char *path) {
  struct stat status;
  if (stat(path, &status))
    return false;
  digest_add_identity(digest, &status);
  return true;
}

/* The files of a folder whose names begin with one of these; NULL: all. */
static void add_folder(struct digest *digest, const char *path,
                       const char *const prefixes[]) {
  struct word_list names = {0};
  DIR *folder = opendir(path);
  if (!folder)
    return;
  for (struct dirent *entry; (entry = readdir(folder));)
    if (!prefixes || starts_with_one_of(entry->d_name, prefixes))
      word_list_add(&names, strdup(entry->d_name));
  word_list_sort(&names);
  digest_add_words(digest, &names);
  for (size_t i = 0; i < names.size; i++) {
    struct stat status;
    if (fstatat(dirfd(folder), names.at[i], &status, 0) == 0 &&
        S_ISREG(status.st_mode))
      digest_add_identity(digest, &status);
  }
  closedir(folder);
}

bool cc_identity_add_clang(struct digest *digest, const char *clang) {
  static const char *const libraries[] = {"libLLVM.", "libLLVM-",
                                          "libclang-cpp", NULL};
  char *real = realpath(clang, NULL);
  digest_add_text(digest, clang); /* its name can mean something to it */
  digest_add_text(digest, real);
  if (!real || !add_file(digest, real))
    return false;
  add_folder(digest, text_format("%s/../lib", path_folder(real)), libraries);
  return true;
}

static bool find_out(const struct cc_tools *tools, struct digest *digest) {
  *digest = digest_of("heddle " HEDDLE_VERSION);
  add_environment(digest);
  add_folder(digest, path_folder(tools->library), NULL);
  digest_add_text(digest, tools->library);
  digest_add_text(digest, tools->includes);
  return add_file(digest, "/proc/self/exe") &&
         cc_identity_add_clang(digest, tools->clang);
}

bool cc_identity(const struct cc_tools *tools, struct digest *digest) {
  static enum { UNKNOWN, KNOWN, IMPOSSIBLE } state;
  static struct digest found;
  if (state == UNKNOWN)
    state = find_out(tools, &found) ? KNOWN : IMPOSSIBLE;
  *digest = found;
  return state == KNOWN;
}
