/* Running other programs, and a folder for what passes between them.
 *
 * A signal that ends the command (SIGINT, SIGTERM, SIGHUP) first ends the
 * program that runs, then removes the folder.
 */
#ifndef HOST_PROCESS_H
#define HOST_PROCESS_H

#include <stddef.h>

#include "util/text.h"

enum process_output {
  PROCESS_INHERIT,  /* prints where we print */
  PROCESS_QUIET,    /* standard output and error are thrown away */
  PROCESS_KEEP,     /* standard output is collected, error thrown away */
  PROCESS_KEEP_ALL, /* both are collected, as they come */
  PROCESS_COLLECT,  /* standard output is collected, error printed */
  PROCESS_ERRORS,   /* standard error is collected, output printed */
};

/* Runs argv[0], found by PATH, and waits.  The result is its exit code, or 128
 * + the signal that ended it.  Where output is collected, *output becomes what
 * it printed, a string on the heap. */
int process_run(char *const argv[], enum process_output, char **output);

/* From now on what programs with PROCESS_INHERIT print to standard error is
 * added to the text, too; NULL ends that.  They see no terminal there. */
void process_keep_errors(struct text *);

/* Becomes that program.  Returns, with a message printed, only if it cannot. */
int process_exec(char *const argv[]);

/* A new folder below $TMPDIR or /tmp; NULL with a message printed if there
 * can be none.  One at a time. */
const char *scratch_open(void);
/* Removes it with all files in it; then a signal that came meanwhile takes
 * effect. */
void scratch_close(void);

/* The full path of a program in PATH, on the heap, or NULL. */
char *process_find(const char *name);

#endif
