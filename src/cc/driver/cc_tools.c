/* Finding our own library, header and instrumenters, and a clang from version
 * 14 up for which there is an instrumenter: heddle is built with one for each
 * LLVM that is installed then.
 *
 * A distribution keeps all of one LLVM version in one folder, so the version is
 * normally known by the path that `clang` leads to, and nothing has to be run
 * to find out.
 */
#define _GNU_SOURCE
#include "cc/driver/cc_tools.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "host/complain.h"
#include "host/process.h"
#include "host/word_list.h"

enum { OLDEST = 14, NEWEST = 30 };

/* The folder of a file, without the slash. */
static char *folder_of(const char *path) {
  const char *slash = strrchr(path, '/');
  return text_format("%.*s", slash ? (int)(slash - path) : 1,
                     slash ? path : ".");
}

static int version_by_path(const char *path) {
  const char *at = strstr(path, "/llvm-");
  return at ? atoi(at + strlen("/llvm-")) : 0;
}

static char *first_line_of(char *program, char *option) {
  char *output = NULL;
  char *argv[] = {program, option, NULL};
  if (process_run(argv, PROCESS_KEEP, &output) != 0)
    return strdup("");
  output[strcspn(output, "\n")] = 0;
  return output;
}

static int clang_version(char *clang, const char *resolved) {
  int version = version_by_path(resolved);
  return version ? version : atoi(first_line_of(clang, "-dumpversion"));
}

/* Tries one compiler.  *version becomes 0 if there is none of that name. */
static bool try_clang(struct cc_tools *tools, const char *name, int *version) {
  char resolved[PATH_MAX];
  *version = 0;
  tools->clang = process_find(name);
  if (!tools->clang || !realpath(tools->clang, resolved))
    return false;
  *version = clang_version(tools->clang, resolved);
  tools->instrumenter =
      text_format("%s/instrument-%d.so", folder_of(tools->library), *version);
  return *version >= OLDEST && access(tools->instrumenter, R_OK) == 0;
}

static bool complain_about_chosen(const char *name, int version) {
  if (!version)
    complain("cc: HEDDLE_CLANG=%s: no such compiler", name);
  else if (version < OLDEST)
    complain(
        "cc: HEDDLE_CLANG=%s is version %d; heddle needs clang %d or newer",
        name, version, OLDEST);
  else
    complain("cc: HEDDLE_CLANG=%s: heddle was built without LLVM %d; install "
             "llvm-%d-dev and build heddle again",
             name, version, version);
  return false;
}

static bool find_compiler(struct cc_tools *tools) {
  int version, unknown = 0;
  const char *chosen = getenv("HEDDLE_CLANG");
  if (chosen && *chosen)
    return try_clang(tools, chosen, &version) ||
           complain_about_chosen(chosen, version);
  if (try_clang(tools, "clang", &version))
    return true;
  unknown = version >= OLDEST ? version : 0;
  for (int number = OLDEST; number <= NEWEST; number++) {
    if (try_clang(tools, text_format("clang-%d", number), &version))
      return true;
    if (version >= OLDEST)
      unknown = version;
  }
  if (unknown)
    complain("cc: found clang %d, but heddle was built without LLVM %d; "
             "install llvm-%d-dev and build heddle again",
             unknown, unknown, unknown);
  else
    complain("cc: found no clang of version %d or newer; try apt-get install "
             "clang",
             OLDEST);
  return false;
}

/* In the build folder everything lies below the command's own folder; once
 * installed, beside it. */
static bool find_library(struct cc_tools *tools) {
  char self[PATH_MAX];
  ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
  if (length < 0) {
    complain("cc: cannot find out where heddle is: /proc/self/exe is missing");
    return false;
  }
  self[length] = 0;
  char *folder = folder_of(self);
  tools->library = text_format("%s/lib/libheddle.a", folder);
  tools->includes = text_format("%s/include", folder);
  if (access(tools->library, R_OK) == 0)
    return true;
  char *prefix = folder_of(folder);
  tools->library = text_format("%s/lib/heddle/libheddle.a", prefix);
  tools->includes = text_format("%s/include", prefix);
  if (access(tools->library, R_OK) == 0)
    return true;
  complain("cc: cannot find libheddle.a, neither in %s/lib nor in "
           "%s/lib/heddle; was heddle moved after it was installed?",
           folder, prefix);
  return false;
}

bool cc_tools_find(struct cc_tools *tools) {
  return find_library(tools) && find_compiler(tools);
}
