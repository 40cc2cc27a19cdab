#include "cli/options.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "cli/complain.h"
#include "explore/algorithms.h"
#include "util/ensure.h"

/* ---- the lists ----------------------------------------------------------- */

enum kind { KIND_FLAG, KIND_ENUM, KIND_NUMBER };

struct entry {
  const char *name;
  enum kind kind;
  size_t offset;      /* in struct options */
  const char *values; /* a|b|c, or the argument's name */
  uint64_t least;
  uint64_t initial;
  const char *help;
};

static const struct entry entries[] = {
#define PLACE(field) offsetof(struct options, field)
#define FLAG(field, name, help) {name, KIND_FLAG, PLACE(field), 0, 0, 0, help},
#define ENUM(field, name, values, initial, help) \
  {name, KIND_ENUM, PLACE(field), values, 0, initial, help},
#define NUMBER(field, name, arg, least, initial, help) \
  {name, KIND_NUMBER, PLACE(field), arg, least, initial, help},
#include "core/options.def"
#undef FLAG
#undef ENUM
#undef NUMBER
#undef PLACE
};

#define ENTRIES (sizeof entries / sizeof *entries)

/* Options that only the command knows. */
enum local {
  LOCAL_ALGO,
  LOCAL_JSON,
  LOCAL_ERROR_FILE,
  LOCAL_ALLOW,
  LOCAL_QUIET,
  LOCAL_VERBOSE,
  LOCAL_STATS,
  LOCAL_HELP,
};

static const struct {
  const char *name;
  const char *argument; /* NULL: takes none */
  const char *help;
} locals[] = {
    [LOCAL_ALGO] = {"algo", "NAME", "how to explore"},
    [LOCAL_JSON] = {"json", "FILE|-", "write the result as JSON"},
    [LOCAL_ERROR_FILE] = {"error-file", "FILE",
                          "where to write the file for heddle replay"},
    [LOCAL_ALLOW] = {"allow-external", "NAME",
                     "let the program call this function of a library"},
    [LOCAL_QUIET] = {"quiet", 0, "print the verdict only"},
    [LOCAL_VERBOSE] = {"verbose", 0, "print more about the exploration"},
    [LOCAL_STATS] = {"stats", 0, "the same: all that was counted"},
    [LOCAL_HELP] = {"help", 0, "print this help"},
};

#define LOCALS (sizeof locals / sizeof *locals)

static const struct {
  const char *name;
  const char *help;
} algorithms[] = {
#define ALGORITHM(id, name, help) {name, help},
#define PRINTED(id, name, help)
#include "explore/algorithms.def"
#undef PRINTED
#undef ALGORITHM
};

#define ALGORITHMS (sizeof algorithms / sizeof *algorithms)

/* Those that have a form as printed. */
static const struct {
  const char *name;
  const char *help;
} printed[] = {
#define ALGORITHM(id, name, help)
#define PRINTED(id, name, help) {name, help},
#include "explore/algorithms.def"
#undef PRINTED
#undef ALGORITHM
};

#define PRINTED_ONES (sizeof printed / sizeof *printed)

#define DEFAULT_ALGORITHM "optimal"

/* Compiler options whose argument may be the next word. */
static const char *const separate[] = {
    "-D",       "-I",           "-L",          "-U",
    "-l",       "-include",     "-imacros",    "-isystem",
    "-iquote",  "-idirafter",   "-x",          "-u",
    "-z",       "-T",           "-target",     "-Xclang",
    "-Xlinker", "-mllvm",       "-isysroot",   "-Xpreprocessor",
    "-iprefix", "-iwithprefix", "-Xassembler", "-iwithprefixbefore",
};

/* Compiler options that leave no program to check. */
static const char *const fruitless[] = {
    "-c", "-S", "-E", "-M", "-MM", "-shared", "-r", "-fsyntax-only",
};

/* ---- suggestions --------------------------------------------------------- */

static size_t least(size_t a, size_t b) {
  return a < b ? a : b;
}

/* How many letters must be changed, added or removed. */
static size_t distance(const char *a, const char *b) {
  enum { LONGEST = 40 };
  size_t m = strlen(a), n = strlen(b);
  size_t row[LONGEST + 1];
  if (m > LONGEST || n > LONGEST)
    return LONGEST;
  for (size_t j = 0; j <= n; j++)
    row[j] = j;
  for (size_t i = 1; i <= m; i++) {
    size_t diagonal = row[0];
    row[0] = i;
    for (size_t j = 1; j <= n; j++) {
      size_t above = row[j];
      row[j] = least(least(row[j - 1], above) + 1,
                     diagonal + (a[i - 1] != b[j - 1]));
      diagonal = above;
    }
  }
  return row[n];
}

struct suggestion {
  const char *wanted;
  const char *best;
  size_t distance;
};

static void suggest(struct suggestion *s, const char *candidate) {
  size_t d = distance(s->wanted, candidate);
  /* The beginning of a name counts as a slip, too. */
  if (strlen(s->wanted) > 2 &&
      !strncmp(s->wanted, candidate, strlen(s->wanted)))
    d = 1;
  if (d < s->distance) {
    s->distance = d;
    s->best = candidate;
  }
}

static struct suggestion suggestion_for(const char *wanted) {
  size_t farthest = strlen(wanted) < 5 ? 2 : 4;
  return (struct suggestion){wanted, 0, farthest};
}

/* ---- values of options.def ----------------------------------------------- */

/* The position of `value` in "a|b|c", or -1. */
static int enum_index(const char *values, const char *value) {
  size_t length = strlen(value);
  for (int i = 0;; i++) {
    size_t one = strcspn(values, "|");
    if (one == length && !memcmp(values, value, length))
      return i;
    if (!values[one])
      return -1;
    values += one + 1;
  }
}

/* The name at a position of "a|b|c". */
static void enum_name(const char *values, unsigned index, char *to,
                      size_t size) {
  while (index--)
    values += strcspn(values, "|") + 1;
  snprintf(to, size, "%.*s", (int)strcspn(values, "|"), values);
}

static bool parse_number(const char *text, uint64_t *value) {
  if (!isdigit((unsigned char)*text))
    return false; /* also signs and spaces, which strtoull takes */
  char *end;
  errno = 0;
  unsigned long long parsed = strtoull(text, &end, 10);
  *value = parsed;
  return !*end && !errno;
}

static uint8_t *byte_of(struct options *options, const struct entry *e) {
  return (uint8_t *)options + e->offset;
}

static void assign(struct options *options, const struct entry *e,
                   uint64_t value) {
  if (e->kind == KIND_NUMBER)
    memcpy(byte_of(options, e), &value, sizeof value);
  else
    *byte_of(options, e) = (uint8_t)value;
}

static uint64_t value_of(const struct options *options, const struct entry *e) {
  uint64_t value;
  if (e->kind != KIND_NUMBER)
    return *byte_of((struct options *)options, e);
  memcpy(&value, byte_of((struct options *)options, e), sizeof value);
  return value;
}

static const struct entry *entry_named(const char *name) {
  for (size_t i = 0; i < ENTRIES; i++)
    if (!strcmp(entries[i].name, name))
      return &entries[i];
  return 0;
}

/* Is `text` a value of the option?  Flags are 0 or 1. */
static bool entry_value(const struct entry *e, const char *text,
                        uint64_t *value) {
  if (e->kind == KIND_ENUM) {
    int index = enum_index(e->values, text);
    *value = (uint64_t)index;
    return index >= 0;
  }
  if (!parse_number(text, value))
    return false;
  return e->kind == KIND_NUMBER ? *value >= e->least : *value <= 1;
}

void options_default(struct options *options) {
  memset(options, 0, sizeof *options);
  for (size_t i = 0; i < ENTRIES; i++)
    assign(options, &entries[i], entries[i].initial);
}

bool options_set(struct options *options, const char *name, const char *value) {
  const struct entry *e = entry_named(name);
  uint64_t parsed;
  if (!e || !entry_value(e, value, &parsed))
    return false;
  assign(options, e, parsed);
  return true;
}

void options_each(const struct options *options,
                  void (*print)(void *, const char *name, const char *value),
                  void *context) {
  for (size_t i = 0; i < ENTRIES; i++) {
    const struct entry *e = &entries[i];
    uint64_t value = value_of(options, e);
    char text[64];
    if (e->kind == KIND_ENUM)
      enum_name(e->values, (unsigned)value, text, sizeof text);
    else
      snprintf(text, sizeof text, "%" PRIu64, value);
    print(context, e->name, text);
  }
}

/* ---- the command line ---------------------------------------------------- */

/* The words that are still to be read. */
struct words {
  int count;
  char **at;
};

static char *next_word(struct words *words) {
  ensure(words->count > 0);
  words->count--;
  return *words->at++;
}

static bool is_quasi(const char *name) {
  return !strcmp(name, "quasi") || !strncmp(name, "quasi=", 6);
}

bool options_algorithm(const char *name, bool as_printed) {
  if (algorithm_quasi(name))
    return true;
  if (is_quasi(name)) {
    complain("--algo %s: K must be a whole number from 1, as in quasi=2", name);
    return false;
  }
  for (size_t i = 0; i < ALGORITHMS; i++)
    if (!strcmp(algorithms[i].name, name))
      return true;
  for (size_t i = 0; i < PRINTED_ONES; i++)
    if (!strcmp(printed[i].name, name)) {
      if (!as_printed)
        complain("--algo %s: only together with --as-printed", name);
      return as_printed;
    }
  struct suggestion s = suggestion_for(name);
  for (size_t i = 0; i < ALGORITHMS; i++)
    suggest(&s, algorithms[i].name);
  complain("--algo %s: there is no such algorithm%s%s%s", name,
           s.best ? "; did you mean " : "; see heddle check --help",
           s.best ? s.best : "", s.best ? "?" : "");
  return false;
}

bool options_allow(struct check_options *o, const char *name) {
  size_t length = strlen(name) + 1;
  /* One more byte: an empty name ends the list. */
  if (o->externals_length + length + 1 > sizeof o->externals) {
    complain("--allow-external %s: the names have more than %zu bytes together",
             name, sizeof o->externals);
    return false;
  }
  memcpy(o->externals + o->externals_length, name, length);
  o->externals_length += length;
  return true;
}

/* A C function, or a file that was not compiled by heddle cc: f.o, libz.a. */
static bool is_function_or_file(const char *name) {
  if (!*name || *name == '-')
    return false;
  return name[strspn(name, "abcdefghijklmnopqrstuvwxyz"
                           "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.+-")] == 0;
}

static bool bad_value(const struct entry *e, const char *value) {
  uint64_t number;
  if (e->kind == KIND_ENUM)
    complain("--%s %s: no such value; use one of %s", e->name, value,
             e->values);
  else if (parse_number(value, &number))
    complain("--%s %s: too small; use %" PRIu64 " or more", e->name, value,
             e->least);
  else
    complain("--%s %s: not a whole number from %" PRIu64 " to %" PRIu64,
             e->name, value, e->least, UINT64_MAX);
  return false;
}

static bool set_entry(struct check_options *o, const struct entry *e,
                      const char *value, struct words *words) {
  uint64_t parsed = 1;
  if (e->kind == KIND_FLAG && value) {
    complain("--%s=%s: this option takes no value", e->name, value);
    return false;
  }
  if (e->kind != KIND_FLAG) {
    if (!value && !words->count) {
      complain("--%s needs a value: --%s=%s", e->name, e->name, e->values);
      return false;
    }
    if (!value)
      value = next_word(words);
    if (!entry_value(e, value, &parsed))
      return bad_value(e, value);
  }
  assign(&o->explore, e, parsed);
  return true;
}

static bool apply_local(struct check_options *o, enum local which,
                        const char *value) {
  switch (which) {
  case LOCAL_ALGO:
    o->algorithm = value;
    break;
  case LOCAL_JSON:
    o->json = value;
    break;
  case LOCAL_ERROR_FILE:
    o->error_file = value;
    break;
  case LOCAL_ALLOW:
    if (!is_function_or_file(value)) {
      complain("--allow-external %s: not the name of a C function, nor of an "
               "object file or library",
               value);
      return false;
    }
    return options_allow(o, value);
  case LOCAL_QUIET:
    o->quiet = true;
    break;
  case LOCAL_VERBOSE:
  case LOCAL_STATS:
    o->verbose = true;
    break;
  case LOCAL_HELP:
    o->help = true;
    break;
  }
  return true;
}

static bool set_local(struct check_options *o, enum local which,
                      const char *value, struct words *words) {
  const char *name = locals[which].name, *argument = locals[which].argument;
  if (!argument && value) {
    complain("--%s=%s: this option takes no value", name, value);
    return false;
  }
  if (argument && !value) {
    if (!words->count) {
      complain("--%s needs a value: --%s=%s", name, name, argument);
      return false;
    }
    value = next_word(words);
  }
  if (argument && !*value) {
    complain("--%s: the value is empty; use --%s=%s", name, name, argument);
    return false;
  }
  return apply_local(o, which, value);
}

static bool unknown_option(const char *word, const char *name) {
  struct suggestion s = suggestion_for(name);
  for (size_t i = 0; i < ENTRIES; i++)
    suggest(&s, entries[i].name);
  for (size_t i = 0; i < LOCALS; i++)
    suggest(&s, locals[i].name);
  complain("unknown option %s%s%s%s", word,
           s.best ? "; did you mean --" : "; see heddle check --help",
           s.best ? s.best : "", s.best ? "?" : "");
  return false;
}

/* A word that starts with two dashes. */
static bool long_option(struct check_options *o, char *word,
                        struct words *words) {
  char name[64];
  size_t length = strcspn(word + 2, "=");
  if (length >= sizeof name)
    return unknown_option(word, word + 2);
  memcpy(name, word + 2, length);
  name[length] = 0;
  const char *value = word[2 + length] ? word + 2 + length + 1 : 0;
  const struct entry *e = entry_named(name);
  if (e)
    return set_entry(o, e, value, words);
  for (size_t i = 0; i < LOCALS; i++)
    if (!strcmp(locals[i].name, name))
      return set_local(o, (enum local)i, value, words);
  return unknown_option(word, name);
}

static bool is_in(const char *const *list, size_t count, const char *word) {
  for (size_t i = 0; i < count; i++)
    if (!strcmp(list[i], word))
      return true;
  return false;
}

/* A word that starts with one dash. */
static bool compiler_option(struct check_options *o, char *word,
                            struct words *words) {
  if (!strcmp(word, "-h")) {
    o->help = true;
    return true;
  }
  if (!word[1]) {
    complain("-: the program cannot come from standard input; name a file");
    return false;
  }
  if (!strncmp(word, "-o", 2)) {
    complain("%s: heddle check keeps no program; use heddle cc %s", word, word);
    return false;
  }
  if (is_in(fruitless, sizeof fruitless / sizeof *fruitless, word)) {
    complain("%s: this makes no program to check; use heddle cc %s", word,
             word);
    return false;
  }
  VEC_PUSH(o->build, word);
  if (is_in(separate, sizeof separate / sizeof *separate, word)) {
    if (!words->count) {
      complain("%s needs a value", word);
      return false;
    }
    VEC_PUSH(o->build, next_word(words));
  }
  return true;
}

bool options_parse(struct check_options *o, int argc, char **argv) {
  static char *nothing[] = {0};
  memset(o, 0, sizeof *o);
  options_default(&o->explore);
  o->algorithm = DEFAULT_ALGORITHM;
  o->arguments = nothing;
  struct words words = {argc - 1, argv + 1};
  while (words.count) {
    char *word = next_word(&words);
    bool ok = true;
    if (!strcmp(word, "--")) {
      o->arguments = words.at;
      break;
    }
    if (!strncmp(word, "--", 2)) {
      ok = long_option(o, word, &words);
    } else if (*word == '-') {
      ok = compiler_option(o, word, &words);
    } else {
      VEC_PUSH(o->build, word);
      VEC_PUSH(o->files, word);
    }
    if (!ok)
      return false;
    if (o->help)
      return true;
  }
  if (!options_algorithm(o->algorithm, o->explore.as_printed))
    return false;
  if (!o->files.size)
    complain("check: no file given; use heddle check FILE.c, "
             "or see heddle check --help");
  return o->files.size > 0;
}

void options_free(struct check_options *o) {
  VEC_FREE(o->build);
  VEC_FREE(o->files);
}

/* ---- help ---------------------------------------------------------------- */

enum { HELP_COLUMN = 29, HELP_WIDTH = 80 - HELP_COLUMN };

/* Breaks the text between words where the line would be too long. */
static void help_text(FILE *to, const char *text) {
  while (strlen(text) > HELP_WIDTH) {
    int length = HELP_WIDTH;
    while (length > 1 && text[length] != ' ')
      length--;
    fprintf(to, "%.*s\n%*s", length, text, HELP_COLUMN, "");
    text += length + (text[length] == ' ');
  }
  fprintf(to, "%s\n", text);
}

static void help_line(FILE *to, const char *name, const char *argument,
                      const char *help, const char *initial) {
  char left[64], right[256];
  snprintf(left, sizeof left, "  --%s%s%s", name, argument ? "=" : "",
           argument ? argument : "");
  snprintf(right, sizeof right, "%s%s%s%s", help, initial ? " (default: " : "",
           initial ? initial : "", initial ? ")" : "");
  if (strlen(left) >= HELP_COLUMN)
    fprintf(to, "%s\n%*s", left, HELP_COLUMN, "");
  else
    fprintf(to, "%-*s", HELP_COLUMN, left);
  help_text(to, right);
}

static void help_entry(FILE *to, const struct entry *e) {
  char initial[64];
  const char *shown = initial;
  if (e->kind == KIND_ENUM)
    enum_name(e->values, (unsigned)e->initial, initial, sizeof initial);
  else if (e->kind == KIND_NUMBER && e->initial == UINT64_MAX)
    shown = "no limit";
  else if (e->kind == KIND_NUMBER)
    snprintf(initial, sizeof initial, "%" PRIu64, e->initial);
  else
    shown = 0;
  help_line(to, e->name, e->values, e->help, shown);
}

void options_help(FILE *to) {
  fputs("usage: heddle check [options] FILE.c ... [-- program arguments]\n"
        "       heddle check [options] BINARY [-- program arguments]\n"
        "       heddle check [options] FILE.model\n\n"
        "Runs a C program with threads under every interleaving that matters "
        "and says\nwhether an error exists.  BINARY is a program built with "
        "heddle cc.\n\noptions:\n",
        to);
  for (size_t i = 0; i < LOCALS; i++)
    help_line(to, locals[i].name, locals[i].argument, locals[i].help,
              i == LOCAL_ALGO ? DEFAULT_ALGORITHM : 0);
  for (size_t i = 0; i < ENTRIES; i++)
    help_entry(to, &entries[i]);
  fputs("  -D -I -U -l -L -std= -f -m -W -O -g -include ...\n"
        "                             passed to the compiler\n\n"
        "algorithms:\n",
        to);
  for (size_t i = 0; i < ALGORITHMS; i++)
    fprintf(to, "  %-26s %s\n", algorithms[i].name, algorithms[i].help);
  fputs("\nalgorithms with --as-printed:\n", to);
  for (size_t i = 0; i < PRINTED_ONES; i++)
    fprintf(to, "  %-26s %s\n", printed[i].name, printed[i].help);
  fputs("\nexit codes:\n"
        "  0  complete: no error exists\n"
        "  1  an error was found\n"
        "  2  could not check: usage, compiler error, something unsupported\n"
        "  3  incomplete: a limit was reached; no error so far\n",
        to);
}
