#include "cc/instrument/asm_text.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "util/ensure.h"

/* ---- spans -------------------------------------------------------------- */

static bool blank(char c) {
  return c == ' ' || c == '\t' || c == '\v' || c == '\f';
}

static bool ends_line(char c) {
  return c == ';' || c == '\n' || c == '\r' || !c;
}

bool span_is(struct span span, const char *word) {
  return strlen(word) == span.length &&
         !strncasecmp(span.at, word, span.length);
}

struct span span_trim(struct span span) {
  while (span.length && blank(*span.at))
    span.at++, span.length--;
  while (span.length && blank(span.at[span.length - 1]))
    span.length--;
  return span;
}

static struct span span_skip(struct span span, size_t count) {
  return span_trim((struct span){span.at + count, span.length - count});
}

/* What comes before the character, or all of it. */
static struct span span_until(struct span span, char c) {
  const char *found = span.length ? memchr(span.at, c, span.length) : NULL;
  if (found)
    span.length = (size_t)(found - span.at);
  return span_trim(span);
}

static char span_first(struct span span) {
  return span.length ? *span.at : 0;
}

static char span_last(struct span span) {
  return span.length ? span.at[span.length - 1] : 0;
}

/* A whole span as an integer in C's notation.  Empty ones are 0. */
static bool span_integer(struct span span, long *value) {
  char *end = (char *)span.at;
  *value = 0;
  errno = 0;
  if (span.length)
    *value = strtol(span.at, &end, 0);
  return end == span.at + span.length && !errno;
}

/* ---- registers ---------------------------------------------------------- */

static const char *const legacy[][5] = {
    {"rax", "eax", "ax", "al", "ah"}, {"rcx", "ecx", "cx", "cl", "ch"},
    {"rdx", "edx", "dx", "dl", "dh"}, {"rbx", "ebx", "bx", "bl", "bh"},
    {"rsp", "esp", "sp", "spl", ""},  {"rbp", "ebp", "bp", "bpl", ""},
    {"rsi", "esi", "si", "sil", ""},  {"rdi", "edi", "di", "dil", ""},
};

static const struct asm_register no_register = {-1, 0};

/* The number after `prefix`, and what follows it; -1: none below `limit`. */
static int numbered(struct span name, const char *prefix, int limit,
                    struct span *rest) {
  size_t at = strlen(prefix);
  if (name.length <= at || strncasecmp(name.at, prefix, at))
    return -1;
  int number = 0;
  size_t digits = at;
  for (; at < name.length && isdigit((unsigned char)name.at[at]); at++)
    number = number < limit ? 10 * number + name.at[at] - '0' : limit;
  *rest = (struct span){name.at + at, name.length - at};
  return at > digits && number < limit ? number : -1;
}

/* r8 to r15 and their parts. */
static struct asm_register new_register(struct span name) {
  struct span part = name;
  int number = numbered(name, "r", ASM_GENERAL, &part);
  unsigned size = span_is(part, "")                          ? 8
                  : span_is(part, "d")                       ? 4
                  : span_is(part, "w")                       ? 2
                  : span_is(part, "b") || span_is(part, "l") ? 1
                                                             : 0;
  return number >= 8 && size ? (struct asm_register){number, size}
                             : no_register;
}

static struct asm_register vector_register(struct span name) {
  static const char *const prefixes[] = {"xmm", "ymm", "zmm"};
  struct span rest;
  for (unsigned i = 0; i < 3; i++)
    if (numbered(name, prefixes[i], 32, &rest) >= 0 && !rest.length)
      return (struct asm_register){ASM_GENERAL, 16u << i};
  return no_register;
}

struct asm_register asm_register_named(struct span name) {
  static const unsigned sizes[] = {8, 4, 2, 1, 1};
  if (!name.length)
    return no_register;
  for (int number = 0; number < 8; number++)
    for (int part = 0; part < 5; part++)
      if (span_is(name, legacy[number][part]))
        return (struct asm_register){number, sizes[part]};
  if (span_first(name) == 'r' || span_first(name) == 'R')
    return new_register(name);
  return vector_register(name);
}

/* ---- operands ----------------------------------------------------------- */

/* $0 or ${0:b}, and nothing after it. */
static bool parse_reference(struct span span, struct asm_operand *operand) {
  if (span.length < 2 || *span.at != '$')
    return false;
  const char *at = span.at + 1, *end = span.at + span.length;
  bool braces = *at == '{';
  at += braces;
  const char *digits = at;
  operand->number = 0;
  for (; at < end && isdigit((unsigned char)*at) && at < digits + 4; at++)
    operand->number = 10 * operand->number + (unsigned)(*at - '0');
  if (at == digits)
    return false;
  operand->modifier = 0;
  if (braces && end - at == 3 && *at == ':') {
    operand->modifier = at[1];
    at += 2;
  }
  return at + braces == end && (!braces || *at == '}');
}

static bool parse_register(struct span name, struct asm_operand *operand) {
  struct asm_register found = asm_register_named(name);
  operand->number = (unsigned)found.number;
  operand->size = found.size;
  return found.number >= 0;
}

/* What stands between the parentheses of memory.  Addresses are 8 bytes. */
static enum asm_form parse_base(struct span base, bool intel,
                                struct asm_operand *operand) {
  if (parse_reference(base, operand))
    return operand->modifier && operand->modifier != 'q' ? ASM_UNKNOWN
                                                         : ASM_AT_OPERAND;
  bool marked = span_first(base) == '%';
  unsigned told = operand->size; /* of the memory */
  if (marked == intel || !parse_register(span_skip(base, marked), operand) ||
      operand->number >= ASM_GENERAL || operand->size != 8)
    return ASM_UNKNOWN;
  operand->size = told;
  return ASM_AT_REGISTER;
}

static enum asm_form parse_value(struct asm_operand *operand,
                                 struct span span) {
  if (!parse_reference(span, operand))
    return ASM_UNKNOWN;
  if (operand->modifier == 'a') { /* the operand as an address */
    operand->modifier = 0;
    return ASM_AT_OPERAND;
  }
  if (operand->modifier == 'H') { /* the upper half of 16 bytes in memory */
    operand->modifier = 0;
    operand->offset = 8;
  }
  return ASM_OPERAND;
}

static enum asm_form parse_att(struct asm_operand *operand, struct span span) {
  long value;
  if (span.length > 2 && !memcmp(span.at, "$$", 2)) {
    operand->zero = span_integer(span_skip(span, 2), &value) && !value;
    return ASM_IMMEDIATE;
  }
  if (span_first(span) == '%')
    return parse_register(span_skip(span, 1), operand) ? ASM_REGISTER
                                                       : ASM_UNKNOWN;
  if (span_last(span) != ')')
    return parse_value(operand, span);
  struct span offset = span_until(span, '(');
  if (!span_integer(offset, &operand->offset))
    return ASM_UNKNOWN;
  span.length--;
  span = span_skip(span, (size_t)(strchr(span.at, '(') + 1 - span.at));
  return parse_base(span, false, operand);
}

/* Takes "dword ptr" off the front. */
static struct span parse_size(struct span span, unsigned *size) {
  static const char *const names[] = {"byte",    "word",    "dword",  "qword",
                                      "xmmword", "ymmword", "zmmword"};
  struct span word = span_until(span, ' ');
  for (unsigned i = 0; i < sizeof names / sizeof *names; i++) {
    struct span rest = span_skip(span, word.length);
    if (span_is(word, names[i]) && rest.length > 3 &&
        !strncasecmp(rest.at, "ptr", 3)) {
      *size = 1u << i;
      return span_skip(rest, 3);
    }
  }
  return span;
}

/* [base], [base + 8], [base - 8] */
static enum asm_form parse_brackets(struct asm_operand *operand,
                                    struct span inner) {
  struct span base = span_until(span_until(inner, '+'), '-');
  struct span rest = span_skip(inner, base.length);
  char sign = span_first(rest);
  struct span digits = span_skip(rest, sign != 0);
  if (sign && !isdigit((unsigned char)span_first(digits)))
    return ASM_UNKNOWN;
  if (!span_integer(digits, &operand->offset))
    return ASM_UNKNOWN;
  if (sign == '-')
    operand->offset = -operand->offset;
  return parse_base(base, true, operand);
}

static enum asm_form parse_intel(struct asm_operand *operand,
                                 struct span span) {
  long value;
  span = parse_size(span, &operand->size);
  if (span_first(span) == '[' && span_last(span) == ']') {
    span.length--;
    return parse_brackets(operand, span_skip(span, 1));
  }
  if (span.length && span_integer(span, &value)) {
    operand->zero = !value;
    return ASM_IMMEDIATE;
  }
  if (!operand->size && parse_register(span, operand))
    return ASM_REGISTER;
  return parse_value(operand, span);
}

static void parse_operand(struct asm_operand *operand, struct span span,
                          bool intel) {
  *operand = (struct asm_operand){.text = span};
  operand->form = intel ? parse_intel(operand, span) : parse_att(operand, span);
}

/* ---- lines -------------------------------------------------------------- */

/* The operand at the front: up to a comma outside of parentheses. */
static struct span first_operand(struct span rest) {
  int depth = 0;
  for (size_t i = 0; i < rest.length; i++) {
    depth += rest.at[i] == '(';
    depth -= rest.at[i] == ')';
    if (rest.at[i] == ',' && depth <= 0)
      return (struct span){rest.at, i};
  }
  return rest;
}

static void parse_operands(struct asm_line *line, struct span rest,
                           bool intel) {
  rest = span_trim(rest);
  for (bool more = rest.length > 0; more; line->count++) {
    struct span operand = first_operand(rest);
    if (line->count < ASM_OPERANDS)
      parse_operand(&line->operand[line->count], span_trim(operand), intel);
    more = operand.length < rest.length;
    rest.at += operand.length + more;
    rest.length -= operand.length + more;
  }
  if (line->count > ASM_OPERANDS || !intel)
    return;
  for (unsigned i = 0; i < line->count / 2; i++) {
    struct asm_operand *other = &line->operand[line->count - 1 - i];
    struct asm_operand first = line->operand[i];
    line->operand[i] = *other;
    *other = first;
  }
}

/* Takes what lies between two separators off the front. */
static struct span next_statement(const char **text) {
  struct span span = {*text, 0};
  while (!ends_line(span.at[span.length]))
    span.length++;
  *text = span.at + span.length;
  if (**text)
    ++*text;
  return span_trim(span);
}

static struct span first_word(struct span span) {
  size_t length = 0;
  while (length < span.length && !blank(span.at[length]))
    length++;
  return (struct span){span.at, length};
}

static void set_name(struct asm_line *line, struct span word) {
  for (size_t i = 0; word.length < ASM_NAME && i < word.length; i++)
    line->name[i] = (char)tolower((unsigned char)word.at[i]);
}

/* Alignment of code by a number: padded with nops, so it does nothing. */
static bool is_alignment(struct span word, struct span rest) {
  if (!span_is(word, ".p2align") && !span_is(word, ".balign") &&
      !span_is(word, ".align"))
    return false;
  size_t digits = 0;
  while (digits < rest.length && isdigit((unsigned char)rest.at[digits]))
    digits++;
  return digits && digits == rest.length;
}

/* Instructions that old assemblers do not know are written as bytes. */
static const struct {
  const char *name;
  size_t size;
  unsigned char bytes[3];
} spelled[] = {
    {"pause", 2, {0xf3, 0x90}},        {"cpuid", 2, {0x0f, 0xa2}},
    {"xgetbv", 3, {0x0f, 0x01, 0xd0}}, {"lfence", 3, {0x0f, 0xae, 0xe8}},
    {"mfence", 3, {0x0f, 0xae, 0xf0}}, {"sfence", 3, {0x0f, 0xae, 0xf8}},
};

/* Takes "0x0f," off the front.  False: it is no number of a byte. */
static bool next_byte(struct span *rest, unsigned char *byte) {
  char digits[8] = {0}, *end;
  struct span word = span_trim(first_operand(*rest));
  size_t taken = first_operand(*rest).length;
  if (!word.length || word.length >= sizeof digits)
    return false;
  memcpy(digits, word.at, word.length);
  unsigned long value = strtoul(digits, &end, 0);
  taken += taken < rest->length;
  rest->at += taken;
  rest->length -= taken;
  *byte = (unsigned char)value;
  return !*end && value <= 0xff;
}

/* The instruction in ".byte 0x0f, 0x01, 0xd0", or NULL. */
static const char *spelled_name(struct span word, struct span rest) {
  unsigned char bytes[sizeof spelled->bytes];
  size_t size = 0;
  if (!span_is(word, ".byte"))
    return NULL;
  for (rest = span_trim(rest); rest.length; size++)
    if (size == sizeof bytes || !next_byte(&rest, &bytes[size]))
      return NULL;
  for (size_t i = 0; i < sizeof spelled / sizeof *spelled; i++)
    if (spelled[i].size == size && !memcmp(spelled[i].bytes, bytes, size))
      return spelled[i].name;
  return NULL;
}

bool asm_next_line(const char **text, bool intel, struct asm_line *line) {
  *line = (struct asm_line){.lock = false};
  while (**text) {
    struct span statement = next_statement(text);
    while (statement.length) {
      struct span word = first_word(statement);
      statement = span_skip(statement, word.length);
      line->mnemonic = word;
      if (is_alignment(word, statement))
        break;
      const char *name = spelled_name(word, statement);
      if (name) {
        strcpy(line->name, name);
        return true;
      }
      if (span_is(word, "lock")) {
        line->lock = true;
      } else if (span_is(word, "rep")) {
        line->rep = true;
      } else {
        set_name(line, word);
        parse_operands(line, statement, intel);
        return true;
      }
    }
  }
  return line->lock || line->rep;
}

/* ---- cleaning ----------------------------------------------------------- */

/* $(att$|intel$): only what is of the dialect stays.  `variant` counts the
 * alternatives, and is -1 outside of them, where a lone "$|" or "$)" stays and
 * is not understood. */
static void choose_alternatives(char *text, int wanted) {
  char *to = text;
  int variant = -1;
  for (const char *from = text; *from; from++) {
    size_t length = *from == '$' && from[1] ? 2 : 1;
    char mark = length == 2 ? from[1] : 0;
    bool inside = variant >= 0;
    if (mark == (inside ? ')' : '(')) {
      variant = inside ? -1 : 0;
    } else if (mark == '|' && inside) {
      variant++;
    } else if (!inside || variant == wanted) {
      memmove(to, from, length); /* "$$" as a whole: "$$(" is no mark */
      to += length;
    }
    from += length - 1;
  }
  *to = 0;
}

/* A digit after '#': AArch64 writes immediates so. */
static size_t comment_length(const char *at) {
  if ((*at == '#' && !isdigit((unsigned char)at[1])) ||
      (*at == '/' && at[1] == '/'))
    return strcspn(at, "\r\n");
  if (*at != '/' || at[1] != '*')
    return 0;
  const char *end = strstr(at + 2, "*/");
  return end ? (size_t)(end + 2 - at) : strlen(at);
}

/* Line ends within comments stay: assemblers differ in whether they count. */
static void remove_comments(char *text) {
  for (char *at = text; *at; at++)
    for (size_t left = comment_length(at); left; left--, at += left > 0)
      if (*at != '\n' && *at != '\r')
        *at = ' ';
}

char *asm_clean_text(const char *text, bool intel) {
  char *clean = strdup(text);
  ensure(clean);
  choose_alternatives(clean, intel);
  remove_comments(clean);
  return clean;
}
