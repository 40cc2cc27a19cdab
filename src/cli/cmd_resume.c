/* heddle resume FILE: goes on with a search that was written down.
 *
 * It is the check of the command line in the checkpoint, with more options that
 * do not change what is searched.
 */
#define _GNU_SOURCE
#include "cli/cmd_resume.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/command.h"
#include "host/complain.h"
#include "supervise/cluster.h"
#include "util/ensure.h"

static int help(void) {
  fputs("usage: heddle resume FILE [options]\n\n"
        "Goes on with the search of heddle check --checkpoint FILE.  The "
        "options are those of\nheddle check; they are added to the ones that "
        "the search began with.  Only those\nmay differ that do not change "
        "what is searched: limits, reports, -j, --checkpoint.\nIts limits "
        "(--time-limit, --memory-limit, --max-executions) are over; new ones "
        "can\nbe given, and --max-executions counts from the beginning.\n\n"
        "exit codes: those of heddle check\n",
        stdout);
  return fflush(stdout) ? EXIT_UNCHECKED : EXIT_SAFE;
}

/* ---- the command line ---------------------------------------------------- */

typedef VEC(char *) words;

static bool is_end(const char *word) {
  return !strcmp(word, "--");
}

/* How many words an option takes that limits the search: the search is past
 * that limit.  0: it is no such option. */
static size_t limit_words(char *const *word) {
  static const char *const names[] = {"--max-executions", "--time-limit",
                                      "--memory-limit"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    size_t length = strlen(names[i]);
    if (!strcmp(*word, names[i]))
      return word[1] ? 2 : 1;
    if (!strncmp(*word, names[i], length) && (*word)[length] == '=')
      return 1;
  }
  return 0;
}

/* The words of the check without its limits; the new ones in front of the
 * program's arguments. */
static words join(const struct checkpoint *c, char **more) {
  words all = {0};
  size_t i = 0;
  while (c->words.at[i] && !is_end(c->words.at[i])) {
    size_t limit = limit_words(&c->words.at[i]);
    if (limit)
      i += limit;
    else
      VEC_PUSH(all, c->words.at[i++]);
  }
  while (*more)
    VEC_PUSH(all, *more++);
  while (c->words.at[i])
    VEC_PUSH(all, c->words.at[i++]);
  VEC_PUSH(all, NULL);
  return all;
}

/* What may be different. */
static struct options without_limits(const struct options *o) {
  struct options same = *o;
  same.jobs = same.time_limit = same.memory_limit = same.max_executions = 0;
  return same;
}

static bool same_words(const struct check_options *a,
                       const struct check_options *b) {
  if (a->build.size != b->build.size || a->files.size != b->files.size)
    return false;
  for (size_t i = 0; i < a->build.size; i++)
    if (strcmp(a->build.at[i], b->build.at[i]) != 0)
      return false;
  char **one = a->arguments, **other = b->arguments;
  for (; *one && *other; one++, other++)
    if (strcmp(*one, *other) != 0)
      return false;
  return !*one && !*other;
}

static bool same_externals(const struct check_options *a,
                           const struct check_options *b) {
  return a->externals_length == b->externals_length &&
         !memcmp(a->externals, b->externals, a->externals_length);
}

static bool is_same_search(const struct check_options *a,
                           const struct check_options *b) {
  struct options one = without_limits(&a->explore);
  struct options other = without_limits(&b->explore);
  return !memcmp(&one, &other, sizeof one) &&
         !strcmp(a->algorithm, b->algorithm) && same_words(a, b) &&
         same_externals(a, b);
}

/* ---- going on ------------------------------------------------------------ */

static int go_on(const char *path, const struct checkpoint *c, char **more) {
  struct check_options before, now;
  words all = join(c, more);
  int code = EXIT_UNCHECKED;
  if (!check_options_parse(&before, c->words.at) ||
      !check_options_parse(&now, all.at))
    return code;
  if (chdir(c->directory))
    complain("%s: the folder of the check, %s: %s", path, c->directory,
             strerror(errno));
  else if (!is_same_search(&before, &now))
    complain("resume: only limits, reports, -j and --checkpoint may differ "
             "from those of the search");
  else {
    if (before.checkpoint == now.checkpoint ||
        !strcmp(before.checkpoint, now.checkpoint))
      now.checkpoint = path;
    code = check_resumed(&now, all.at, c);
  }
  check_options_free(&before);
  VEC_FREE(all);
  return code;
}

int cmd_resume(char **argv) {
  struct checkpoint c;
  char path[PATH_MAX];
  const char *file = argv[1];
  cluster_hush();
  if (file && (!strcmp(file, "--help") || !strcmp(file, "-h")))
    return help();
  if (!file || *file == '-')
    return complain("resume: name the checkpoint first: heddle resume FILE");
  if (!checkpoint_read(file, &c))
    return EXIT_UNCHECKED;
  int code = realpath(file, path) ? go_on(path, &c, argv + 2) : EXIT_UNCHECKED;
  checkpoint_free(&c);
  return code;
}
