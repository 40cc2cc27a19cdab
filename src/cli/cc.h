/* Compiling and linking programs that can be checked. */
#ifndef CLI_CC_H
#define CLI_CC_H

/* Builds `output` from the given files and compiler options (argv[0] is the
 * first of them).  The result is 0, or the exit code that the command would
 * have, after what is wrong was printed. */
int cc_build(int argc, char **argv, const char *output);

#endif
