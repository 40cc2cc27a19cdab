/* --args-file: one check for each line of a file with arguments of the program.
 * --yml: the programs and expected verdicts of a task definition of SV-COMP.
 *
 * Each check is a command of its own, with the other options as given. */
#define _GNU_SOURCE
#include "cli/check_series.h"

#include <stdlib.h>
#include <string.h>

#include "supervise/cluster.h"
#include "host/complain.h"
#include "host/file.h"
#include "host/process.h"
#include "supervise/supervise.h"
#include "util/ensure.h"
#include "util/text.h"

bool is_series(const struct check_options *o) {
  return o->args_file || o->yml;
}

/* ---- commands ------------------------------------------------------------ */

typedef VEC(char *) words;

static void add_word(words *to, const char *word, size_t length) {
  char *copy = strndup(word, length);
  ensure(copy); /* out of memory */
  VEC_PUSH(*to, copy);
}

static void free_words(words *all) {
  for (size_t i = 0; i < all->size; i++)
    free(all->at[i]);
  VEC_FREE(*all);
}

static bool is_option(const char *word, const char *name) {
  size_t length = strlen(name);
  return !strncmp(word, name, length) && (!word[length] || word[length] == '=');
}

/* The command without the options of a series and the program's arguments. */
static void begin_command(words *to, char **argv) {
  add_word(to, "/proc/self/exe", 14);
  for (; *argv && strcmp(*argv, "--") != 0; argv++) {
    if (is_option(*argv, "--args-file") || is_option(*argv, "--yml"))
      argv += !strchr(*argv, '=');
    else
      add_word(to, *argv, strlen(*argv));
  }
}

/* Worse than what was: an error, then what could not be checked, then what is
 * incomplete. */
static int worse(int code, int other) {
  static const int order[] = {EXIT_ERROR, EXIT_UNCHECKED, EXIT_INCOMPLETE};
  for (size_t i = 0; i < sizeof order / sizeof *order; i++)
    if (code == order[i] || other == order[i])
      return order[i];
  return code ? code : other;
}

static bool is_alone(const struct check_options *o, const char *option) {
  if (!o->json && !o->html && !o->sarif && !o->junit && !o->error_file &&
      !o->checkpoint)
    return true;
  complain("%s: several results do not fit into one file; leave out --json, "
           "--html, --sarif, --junit, --error-file and --checkpoint",
           option);
  return false;
}

/* ---- --args-file --------------------------------------------------------- */

/* Words are separated by blanks; quotes keep blanks. */
static void split(words *to, const char *line, size_t length) {
  for (const char *at = line, *end = line + length; at < end;) {
    const char *from = at;
    if (*at == ' ' || *at == '\t') {
      at++;
      continue;
    }
    if (*at == '"' || *at == '\'') {
      const char *close = memchr(at + 1, *at, (size_t)(end - at - 1));
      from++;
      at = close ? close : end;
      add_word(to, from, (size_t)(at - from));
      at += at < end;
      continue;
    }
    while (at < end && *at != ' ' && *at != '\t')
      at++;
    add_word(to, from, (size_t)(at - from));
  }
}

static int check_line(char **argv, const char *line, size_t length) {
  words command = {0};
  begin_command(&command, argv);
  add_word(&command, "--", 2);
  split(&command, line, length);
  VEC_PUSH(command, NULL);
  printf("arguments: %.*s\n", (int)length, line);
  fflush(stdout);
  int code = process_run(command.at, PROCESS_INHERIT, NULL);
  free_words(&command);
  return code;
}

static int check_lines(const struct check_options *o, char **argv) {
  size_t size;
  int code = EXIT_SAFE;
  char *text = file_read_any(o->args_file, &size);
  if (!text || !size) {
    free(text);
    return complain("--args-file %s: cannot be read, or is empty",
                    o->args_file);
  }
  for (const char *line = text; *line;) {
    size_t length = strcspn(line, "\n");
    code = worse(code, check_line(argv, line, length));
    line += length + (line[length] == '\n');
  }
  free(text);
  return code;
}

/* ---- --yml --------------------------------------------------------------- */

struct property {
  const char *name; /* of its file */
  const char *kind; /* of the error that breaks it, as in JSON */
  const char *options[3];
  const char *apart; /* what "true" does not say */
};

static const struct property properties[] = {
    {"unreach-call", "assertion", {"--races=off", "--exit-status=any"}, ""},
    {"no-data-race", "race", {"--races=error", "--exit-status=any"}, ""},
    {"valid-memsafety",
     "memory",
     {"--races=off", "--exit-status=any"},
     " (lost memory apart)"},
};

/* The value behind a key at the beginning of a line, blanks and dashes apart;
 * NULL: there is none.  Without quotes, on the heap. */
static char *value_of(const char *line, const char *key) {
  line += strspn(line, " \t-");
  size_t length = strlen(key);
  if (strncmp(line, key, length) != 0 || line[length] != ':')
    return NULL;
  line += length + 1;
  line += strspn(line, " \t'\"[");
  char *value = strndup(line, strcspn(line, "'\"]\r\n #"));
  ensure(value); /* out of memory */
  return value;
}

static const struct property *property_of(const char *file) {
  for (size_t i = 0; i < sizeof properties / sizeof *properties; i++)
    if (strstr(file, properties[i].name))
      return &properties[i];
  return NULL;
}

static bool breaks(const char *json, const struct property *p) {
  char wanted[64];
  const char *errors = json ? strstr(json, "\"errors\": [") : NULL;
  const char *end = errors ? strstr(errors, "\n  \"warnings\"") : NULL;
  snprintf(wanted, sizeof wanted, "{\"kind\": \"%s\"", p->kind);
  const char *found = errors ? strstr(errors, wanted) : NULL;
  return found && (!end || found < end);
}

/* A search that found other errors may have been cut short as well. */
static bool is_complete(const char *json) {
  return json && strstr(json, "\n  \"complete\": true");
}

/* The words for what was found, and whether that is what was expected. */
static int judge(const char *expected, bool broken, bool complete, int code,
                 const char **verdict) {
  *verdict = broken                   ? "false"
             : complete               ? "true"
             : code == EXIT_UNCHECKED ? "nothing"
                                      : "unknown";
  if (!broken && !complete)
    return code == EXIT_UNCHECKED ? EXIT_UNCHECKED : EXIT_INCOMPLETE;
  return !strcmp(expected, broken ? "false" : "true") ? EXIT_SAFE : EXIT_ERROR;
}

static int check_property(char **argv, const char *program,
                          const struct property *p, const char *expected) {
  static const char *const said[] = {"right", "WRONG", "not checked",
                                     "incomplete"};
  words command = {0};
  char *json = NULL;
  const char *verdict;
  begin_command(&command, argv);
  for (size_t i = 0; p->options[i]; i++)
    add_word(&command, p->options[i], strlen(p->options[i]));
  add_word(&command, "--keep-going", 12);
  add_word(&command, "--json=-", 8);
  add_word(&command, program, strlen(program));
  VEC_PUSH(command, NULL);
  int code = process_run(command.at, PROCESS_COLLECT, &json);
  int judged =
      judge(expected, breaks(json, p), is_complete(json), code, &verdict);
  printf("%s: %s: expected %s, found %s%s: %s\n", program, p->name, expected,
         verdict, *verdict == 't' ? p->apart : "", said[judged]);
  fflush(stdout);
  free(json);
  free_words(&command);
  return judged;
}

/* The name, as seen from where the task definition lies. */
static char *beside(const char *yml, const char *name) {
  const char *slash = strrchr(yml, '/');
  char *path = NULL;
  int length = slash && *name != '/' ? (int)(slash + 1 - yml) : 0;
  ensure(asprintf(&path, "%.*s%s", length, yml, name) >= 0);
  return path;
}

/* Does the line behind this one say that memory is lost, which no search sees?
 */
static bool loses_memory(const char *line) {
  line += strcspn(line, "\n");
  char *part = *line ? value_of(line + 1, "subproperty") : NULL;
  bool loses = part && !strcmp(part, "valid-memtrack");
  free(part);
  return loses;
}

struct task {
  char *program;
  char *property; /* the last one that was named */
  unsigned judged;
};

/* One line of the file; the exit code so far. */
static int take_line(struct task *t, const char *yml, char **argv,
                     const char *line, int code) {
  char *input = value_of(line, "input_files");
  char *property = value_of(line, "property_file");
  char *expected = value_of(line, "expected_verdict");
  char *model = value_of(line, "data_model");
  const struct property *p = t->property ? property_of(t->property) : NULL;
  if (input && *input && !t->program)
    t->program = beside(yml, input);
  if (property) {
    free(t->property);
    t->property = strdup(property);
  }
  if (expected && p && t->program && !loses_memory(line)) {
    code = worse(code, check_property(argv, t->program, p, expected));
    t->judged++;
  } else if (expected && t->property) {
    printf("%s: %s: not a property that heddle judges\n", yml, t->property);
  }
  if (model && !strcmp(model, "ILP32"))
    printf("%s: data model ILP32: checked with long and pointers of 64 bits\n",
           yml);
  free(input);
  free(property);
  free(expected);
  free(model);
  return code;
}

static int check_yml(const struct check_options *o, char **argv) {
  struct task task = {0};
  int code = EXIT_SAFE;
  char *text = file_read_any(o->yml, NULL);
  if (!text)
    return complain("--yml %s: cannot be read", o->yml);
  for (const char *line = text; *line;) {
    code = take_line(&task, o->yml, argv, line, code);
    line += strcspn(line, "\n");
    line += *line == '\n';
  }
  if (!task.program)
    code = complain("--yml %s: names no program (input_files)", o->yml);
  else if (!task.judged)
    code = complain("--yml %s: has no expected verdict of unreach-call, "
                    "no-data-race or valid-memsafety",
                    o->yml);
  free(task.program);
  free(task.property);
  free(text);
  return code;
}

int check_series(const struct check_options *o, char **argv) {
  if (cluster_expected())
    return complain("mpirun: one check at a time; leave out --args-file and "
                    "--yml");
  if (o->yml && (o->args_file || o->files.size))
    return complain("--yml %s: the file names the program; give no other, and "
                    "no --args-file",
                    o->yml);
  if (!is_alone(o, o->yml ? "--yml" : "--args-file"))
    return EXIT_UNCHECKED;
  return o->yml ? check_yml(o, argv) : check_lines(o, argv);
}
