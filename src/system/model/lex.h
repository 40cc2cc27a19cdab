/* The words of the text form. */
#ifndef MODEL_LEX_H
#define MODEL_LEX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum token_kind {
  TOKEN_END,
  TOKEN_NEWLINE, /* outside of braces; inside, a line ends like ';' */
  TOKEN_NAME,
  TOKEN_NUMBER,
  TOKEN_MARK, /* punctuation and operators */
  TOKEN_BAD,
};

struct token {
  enum token_kind kind;
  const char *text;
  size_t length;
  int64_t number;
  uint32_t line, column;
};

/* Can be copied, to look ahead and come back. */
struct lexer {
  const char *at, *end;
  uint32_t line;
  const char *line_start;
  uint32_t braces;
  struct token token; /* the current one */
};

void lexer_start(struct lexer *, const char *text, size_t length);
void lexer_next(struct lexer *);
bool token_is(const struct token *, const char *text);

#endif
