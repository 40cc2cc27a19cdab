/* Settings: values in a struct that text can name and set.  A list of them
 * serves the command line, help texts, the manual page and files. */
#ifndef HOST_SETTING_H
#define HOST_SETTING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "util/lines.h"
#include "util/ranges.h"

enum setting_kind {
  SETTING_FLAG,   /* a byte, 0 or 1 */
  SETTING_ENUM,   /* a byte, the position of a name in "a|b|c" */
  SETTING_NUMBER, /* uint64_t */
  SETTING_SIZE,   /* uint64_t, a number of bytes; K, M or G may follow */
  SETTING_RANGES, /* struct ranges; not empty, if given */
  SETTING_LINES,  /* struct lines_text; each text is one more line */
  SETTING_TEXT,   /* const char *, not empty */
  SETTING_LIST,   /* struct word_list; each text is one more word */
};

struct setting {
  const char *name;
  enum setting_kind kind;
  size_t offset;        /* in the struct */
  const char *argument; /* its name, or a|b|c; NULL for a flag */
  uint64_t least, most; /* of a number */
  uint64_t initial;     /* unless it is a text, a list or ranges */
  const char *words;    /* the initial value in words; NULL: as it is */
  const char *help;
};

struct setting_list {
  const struct setting *at;
  size_t count;
};

/* The setting of that name, or NULL. */
const struct setting *setting_named(const struct setting_list *,
                                    const char *name);

/* Gives all settings but texts, lists and ranges their initial values. */
void settings_default(const struct setting_list *, void *to);

/* False if the text is no value of the setting.  A flag takes "0" and "1". */
bool setting_set(const struct setting *, void *to, const char *text);

enum { SETTING_TEXT_SIZE = LINES_MOST };
_Static_assert((int)SETTING_TEXT_SIZE >= (int)RANGES_TEXT, "room for both");

/* The value as text, "" if there is none; for all but texts and lists. */
void setting_print(const struct setting *, const void *from,
                   char text[SETTING_TEXT_SIZE]);

/* The initial value as help texts show it, in `text` or elsewhere; NULL if
 * there is nothing to show. */
const char *setting_initial(const struct setting *,
                            char text[SETTING_TEXT_SIZE]);

#endif
