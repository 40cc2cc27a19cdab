#include "cc/driver/cc_depend.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cc/driver/cc_compile.h"
#include "host/complain.h"
#include "host/file.h"

/* ---- quoting ------------------------------------------------------------ */

/* For make: backslashes count twice only in front of a space. */
static char *quoted(const char *name) {
  char *result = malloc(3 * strlen(name) + 1), *out = result;
  for (const char *in = name; *in; in++) {
    if (*in == ' ' || *in == '\t') {
      for (const char *back = in; back > name && back[-1] == '\\'; back--)
        *out++ = '\\';
      *out++ = '\\';
    } else if (*in == '#') {
      *out++ = '\\';
    } else if (*in == '$') {
      *out++ = '$';
    }
    *out++ = *in;
  }
  *out = 0;
  return result;
}

/* Takes one name; NULL at the end of the rule.  A line can go on in the next
 * one, behind a backslash. */
static char *take_name(const char **at) {
  const char *in = *at;
  while (*in == ' ' || (*in == '\\' && in[1] == '\n'))
    in += *in == ' ' ? 1 : 2;
  if (!*in || *in == '\n')
    return NULL;
  char *name = malloc(strlen(in) + 1), *out = name;
  for (; *in && *in != ' ' && *in != '\n'; in++) {
    if (*in == '\\' && (in[1] == ' ' || in[1] == '#'))
      in++;
    else if (*in == '$' && in[1] == '$')
      in++;
    *out++ = *in;
  }
  *out = 0;
  *at = in;
  return name;
}

bool cc_depend_read(const char *path, struct word_list *files) {
  char *rule = file_read(path, NULL);
  const char *at = rule;
  bool good = rule && starts_with(rule, CC_DEPEND_TARGET ":");
  if (good) {
    at += strlen(CC_DEPEND_TARGET ":");
    for (char *name; (name = take_name(&at));) {
      /* Backslashes in names are not worth the trouble. */
      good &= !strchr(name, '\\');
      word_list_add(files, name);
    }
  }
  free(rule);
  return good && files->size;
}

/* ---- what the user wants ------------------------------------------------ */

/* The argument of an option of three letters. */
static const char *argument(const struct word_list *words, size_t *i) {
  const char *word = words->at[*i];
  return word[3] ? word + 3 : words->at[++*i];
}

struct cc_depend cc_depend_wanted(const struct cc_arguments *job,
                                  const struct cc_input *input) {
  struct cc_depend d = {.wanted = job->depend_wanted};
  for (size_t i = 0; i < job->depend.size; i++) {
    const char *word = job->depend.at[i];
    if (!strcmp(word, "-MMD"))
      d.user_only = true;
    else if (!strcmp(word, "-MP"))
      d.phony = true;
    else if (starts_with(word, "-MF"))
      d.file = argument(&job->depend, &i);
    else if (starts_with(word, "-MT"))
      word_list_add(&d.targets, argument(&job->depend, &i));
    else if (starts_with(word, "-MQ"))
      word_list_add(&d.targets, quoted(argument(&job->depend, &i)));
    else if (strcmp(word, "-MD"))
      d.unusual = true;
  }
  if (!d.file)
    d.file = cc_depend_file(job, input);
  if (!d.targets.size)
    word_list_add(&d.targets, quoted(cc_depend_target(job, input)));
  d.source = input->path;
  while (starts_with(d.source, "./"))
    d.source += 2;
  d.unusual |= !strcmp(d.file, "-");
  return d;
}

/* ---- writing ------------------------------------------------------------ */

enum { COLUMNS = 75 };

static size_t write_targets(FILE *to, const struct word_list *targets) {
  size_t column = 0;
  for (size_t i = 0; i < targets->size; i++) {
    size_t length = strlen(targets->at[i]);
    bool fits = column + length + 2 <= COLUMNS;
    fputs(!column ? "" : fits ? " " : " \\\n  ", to);
    column = !column ? length : fits ? column + length + 1 : length + 2;
    fputs(targets->at[i], to);
  }
  fputc(':', to);
  return column + 1;
}

static void write_rule(FILE *to, const struct cc_depend *d,
                       const struct word_list *files) {
  size_t column = write_targets(to, &d->targets);
  for (size_t i = 0; i < files->size; i++) {
    size_t length = strlen(files->at[i]);
    if (column + length + 3 > COLUMNS) {
      fputs(" \\\n ", to);
      column = 2;
    }
    fprintf(to, " %s", quoted(files->at[i]));
    column += length + 1;
  }
  fputc('\n', to);
  for (size_t i = 0; d->phony && i < files->size; i++)
    if (strcmp(files->at[i], d->source))
      fprintf(to, "%s:\n", quoted(files->at[i]));
}

bool cc_depend_write(const struct cc_depend *d, const struct word_list *files) {
  FILE *to = fopen(d->file, "we");
  if (to) {
    write_rule(to, d, files);
    bool failed = ferror(to);
    if (fclose(to) == 0 && !failed)
      return true;
  }
  complain("cc: cannot write %s: %s", d->file, strerror(errno));
  return false;
}
