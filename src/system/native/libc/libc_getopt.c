/* getopt and similar functions, with the behaviour and messages of glibc.
 *
 * The C library's functions keep their position in variables of their own,
 * which undo could not restore.
 */
#define _GNU_SOURCE
#include "libc.h"

#include <getopt.h>
#include <stdlib.h>

#include "system/native/hooks/hooks.h"

enum ordering {
  PERMUTE,         /* other words are moved behind the options */
  REQUIRE_ORDER,   /* ... end the options */
  RETURN_IN_ORDER, /* ... are returned as options with the code 1 */
};

/* prog: the position of the scan.  Words from `first` to `last` are no options
 * and have been skipped. */
struct scan {
  uint32_t users; /* stands for the scan in footprints */
  bool begun;
  enum ordering ordering;
  char *next; /* in a word of several options: the next one; or NULL */
  int first, last;
  int wrong; /* the latest wrong option */
};

PROG static struct scan latest_scan;

/* prog, on the stack: one call. */
struct call {
  int argc;
  char **argv;
  const char *shorts;         /* without the sign for the ordering */
  const struct option *longs; /* or NULL */
  int *index;                 /* for the number of the long option, or NULL */
  bool only;                  /* long options may begin with one dash */
  bool complains;
  bool posix;
  int at; /* optind */
  struct scan scan;
  uint64_t pc;
};

/* ---- the program's memory ------------------------------------------------ */

/* The step reads one string, or two. */
static void announce_strings(struct call *c, const char *a, const char *b) {
  struct libcall e;
  libcall_begin(&e, OP_SCAN, c->pc);
  libcall_string(&e, a, SIZE_MAX);
  if (b)
    libcall_string(&e, b, SIZE_MAX);
  libcall_announce(&e);
  touched(&e, a, string_length(a, SIZE_MAX) + 1);
  if (b)
    touched(&e, b, string_length(b, SIZE_MAX) + 1);
}

static char *word(struct call *c, int i) {
  char *w = LOOK_AT(c->argv[i], c->pc);
  announce_strings(c, w, NULL);
  return w;
}

/* As in glibc, optopt is the latest wrong option, even if the program has
 * changed it since. */
static int answer(struct call *c, int code) {
  PUT_AT(optind, c->at, c->pc);
  PUT_AT(optopt, c->scan.wrong, c->pc);
  return code;
}

static int wrong(struct call *c, int option, int code) {
  c->scan.wrong = option;
  return answer(c, code);
}

/* An argument is missing: a leading colon asks for another code. */
static int missing(struct call *c, int option) {
  return wrong(c, option, *c->shorts == ':' ? ':' : '?');
}

static void argument(struct call *c, char *text) {
  PUT_AT(optarg, text, c->pc);
}

/* ---- words --------------------------------------------------------------- */

/* Moves the words from `first` to `last` behind those up to the current one. */
static void exchange(struct call *c) {
  char **moved = &c->argv[c->scan.first];
  size_t size = (size_t)(c->at - c->scan.first) * sizeof *moved;
  struct libcall e;
  libcall_begin(&e, OP_COPY, c->pc);
  libcall_read(&e, moved, size);
  libcall_write(&e, moved, size);
  libcall_announce(&e);
  for (int from = c->scan.last, to = c->scan.first; from < c->at;
       from++, to++) {
    char *option = c->argv[from];
    for (int i = from; i > to; i--)
      c->argv[i] = c->argv[i - 1];
    c->argv[to] = option;
  }
  c->scan.first += c->at - c->scan.last;
  c->scan.last = c->at;
}

static bool is_option(struct call *c) {
  const char *w = word(c, c->at);
  return w[0] == '-' && w[1];
}

static void skip_others(struct call *c) {
  if (c->scan.first != c->scan.last && c->scan.last != c->at)
    exchange(c);
  else if (c->scan.last != c->at)
    c->scan.first = c->at;
  while (c->at < c->argc && !is_option(c))
    c->at++;
  c->scan.last = c->at;
}

static void end_at_dashes(struct call *c) {
  c->at++;
  if (c->scan.first != c->scan.last && c->scan.last != c->at)
    exchange(c);
  else if (c->scan.first == c->scan.last)
    c->scan.first = c->at;
  c->scan.last = c->at = c->argc;
}

/* ---- long options -------------------------------------------------------- */

static bool same_effect(const struct option *a, const struct option *b) {
  return a->has_arg == b->has_arg && a->flag == b->flag && a->val == b->val;
}

static void complain_ambiguous(struct call *c, const char *prefix,
                               size_t length) {
  print_error("%s: option '%s%s' is ambiguous; possibilities:", c->argv[0],
              prefix, c->scan.next);
  for (const struct option *o = c->longs; o->name; o++)
    if (!heddle_real_strncmp(o->name, c->scan.next, length))
      print_error(" '%s%s'", prefix, o->name);
  print_error("\n");
}

/* The option of this name, or the only one that begins with it: its number, and
 * *is, a copy; -1: there is none. */
static int find_long(struct call *c, size_t length, struct option *is,
                     bool *ambiguous) {
  struct option now;
  int found = -1;
  *ambiguous = false;
  for (int i = 0; (now = LOOK_AT(c->longs[i], c->pc)).name; i++) {
    announce_strings(c, now.name, c->scan.next);
    if (heddle_real_strncmp(now.name, c->scan.next, length) != 0)
      continue;
    if (heddle_real_strlen(now.name) == length) {
      *is = now;
      *ambiguous = false;
      return i;
    }
    if (found >= 0) {
      *ambiguous |= c->only || !same_effect(is, &now);
      continue;
    }
    *is = now;
    found = i;
  }
  return found;
}

static int take_long(struct call *c, int number, const struct option *o,
                     char *end, const char *prefix) {
  announce_strings(c, end, NULL);
  c->at++;
  c->scan.next = NULL;
  if (*end && !o->has_arg) {
    if (c->complains)
      print_error("%s: option '%s%s' doesn't allow an argument\n", c->argv[0],
                  prefix, o->name);
    return wrong(c, o->val, '?');
  }
  if (*end) {
    argument(c, end + 1);
  } else if (o->has_arg == required_argument) {
    if (c->at == c->argc) {
      if (c->complains)
        print_error("%s: option '%s%s' requires an argument\n", c->argv[0],
                    prefix, o->name);
      return missing(c, o->val);
    }
    argument(c, word(c, c->at++));
  }
  if (c->index)
    PUT_AT(*c->index, number, c->pc);
  if (!o->flag)
    return answer(c, o->val);
  PUT_AT(*o->flag, o->val, c->pc);
  return answer(c, 0);
}

/* -1: it is no long option, but may be a short one. */
static int long_option(struct call *c, const char *prefix) {
  bool ambiguous;
  char *end = c->scan.next;
  while (*end && *end != '=')
    end++;
  size_t length = (size_t)(end - c->scan.next);
  struct option is = {0};
  int number = find_long(c, length, &is, &ambiguous);
  if (ambiguous) {
    if (c->complains)
      complain_ambiguous(c, prefix, length);
  } else if (number >= 0) {
    return take_long(c, number, &is, end, prefix);
  } else if (c->only && prefix[1] != '-' &&
             heddle_real_strchr(c->shorts, *c->scan.next)) {
    return -1;
  } else if (c->complains) {
    print_error("%s: unrecognized option '%s%s'\n", c->argv[0], prefix,
                c->scan.next);
  }
  c->scan.next = NULL;
  c->at++;
  return wrong(c, 0, '?');
}

/* ---- short options ------------------------------------------------------- */

static int short_argument(struct call *c, char option, bool optional) {
  char *rest = *c->scan.next ? c->scan.next : NULL;
  c->scan.next = NULL;
  if (rest) {
    c->at++; /* it is the last option of the word */
    argument(c, rest);
  } else if (!optional && c->at == c->argc) {
    if (c->complains)
      print_error("%s: option requires an argument -- '%c'\n", c->argv[0],
                  option);
    return missing(c, option);
  } else if (!optional) {
    argument(c, word(c, c->at++));
  }
  return answer(c, option);
}

static int short_option(struct call *c) {
  announce_strings(c, c->scan.next, c->shorts);
  char option = *c->scan.next++;
  const char *known = heddle_real_strchr(c->shorts, option);
  if (!*c->scan.next)
    c->at++;
  if (!known || option == ':' || option == ';') {
    if (c->complains)
      print_error("%s: invalid option -- '%c'\n", c->argv[0], option);
    return wrong(c, option, '?');
  }
  if (known[1] == ';' && option == 'W' && c->longs)
    refuse("getopt: long options by -W are not supported");
  if (known[1] != ':')
    return answer(c, option);
  return short_argument(c, option, known[2] == ':');
}

/* ---- a call -------------------------------------------------------------- */

/* A program sets optind to 0 to begin anew. */
static void begin(struct call *c) {
  if (!c->at)
    c->at = 1;
  c->scan.first = c->scan.last = c->at;
  c->scan.next = NULL;
  c->scan.begun = true;
  if (*c->shorts == '-')
    c->scan.ordering = RETURN_IN_ORDER;
  else if (*c->shorts == '+' || c->posix || getenv("POSIXLY_CORRECT"))
    c->scan.ordering = REQUIRE_ORDER;
  else
    c->scan.ordering = PERMUTE;
}

static int next_word(struct call *c) {
  if (c->scan.last > c->at)
    c->scan.last = c->at;
  if (c->scan.first > c->at)
    c->scan.first = c->at;
  if (c->scan.ordering == PERMUTE)
    skip_others(c);
  if (c->at < c->argc && !heddle_real_strcmp(word(c, c->at), "--"))
    end_at_dashes(c);
  if (c->at >= c->argc) {
    if (c->scan.first != c->scan.last)
      c->at = c->scan.first;
    return answer(c, -1);
  }
  if (!is_option(c)) {
    if (c->scan.ordering == REQUIRE_ORDER)
      return answer(c, -1);
    argument(c, word(c, c->at++));
    return answer(c, 1);
  }
  char *w = word(c, c->at);
  if (c->longs && w[1] == '-') {
    c->scan.next = w + 2;
    return long_option(c, "--");
  }
  c->scan.next = w + 1;
  if (c->longs && c->only && (w[2] || !heddle_real_strchr(c->shorts, w[1]))) {
    int code = long_option(c, "-");
    if (code != -1)
      return code;
  }
  return short_option(c);
}

static int find_next(struct call *c) {
  argument(c, NULL);
  c->at = LOOK_AT(optind, c->pc);
  announce_strings(c, c->shorts, c->scan.next);
  if (!c->at || !c->scan.begun)
    begin(c);
  if (*c->shorts == '-' || *c->shorts == '+')
    c->shorts++;
  c->complains = LOOK_AT(opterr, c->pc) && *c->shorts != ':';
  return c->scan.next && *c->scan.next ? short_option(c) : next_word(c);
}

static int call(struct call *c) {
  if (c->argc < 1)
    return -1;
  library_state(&latest_scan.users, sizeof latest_scan.users, false, c->pc);
  c->scan = latest_scan;
  int code = find_next(c);
  library_state(&latest_scan.users, sizeof latest_scan.users, true, c->pc);
  SET(latest_scan, c->scan);
  return code;
}

/* ---- main begins, and once more ------------------------------------------ */

/* keep: the variables as they were. */
static struct {
  char *optarg;
  int optind, opterr, optopt;
} initial;

void getopt_start(void) {
  initial.optarg = optarg;
  initial.optind = optind;
  initial.opterr = opterr;
  initial.optopt = optopt;
}

/* In a program that does not use getopt these names may belong to other
 * variables, which must not be written here.  So only variables that differ are
 * written; others do not change, or were restored before this. */
#define RESET(variable)               \
  if (variable != initial.variable) { \
    variable = initial.variable;      \
  }

void getopt_reset(void){RESET(optarg) RESET(optind) RESET(opterr) RESET(optopt)}

/* ---- the program's names ------------------------------------------------- */

INTERPOSED int getopt(int argc, char *const *argv, const char *shorts) {
  return call(&(struct call){
      .argc = argc, .argv = (char **)argv, .shorts = shorts, .pc = CALLER});
}

/* getopt without GNU extensions. */
int __posix_getopt(int, char *const *, const char *);
INTERPOSED int __posix_getopt(int argc, char *const *argv, const char *shorts) {
  return call(&(struct call){.argc = argc,
                             .argv = (char **)argv,
                             .shorts = shorts,
                             .posix = true,
                             .pc = CALLER});
}

INTERPOSED int getopt_long(int argc, char *const *argv, const char *shorts,
                           const struct option *longs, int *index) {
  return call(&(struct call){.argc = argc,
                             .argv = (char **)argv,
                             .shorts = shorts,
                             .longs = longs,
                             .index = index,
                             .pc = CALLER});
}

INTERPOSED int getopt_long_only(int argc, char *const *argv, const char *shorts,
                                const struct option *longs, int *index) {
  return call(&(struct call){.argc = argc,
                             .argv = (char **)argv,
                             .shorts = shorts,
                             .longs = longs,
                             .index = index,
                             .only = true,
                             .pc = CALLER});
}
