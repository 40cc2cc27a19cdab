/* heddle cc: a drop-in clang. */
#include "cc/driver/cc.h"

#include <stdio.h>
#include <string.h>

#include "cli/command.h"
#include "host/complain.h"

static void print_help(void) {
  puts("usage: heddle cc [clang options] FILE ...\n\n"
       "Compiles and links as clang does, so that `heddle check` can explore "
       "the\nresult: CC=\"heddle cc\" ./configure && make. Without heddle "
       "check the program\nbehaves as if clang had built it.\n\n"
       "All options of clang work (see `clang --help`), except:\n"
       "  -O, -flto, -fprofile-*, --coverage, -pg, -s   have no effect\n"
       "  -g                                            is always on\n"
       "  -fsanitize=, -static, -m32                    are refused\n\n"
       "The macro __HEDDLE__ is defined, and heddle.h can be included.\n\n"
       "What was compiled or linked before is taken from a cache as long as "
       "nothing\nhas changed.  Its folder can be deleted at any time.\n\n"
       "environment:\n"
       "  HEDDLE_CLANG   the clang to use; default: the first of clang,\n"
       "                 clang-14, clang-15, ... that heddle was built for\n"
       "  HEDDLE_CACHE_DIR\n"
       "                 the cache's folder (default: heddle in XDG_CACHE_HOME "
       "or\n"
       "                 ~/.cache); empty: no cache\n"
       "  HEDDLE_CACHE_SIZE\n"
       "                 what it may hold, as in 2G (default: 500M)\n"
       "  TMPDIR         where intermediate files lie meanwhile");
}

int cmd_cc(char **argv) {
  int count = 0;
  while (argv[1 + count])
    count++;
  if (count == 1 && !strcmp(argv[1], "--help")) {
    print_help();
    return fflush(stdout) == 0 ? EXIT_SAFE : EXIT_UNCHECKED;
  }
  return cc_run(count, argv + 1);
}
