/* heddle: finds the subcommand and runs it. */
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>

#include "cli/command.h"
#include "host/version.h"

static const struct subcommand {
  const char *name;
  int (*run)(char **argv);
  const char *help;
} commands[] = {
    {"check", cmd_check, "explore every interleaving of a program"},
    {"cc", cmd_cc, "a drop-in clang that makes programs checkable"},
    {"replay", cmd_replay, "run the schedule of an earlier error again"},
    {"resume", cmd_resume, "go on with a search that was interrupted"},
    {"fuzz", cmd_fuzz, "judge the algorithms by random programs"},
    {"judge", cmd_judge, "compare heddle with real threads"},
};
#define COMMANDS (sizeof commands / sizeof *commands)

static void print_usage(FILE *to) {
  fputs("heddle checks concurrent C programs under every interleaving that can "
        "matter.\n\n"
        "  heddle check [options] FILE.c ... [-- program arguments]\n"
        "  heddle check [options] ./program-built-with-heddle-cc\n"
        "  heddle cc ...          as clang: CC=\"heddle cc\" make; also "
        "heddle-cc\n"
        "  heddle replay FILE     run the failing schedule again\n"
        "  heddle resume FILE     go on with an interrupted check\n"
        "  heddle judge FILE.c    does heddle list what real threads do?\n\n"
        "subcommands (each with --help):\n",
        to);
  for (size_t i = 0; i < COMMANDS; i++)
    fprintf(to, "  %-8s %s\n", commands[i].name, commands[i].help);
}

/* If the text could not be written, the command fails. */
static int printed(void) {
  if (fflush(stdout) == 0 && !ferror(stdout))
    return 0;
  perror("heddle: standard output");
  return 2;
}

/* Compiling needs a dozen files at a time, exploring some fixed numbers above
 * those of the program.  LLVM works on the stack. */
static const struct need {
  int resource;
  unsigned long long fewest, usual; /* in units of ulimit */
  unsigned unit;
  const char *message;
} needs[] = {
    {RLIMIT_NOFILE, 128, 1024, 1,
     "heddle: only %llu files may be open at a time, and %llu are needed; "
     "raise the limit with ulimit -n %llu\n"},
    {RLIMIT_STACK, 1024, 8192, 1024,
     "heddle: the stack is limited to %llu KB, and %llu are needed; raise the "
     "limit with ulimit -s %llu\n"},
};

static bool is_met(const struct need *need) {
  struct rlimit limit;
  rlim_t fewest = need->fewest * need->unit, usual = need->usual * need->unit;
  if (getrlimit(need->resource, &limit) || limit.rlim_cur >= fewest)
    return true;
  limit.rlim_cur = limit.rlim_max < usual ? limit.rlim_max : usual;
  if (limit.rlim_max >= fewest && !setrlimit(need->resource, &limit))
    return true;
  fprintf(stderr, need->message,
          (unsigned long long)limit.rlim_max / need->unit, need->fewest,
          need->usual);
  return false;
}

/* A file that grows too large is an error like others, not the end. */
static bool has_room(void) {
  signal(SIGXFSZ, SIG_IGN);
  for (size_t i = 0; i < sizeof needs / sizeof *needs; i++)
    if (!is_met(&needs[i]))
      return false;
  return true;
}

/* heddle-cc is for scripts that take a compiler of one word. */
static bool is_called_cc(const char *self) {
  const char *slash = strrchr(self, '/');
  return !strcmp(slash ? slash + 1 : self, "heddle-cc");
}

int main(int argc, char **argv) {
  if (argc > 0 && is_called_cc(argv[0]))
    return has_room() ? cmd_cc(argv) : 2;
  if (argc < 2) {
    print_usage(stderr);
    return 2;
  }
  const char *name = argv[1];
  if (!strcmp(name, "--help") || !strcmp(name, "-h") || !strcmp(name, "help")) {
    print_usage(stdout);
    return printed();
  }
  if (!strcmp(name, "--version")) {
    puts("heddle " HEDDLE_VERSION);
    return printed();
  }
  for (size_t i = 0; i < COMMANDS; i++)
    if (!strcmp(name, commands[i].name))
      return has_room() ? commands[i].run(argv + 1) : 2;
  fprintf(stderr, "heddle: unknown subcommand '%s'; see heddle --help\n", name);
  return 2;
}
