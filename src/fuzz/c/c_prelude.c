/* How every file of random programs begins and ends. */
#include "fuzz/c/c_program.h"

const char c_prelude[] =
    "#define _GNU_SOURCE\n"
    "#include <alloca.h>\n"
    "#include <assert.h>\n"
    "#include <errno.h>\n"
    "#include <pthread.h>\n"
    "#include <sched.h>\n"
    "#include <semaphore.h>\n"
    "#include <stdarg.h>\n"
    "#include <stdatomic.h>\n"
    "#include <stdbool.h>\n"
    "#include <stdio.h>\n"
    "#include <stdlib.h>\n"
    "#include <string.h>\n"
    "#include <threads.h>\n"
    "#include <time.h>\n"
    "#include <unistd.h>\n"
    "\n"
    "#ifdef __x86_64__\n"
    "#define PAUSE() __builtin_ia32_pause()\n"
    "#else\n"
    "#define PAUSE() atomic_signal_fence(memory_order_seq_cst)\n"
    "#endif\n"
    "#define PRIVATE static __attribute__((unused))\n"
    "/* What a thread saw: a byte each. */\n"
    "#define S(v) (o = o << 8 | ((unsigned long)(v) & 255))\n";

const char c_main[] = "\n"
                      "int main(int argc, char **argv) {\n"
                      "  programs[argc > 1 ? atoi(argv[1]) : 0]();\n"
                      "}\n";
