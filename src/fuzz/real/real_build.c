/* Building for real: compile to assembly, insert the steps, assemble, link. */
#include <errno.h>
#include <limits.h>
#include <string.h>
#include <unistd.h>

#include "host/complain.h"
#include "fuzz/real/home.h"
#include "fuzz/real/insert.h"
#include "fuzz/real/real_threads.h"

static bool is_source(const char *word) {
  return word[0] != '-' && (ends_with(word, ".c") || ends_with(word, ".i"));
}

static bool is_file(const char *word) {
  return word[0] != '-' && access(word, R_OK) == 0;
}

/* The option takes the next word, which may look like a file. */
static bool takes_next(const char *word) {
  static const char *const names[] = {
      "-include", "-I",       "-D", "-U", "-isystem", "-idirafter",
      "-iquote",  "-imacros", "-L", "-l", NULL};
  return one_of(word, names);
}

/* Options for the compiler, without files and libraries. */
static void add_options(struct word_list *to, const struct word_list *program) {
  for (size_t i = 0; i < program->size; i++) {
    const char *word = program->at[i];
    bool pair = takes_next(word) && i + 1 < program->size;
    if (pair || (!is_file(word) && !starts_with(word, "-l")))
      word_list_add(to, word);
    if (pair)
      word_list_add(to, program->at[++i]);
  }
}

/* __HEDDLE__: heddle.h then declares its functions, and src/real has them. */
static int compile(const struct real_build *build, const char *source,
                   const char *assembly) {
  struct word_list words = {0};
  word_list_add_all(&words, &build->compiler);
  word_list_add_each(&words, "-pthread", "-w", "-D__HEDDLE__=1", "-idirafter",
                     home_includes(), NULL);
  for (const char *const *option = insert_options; *option; option++)
    word_list_add(&words, *option);
  add_options(&words, &build->program);
  word_list_add_each(&words, "-S", source, "-o", assembly, NULL);
  return process_run(word_list_argv(&words), build->messages, NULL);
}

/* *object becomes the file that stands for this source when the program is
 * linked. */
static int prepare(const struct real_build *build, size_t number,
                   const char **object) {
  char *plain = text_format("%s/%zu.plain.s", build->folder, number);
  char *stepped = text_format("%s/%zu.s", build->folder, number);
  *object = stepped;
  int code = compile(build, build->program.at[number], plain);
  if (!code && !insert_steps(plain, stepped))
    code = complain("%s: %s", stepped, strerror(errno));
  return code;
}

/* Our library, with what it replaces. */
static void add_library(struct word_list *link) {
#define TIMED(name, parameters, arguments) \
  word_list_add(link, "-Wl,--wrap=" #name);
#include "real/timed.def"
#undef TIMED
  word_list_add_each(link, "-pthread", "-Wl,-u,heddle_real_mark",
                     home_library("heddle_real"), home_library("heddle_actor"),
                     "-lm", NULL);
}

/* Wide atomic operations need a library that is not always there. */
static int link_program(struct word_list *link, enum process_output messages) {
  if (!process_run(word_list_argv(link), PROCESS_QUIET, NULL))
    return 0;
  word_list_add(link, "-latomic");
  return process_run(word_list_argv(link), messages, NULL);
}

int real_build(const struct real_build *build, const char *binary) {
  const struct word_list *program = &build->program;
  struct word_list link = {0};
  word_list_add_all(&link, &build->compiler);
  for (size_t i = 0; i < program->size; i++) {
    const char *word = program->at[i];
    bool value = i && takes_next(program->at[i - 1]);
    int code = !value && is_source(word) ? prepare(build, i, &word) : 0;
    if (code)
      return code;
    word_list_add(&link, word);
  }
  word_list_add_each(&link, "-o", binary, NULL);
  add_library(&link);
  return link_program(&link, build->messages);
}
