/* heddle: finds the subcommand and hands over. */
#include <stdio.h>
#include <string.h>

#include "cli/command.h"
#include "cli/version.h"

static const struct command {
  const char *name;
  int (*run)(int argc, char **argv);
  const char *help;
} commands[] = {
    {"check", cmd_check, "explore every interleaving of a program"},
    {"cc", cmd_cc, "a drop-in clang that makes programs checkable"},
    {"replay", cmd_replay, "run the schedule of an earlier error again"},
    {"fuzz", cmd_fuzz, "judge the algorithms by random programs"},
    {"judge", cmd_judge, "judge heddle by what really happens"},
};
#define COMMANDS (sizeof commands / sizeof *commands)

static void print_usage(FILE *to) {
  fputs("heddle checks concurrent C programs under every interleaving that can "
        "matter.\n\n"
        "  heddle check [options] FILE.c ... [-- program arguments]\n"
        "  heddle check [options] ./program-built-with-heddle-cc\n"
        "  heddle cc ...          as clang: CC=\"heddle cc\" make\n"
        "  heddle replay FILE     show an error that was found again\n"
        "  heddle judge FILE.c    is all that really happens in the list?\n\n"
        "subcommands (each with --help):\n",
        to);
  for (size_t i = 0; i < COMMANDS; i++)
    fprintf(to, "  %-8s %s\n", commands[i].name, commands[i].help);
}

/* Text that nobody could be shown is no success. */
static int printed(void) {
  if (fflush(stdout) == 0 && !ferror(stdout))
    return 0;
  perror("heddle: standard output");
  return 2;
}

int main(int argc, char **argv) {
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
      return commands[i].run(argc - 1, argv + 1);
  fprintf(stderr, "heddle: unknown subcommand '%s'; see heddle --help\n", name);
  return 2;
}
