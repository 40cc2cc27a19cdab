#include "host/json_read.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "util/text.h"
#include "util/vec.h"

#define DEPTH_MOST 16

struct reader {
  const char *at;
  json_told told;
  void *context;
  char path[256];
  struct text value;
  unsigned depth;
};

static bool read_value(struct reader *r);

static void skip(struct reader *r) {
  while (isspace((unsigned char)*r->at))
    r->at++;
}

static bool accept(struct reader *r, char c) {
  skip(r);
  if (*r->at != c)
    return false;
  r->at++;
  return true;
}

/* \uXXXX is the byte XX: that is how json_string() writes bytes. */
static char unescape(struct reader *r) {
  static const char letters[] = "bfnrt", meant[] = "\b\f\n\r\t";
  char c = *r->at ? *r->at++ : 0;
  const char *found = c ? strchr(letters, c) : NULL;
  if (c != 'u')
    return found ? meant[found - letters] : c;
  char digits[5] = {0};
  for (int i = 0; i < 4 && isxdigit((unsigned char)*r->at); i++)
    digits[i] = *r->at++;
  return (char)strtoul(digits, NULL, 16);
}

static bool read_string(struct reader *r) {
  r->value.size = 0;
  if (!accept(r, '"'))
    return false;
  while (*r->at && *r->at != '"') {
    char c = *r->at++;
    VEC_PUSH(r->value, c == '\\' ? unescape(r) : c);
  }
  VEC_PUSH(r->value, 0);
  return *r->at++ == '"';
}

/* A number, true, false or null. */
static bool read_word(struct reader *r) {
  r->value.size = 0;
  while (isalnum((unsigned char)*r->at) || (*r->at && strchr("+-.", *r->at)))
    VEC_PUSH(r->value, *r->at++);
  VEC_PUSH(r->value, 0);
  return r->value.size > 1;
}

static bool read_member(struct reader *r) {
  size_t length = strlen(r->path);
  if (!read_string(r) || !accept(r, ':') ||
      length + r->value.size + 1 > sizeof r->path)
    return false;
  if (length)
    r->path[length] = '.';
  memcpy(&r->path[length + (length > 0)], r->value.at, r->value.size);
  bool good = read_value(r);
  r->path[length] = 0;
  return good;
}

/* Members or elements up to the closing bracket. */
static bool read_all(struct reader *r, char close,
                     bool (*one)(struct reader *)) {
  if (accept(r, close))
    return true;
  do {
    if (!one(r))
      return false;
  } while (accept(r, ','));
  return accept(r, close);
}

static bool read_value(struct reader *r) {
  bool good;
  if (r->depth == DEPTH_MOST)
    return false;
  r->depth++;
  if (accept(r, '{')) {
    good = read_all(r, '}', read_member);
    r->told(r->context, r->path, NULL);
  } else if (accept(r, '[')) {
    good = read_all(r, ']', read_value);
  } else {
    good = *r->at == '"' ? read_string(r) : read_word(r);
    if (good)
      r->told(r->context, r->path, r->value.at);
  }
  r->depth--;
  return good;
}

bool json_read(const char *text, json_told told, void *context) {
  struct reader r = {.at = text, .told = told, .context = context};
  bool good = read_value(&r);
  skip(&r);
  good = good && !*r.at;
  VEC_FREE(r.value);
  return good;
}
