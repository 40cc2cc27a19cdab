#include "lex.h"

#include <string.h>

static bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

static bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

bool token_is(const struct token *t, const char *text) {
  return (t->kind == TOKEN_NAME || t->kind == TOKEN_MARK) &&
         t->length == strlen(text) && !memcmp(t->text, text, t->length);
}

static void skip_blank(struct lexer *l) {
  while (l->at < l->end) {
    if (*l->at == '#')
      while (l->at < l->end && *l->at != '\n')
        l->at++;
    else if (*l->at == ' ' || *l->at == '\t' || *l->at == '\r')
      l->at++;
    else
      return;
  }
}

/* Numbers beyond 64 bits are bad tokens. */
static void take_number(struct lexer *l) {
  uint64_t value = 0;
  bool fits = true;
  for (; l->at < l->end && is_digit(*l->at); l->at++) {
    unsigned digit = (unsigned)(*l->at - '0');
    fits = fits && value <= ((uint64_t)INT64_MAX - digit) / 10;
    value = value * 10 + digit;
  }
  l->token.kind = fits ? TOKEN_NUMBER : TOKEN_BAD;
  l->token.number = (int64_t)value;
}

static void take_mark(struct lexer *l) {
  static const char *const pairs[] = {"==", "!=", "<=", ">=", "&&", "||"};
  size_t length = 1;
  for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
    if (l->end - l->at >= 2 && !memcmp(l->at, pairs[i], 2))
      length = 2;
  bool known =
      length == 2 || (*l->at && strchr(";:,.={}()[]<>+-*/%!&", *l->at));
  l->token.kind = known ? TOKEN_MARK : TOKEN_BAD;
  l->braces += *l->at == '{';
  l->braces -= *l->at == '}' && l->braces;
  l->at += length;
}

static void take_newline(struct lexer *l) {
  l->at++;
  l->line++;
  l->line_start = l->at;
  l->token.kind = l->braces ? TOKEN_MARK : TOKEN_NEWLINE;
  if (l->braces)
    l->token.text = ";";
}

void lexer_next(struct lexer *l) {
  skip_blank(l);
  struct token *t = &l->token;
  t->text = l->at;
  t->line = l->line;
  t->column = (uint32_t)(l->at - l->line_start) + 1;
  t->length = 0;
  if (l->at == l->end) {
    t->kind = TOKEN_END;
    return;
  }
  if (*l->at == '\n') {
    take_newline(l);
    t->length = 1;
    return;
  }
  if (is_letter(*l->at)) {
    t->kind = TOKEN_NAME;
    while (l->at < l->end && (is_letter(*l->at) || is_digit(*l->at)))
      l->at++;
  } else if (is_digit(*l->at)) {
    take_number(l);
  } else {
    take_mark(l);
  }
  t->length = (size_t)(l->at - t->text);
}

void lexer_start(struct lexer *l, const char *text, size_t length) {
  *l = (struct lexer){
      .at = text, .end = text + length, .line = 1, .line_start = text};
  lexer_next(l);
}
