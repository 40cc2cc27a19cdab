/* Compiling and linking programs that can be checked. */
#ifndef CC_DRIVER_CC_H
#define CC_DRIVER_CC_H

/* Does what clang would do with these words (argv[0] is the first of them); the
 * exit code. */
int cc_run(int argc, char **argv);

/* Builds `output` from the given files and compiler options (argv[0] is the
 * first of them).  The result is 0, or the exit code that the command would
 * have, after what is wrong was printed. */
int cc_build(int argc, char **argv, const char *output);

#endif
