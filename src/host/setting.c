#include "host/setting.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "host/number.h"
#include "host/word_list.h"

/* ---- names in "a|b|c" -----------------------------------------------------
 */

/* The position of `name`, or -1. */
static int position_of(const char *names, const char *name) {
  size_t length = strlen(name);
  for (int i = 0;; i++) {
    size_t one = strcspn(names, "|");
    if (one == length && !memcmp(names, name, length))
      return i;
    if (!names[one])
      return -1;
    names += one + 1;
  }
}

static void name_at(const char *names, uint64_t position,
                    char text[SETTING_TEXT_SIZE]) {
  while (position--)
    names += strcspn(names, "|") + 1;
  snprintf(text, SETTING_TEXT_SIZE, "%.*s", (int)strcspn(names, "|"), names);
}

/* ---- values ---------------------------------------------------------------
 */

static bool is_byte(const struct setting *s) {
  return s->kind == SETTING_FLAG || s->kind == SETTING_ENUM;
}

static bool is_text(const struct setting *s) {
  return s->kind == SETTING_TEXT || s->kind == SETTING_LIST;
}

static bool is_value(const struct setting *s) {
  return !is_text(s) && s->kind != SETTING_RANGES && s->kind != SETTING_LINES;
}

static void assign(const struct setting *s, void *to, uint64_t value) {
  uint8_t *at = (uint8_t *)to + s->offset;
  if (is_byte(s))
    *at = (uint8_t)value;
  else
    memcpy(at, &value, sizeof value);
}

static uint64_t value_in(const struct setting *s, const void *from) {
  const uint8_t *at = (const uint8_t *)from + s->offset;
  uint64_t value;
  if (is_byte(s))
    return *at;
  memcpy(&value, at, sizeof value);
  return value;
}

static bool parse(const struct setting *s, const char *text, uint64_t *value) {
  if (s->kind == SETTING_ENUM) {
    int position = position_of(s->argument, text);
    *value = (uint64_t)position;
    return position >= 0;
  }
  bool number = s->kind == SETTING_SIZE ? parse_size(text, value)
                                        : parse_number(text, value);
  return number && *value >= s->least && *value <= s->most;
}

static void print(const struct setting *s, uint64_t value,
                  char text[SETTING_TEXT_SIZE]) {
  if (s->kind == SETTING_ENUM)
    name_at(s->argument, value, text);
  else
    snprintf(text, SETTING_TEXT_SIZE, "%" PRIu64, value);
}

/* ---- settings -------------------------------------------------------------
 */

const struct setting *setting_named(const struct setting_list *list,
                                    const char *name) {
  for (size_t i = 0; i < list->count; i++)
    if (!strcmp(list->at[i].name, name))
      return &list->at[i];
  return NULL;
}

void settings_default(const struct setting_list *list, void *to) {
  for (size_t i = 0; i < list->count; i++)
    if (is_value(&list->at[i]))
      assign(&list->at[i], to, list->at[i].initial);
}

bool setting_set(const struct setting *s, void *to, const char *text) {
  uint64_t value;
  void *at = (char *)to + s->offset;
  if (s->kind == SETTING_RANGES)
    return ranges_parse(at, text);
  if (s->kind == SETTING_LINES)
    return *text && lines_text_add(at, text);
  if (is_text(s)) {
    if (!*text)
      return false;
    if (s->kind == SETTING_TEXT)
      memcpy(at, &text, sizeof text);
    else
      word_list_add(at, text);
    return true;
  }
  if (!parse(s, text, &value))
    return false;
  assign(s, to, value);
  return true;
}

/* Without the end of the last line. */
static void print_lines(const struct lines_text *lines,
                        char text[SETTING_TEXT_SIZE]) {
  size_t length = strlen(lines->at);
  memcpy(text, lines->at, length + 1);
  if (length)
    text[length - 1] = 0;
}

void setting_print(const struct setting *s, const void *from,
                   char text[SETTING_TEXT_SIZE]) {
  if (s->kind == SETTING_RANGES)
    ranges_print((const void *)((const char *)from + s->offset), text);
  else if (s->kind == SETTING_LINES)
    print_lines((const void *)((const char *)from + s->offset), text);
  else
    print(s, value_in(s, from), text);
}

const char *setting_initial(const struct setting *s,
                            char text[SETTING_TEXT_SIZE]) {
  if (s->words || !is_value(s) || s->kind == SETTING_FLAG)
    return s->words;
  print(s, s->initial, text);
  return text;
}
