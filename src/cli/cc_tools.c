/* Finding a clang from version 14 up with the opt of the same version, and our
 * own library and header.
 *
 * A distribution keeps all tools of one LLVM version in one folder, so opt is
 * normally found beside the file that `clang` leads to, and nothing has to be
 * run to find out.
 */
#define _GNU_SOURCE
#include "cli/cc_tools.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/complain.h"
#include "cli/process.h"
#include "cli/words.h"

enum { OLDEST = 14, NEWEST = 30 };

/* The folder of a file, without the slash. */
static char *folder_of(const char *path) {
  const char *slash = strrchr(path, '/');
  return text("%.*s", slash ? (int)(slash - path) : 1, slash ? path : ".");
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

/* "LLVM version 14.0.6" or "Debian LLVM version 14.0.6" stands in the output
 * of opt --version. */
static bool opt_has_version(char *opt, int version) {
  char *output = NULL;
  char *argv[] = {opt, "--version", NULL};
  if (process_run(argv, PROCESS_KEEP, &output) != 0)
    return false;
  const char *at = strstr(output, "LLVM version ");
  return at && atoi(at + strlen("LLVM version ")) == version;
}

static char *find_opt(char *clang, const char *resolved, int version) {
  char *beside = text("%s/opt", folder_of(resolved));
  if (access(beside, X_OK) == 0)
    return beside;
  char *usual = text("/usr/lib/llvm-%d/bin/opt", version);
  if (access(usual, X_OK) == 0)
    return usual;
  char *named = process_find(text("opt-%d", version));
  if (named)
    return named;
  char *printed = first_line_of(clang, "-print-prog-name=opt");
  char *found = process_find(*printed ? printed : "opt");
  return found && opt_has_version(found, version) ? found : NULL;
}

/* Tries one compiler.  *version becomes 0 if there is none of that name. */
static bool try_clang(struct cc_tools *tools, const char *name, int *version) {
  char resolved[PATH_MAX];
  *version = 0;
  tools->clang = process_find(name);
  if (!tools->clang || !realpath(tools->clang, resolved))
    return false;
  *version = clang_version(tools->clang, resolved);
  tools->opt =
      *version >= OLDEST ? find_opt(tools->clang, resolved, *version) : NULL;
  return tools->opt != NULL;
}

static bool complain_about_chosen(const char *name, int version) {
  if (!version)
    complain("cc: HEDDLE_CLANG=%s: no such compiler", name);
  else if (version < OLDEST)
    complain(
        "cc: HEDDLE_CLANG=%s is version %d; heddle needs clang %d or newer",
        name, version, OLDEST);
  else
    complain("cc: HEDDLE_CLANG=%s: found no opt of version %d; try "
             "apt-get install llvm-%d",
             name, version, version);
  return false;
}

static bool find_compiler(struct cc_tools *tools) {
  int version, without_opt = 0;
  const char *chosen = getenv("HEDDLE_CLANG");
  if (chosen && *chosen)
    return try_clang(tools, chosen, &version) ||
           complain_about_chosen(chosen, version);
  if (try_clang(tools, "clang", &version))
    return true;
  without_opt = version >= OLDEST ? version : 0;
  for (int number = OLDEST; number <= NEWEST; number++) {
    if (try_clang(tools, text("clang-%d", number), &version))
      return true;
    if (version >= OLDEST)
      without_opt = version;
  }
  if (without_opt)
    complain("cc: found clang %d, but not its opt; try apt-get install llvm-%d",
             without_opt, without_opt);
  else
    complain("cc: found no clang of version %d or newer; try apt-get install "
             "clang llvm",
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
  tools->library = text("%s/lib/libheddle.a", folder);
  tools->includes = text("%s/include", folder);
  if (access(tools->library, R_OK) == 0)
    return true;
  char *prefix = folder_of(folder);
  tools->library = text("%s/lib/heddle/libheddle.a", prefix);
  tools->includes = text("%s/include", prefix);
  if (access(tools->library, R_OK) == 0)
    return true;
  complain("cc: cannot find libheddle.a, neither in %s/lib nor in "
           "%s/lib/heddle; was heddle moved after it was installed?",
           folder, prefix);
  return false;
}

bool cc_tools_find(struct cc_tools *tools) {
  return find_compiler(tools) && find_library(tools);
}
