/* The file from which `heddle replay` runs an error again.
 *
 * Text, one thing a line, so that a person can read it:
 *
 *     heddle error file 2
 *     directory /home/me/bank
 *     file account.c              files and flags in their order
 *     flag -DN=2
 *     argument 17                 the program's
 *     algorithm optimal
 *     option races=warn
 *     external getrandom
 *     binary 0123456789abcdef     checksum of the built program
 *     kind assertion
 *     place 31 account.c          line and file, where the runtime named them
 *     code 1139 0                 otherwise offsets in the program
 *     message balance == 100
 *     schedule 24                 moves: thread[:alternative][*times]
 *     moves 0*5 1 0:1*2 ...
 *     event 9f3b2a07 main starts (account.c:40)     each once: key, words
 *     events 1 2*3 4 ...          of the moves, by their numbers from 1 on
 *     end 0123456789abcdef        checksum of all lines before
 *
 * Line ends, backslashes and unprintable bytes in strings are written as \xNN.
 */
#ifndef SUPERVISE_ERRORFILE_H
#define SUPERVISE_ERRORFILE_H

#include <stdbool.h>
#include <stdint.h>

#include "core/system.h"
#include "core/wire.h"
#include "report/texts.h"
#include "util/table.h"
#include "util/vec.h"

/* What a move did: see wire_step.key.  The words are for people. */
struct errorfile_event {
  uint32_t key;
  char *words;
};

struct errorfile_word {
  char *text;
  bool is_file; /* otherwise a flag for the compiler */
};

/* All strings belong to `texts`, when the file was read. */
struct errorfile {
  char *directory;
  VEC(struct errorfile_word) build;
  VEC(char *) arguments;
  char *algorithm;
  struct options options;
  char externals[sizeof((struct control *)0)->externals];
  size_t externals_length;
  uint64_t binary;
  enum finding_kind kind;
  char *file; /* "": `pc` has the place */
  uint32_t line;
  uint64_t pc;
  uint64_t other_pc;
  char *message;
  VEC(struct move) moves;
  VEC(struct errorfile_event) known; /* events, each once */
  struct table lookup;               /* finds them */
  VEC(uint32_t) events; /* by move: its event's number; or empty: not known */
  struct texts texts;
};

/* Adds the event of the next move. */
void errorfile_add_event(struct errorfile *, uint32_t key, const char *words);

/* The whole text of the file, to be freed with VEC_FREE. */
struct text errorfile_print(const struct errorfile *);

/* From the text of a file.  NULL, or what is wrong with it. */
const char *errorfile_parse(struct errorfile *, const char *, size_t length);

/* Writes the file; false after a message. */
bool errorfile_write(const char *path, const struct errorfile *);

/* Reads the file; false after a message. */
bool errorfile_read(const char *path, struct errorfile *);

/* Where the file of this error goes when the user does not say: in the user's
 * folder for state, or in the one for temporary files.  Folders are made.  NULL
 * if there is none; to be freed. */
char *errorfile_path(const char *program, const struct errorfile *);

void errorfile_free(struct errorfile *);

#endif
