/* The help text of heddle check. */
#include "cli/algorithm_names.h"
#include "cli/check_options.h"
#include "cli/help.h"
#include "host/complain.h"
#include "supervise/settings.h"

static void print_algorithms(FILE *to) {
  fputs("algorithms:\n", to);
  for (size_t i = 0; i < algorithm_name_count; i++)
    help_name(to, algorithm_names[i].name, algorithm_names[i].help);
  fputs("\nalgorithms with --as-printed:\n", to);
  for (size_t i = 0; i < printed_name_count; i++)
    help_name(to, printed_names[i].name, printed_names[i].help);
}

int check_help(FILE *to) {
  fputs("usage: heddle check [options] FILE.c ... [-- program arguments]\n"
        "       heddle check [options] BINARY [-- program arguments]\n"
        "       heddle check [options] FILE.model\n\n"
        "Runs a C program with threads under every interleaving that matters "
        "and says\nwhether an error exists.  BINARY is a program built with "
        "heddle cc.\n\noptions:\n",
        to);
  help_options(to, &check_settings);
  help_options(to, &explore_settings);
  fputs("  -D -I -U -l -L -std= -f -m -W -O -g -include ...\n"
        "                             passed to the compiler\n\n",
        to);
  print_algorithms(to);
  fputs("\nexit codes:\n"
        "  0  complete: no error exists\n"
        "  1  an error was found\n"
        "  2  could not check: usage, compiler error, something unsupported\n"
        "  3  incomplete: a limit was reached; no error so far\n",
        to);
  return fflush(to) ? EXIT_UNCHECKED : EXIT_SAFE;
}
