#include "cli/command_line.h"

#include <inttypes.h>
#include <string.h>

#include "cli/suggest.h"
#include "host/complain.h"
#include "host/number.h"
#include "host/word_list.h"
#include "util/ensure.h"

enum { NAME_SIZE = 64 };

char *command_line_next(struct command_line *line) {
  ensure(*line->at);
  return *line->at++;
}

/* The name in "--name=value"; the value, or NULL.  A name that no option has is
 * cut if it is long, and empty if the dashes are missing. */
static const char *split(const char *word, char name[NAME_SIZE]) {
  word = starts_with(word, "--") ? word + 2 : "";
  size_t length = strcspn(word, "=");
  size_t kept = length < NAME_SIZE ? length : NAME_SIZE - 1;
  memcpy(name, word, kept);
  name[kept] = 0;
  return word[length] ? word + length + 1 : NULL;
}

bool option_is_in(const struct setting_list *list, const char *word) {
  char name[NAME_SIZE];
  split(word, name);
  return setting_named(list, name) != NULL;
}

static bool complain_unknown(const struct command_line *line, const char *word,
                             const char *name,
                             const struct option_group groups[], size_t count) {
  struct suggestion s = suggestion_for(name);
  for (size_t g = 0; g < count; g++)
    for (size_t i = 0; i < groups[g].list->count; i++)
      suggest(&s, groups[g].list->at[i].name);
  if (s.best)
    complain("unknown option %s; did you mean --%s?", word, s.best);
  else
    complain("unknown option %s; see heddle %s --help", word, line->command);
  return false;
}

static bool complain_number(const struct setting *s, const char *value) {
  uint64_t number;
  if (s->kind == SETTING_SIZE && !parse_size(value, &number))
    complain("--%s %s: not a size; write a number of bytes, or one with K, M "
             "or G, as in 2G",
             s->name, value);
  else if (s->kind == SETTING_NUMBER && !parse_number(value, &number))
    complain("--%s %s: not a whole number from %" PRIu64 " to %" PRIu64,
             s->name, value, s->least, s->most);
  else if (number < s->least)
    complain("--%s %s: too small; use %" PRIu64 " or more", s->name, value,
             s->least);
  else
    complain("--%s %s: too large; use %" PRIu64 " or less", s->name, value,
             s->most);
  return false;
}

static bool complain_value(const struct setting *s, const char *value) {
  if (s->kind == SETTING_NUMBER || s->kind == SETTING_SIZE)
    return complain_number(s, value);
  if (s->kind == SETTING_ENUM)
    complain("--%s %s: no such value; use one of %s", s->name, value,
             s->argument);
  else if (s->kind == SETTING_RANGES)
    complain("--%s %s: not a list of at most %d different numbers and ranges, "
             "as in 0,1,5..9",
             s->name, value, RANGES_MOST);
  else if (s->kind == SETTING_LINES && *value)
    complain("--%s: more than %d bytes together", s->name, LINES_MOST);
  else
    complain("--%s: the value is empty; use --%s=%s", s->name, s->name,
             s->argument);
  return false;
}

static bool set(struct command_line *line, const struct setting *s, void *to,
                const char *value) {
  bool flag = s->kind == SETTING_FLAG;
  if (flag && value) {
    complain("--%s=%s: this option takes no value", s->name, value);
    return false;
  }
  if (!flag && !value && !*line->at) {
    complain("--%s needs a value: --%s=%s", s->name, s->name, s->argument);
    return false;
  }
  if (!value)
    value = flag ? "1" : command_line_next(line);
  return setting_set(s, to, value) || complain_value(s, value);
}

bool option_take(struct command_line *line, const char *word,
                 const struct option_group groups[], size_t count) {
  char name[NAME_SIZE];
  const char *value = split(word, name);
  for (size_t g = 0; g < count; g++) {
    const struct setting *s = setting_named(groups[g].list, name);
    if (s)
      return set(line, s, groups[g].to, value);
  }
  return complain_unknown(line, word, name, groups, count);
}
