/* Reading the words of a command line.  Options are settings of a struct:
 * "--name=value", "--name value", or "--name" for a flag. */
#ifndef CLI_COMMAND_LINE_H
#define CLI_COMMAND_LINE_H

#include <stdbool.h>
#include <stddef.h>

#include "host/setting.h"

struct command_line {
  const char *command; /* "check", ... */
  char **at;           /* the words not yet read; NULL after the last */
};

/* Options of one list, and the struct that they set. */
struct option_group {
  const struct setting_list *list;
  void *to;
};

/* The next word; there must be one. */
char *command_line_next(struct command_line *);

/* Does the word "--name" or "--name=value" name one of these options? */
bool option_is_in(const struct setting_list *, const char *word);

/* Sets the option that the word names; its value may be the next word.  False
 * after a message. */
bool option_take(struct command_line *, const char *word,
                 const struct option_group groups[], size_t count);

#endif
