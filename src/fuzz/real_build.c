/* Building for real: compile to assembly, insert the steps, assemble, link. */
#include <errno.h>
#include <limits.h>
#include <string.h>
#include <unistd.h>

#include "cli/complain.h"
#include "cli/process.h"
#include "fuzz/home.h"
#include "fuzz/insert.h"
#include "fuzz/real.h"

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
static void add_options(struct words *to, const struct words *build) {
  for (size_t i = 0; i < build->size; i++) {
    bool pair = takes_next(build->at[i]) && i + 1 < build->size;
    if (pair || (!is_file(build->at[i]) && !starts_with(build->at[i], "-l")))
      words_add(to, build->at[i]);
    if (pair)
      words_add(to, build->at[++i]);
  }
}

/* __HEDDLE__: heddle.h then declares its functions, and src/real has them. */
static int compile(const struct words *compiler, const struct words *build,
                   const char *source, const char *assembly, int messages) {
  struct words words = {0};
  words_add_all(&words, compiler);
  words_add_list(&words, "-pthread", "-w", "-D__HEDDLE__=1", "-idirafter",
                 home_includes(), NULL);
  for (const char *const *option = insert_options; *option; option++)
    words_add(&words, *option);
  add_options(&words, build);
  words_add_list(&words, "-S", source, "-o", assembly, NULL);
  return process_run(words_argv(&words), (enum process_output)messages, NULL);
}

/* The file that stands for this source when the program is linked. */
static const char *prepare(const struct words *compiler,
                           const struct words *build, const char *source,
                           const char *folder, size_t number, int messages,
                           int *code) {
  char *plain = text("%s/%zu.plain.s", folder, number);
  char *stepped = text("%s/%zu.s", folder, number);
  *code = compile(compiler, build, source, plain, messages);
  if (!*code && !insert_steps(plain, stepped))
    *code = complain("%s: %s", stepped, strerror(errno));
  return stepped;
}

/* Our library, with what it replaces. */
static void add_library(struct words *link) {
#define TIMED(name, parameters, arguments) words_add(link, "-Wl,--wrap=" #name);
#include "real/timed.def"
#undef TIMED
  words_add_list(link, "-pthread", "-Wl,-u,heddle_real_mark",
                 home_library("heddle_real"), home_library("heddle_actor"),
                 "-lm", NULL);
}

int real_build(const struct words *compiler, const struct words *build,
               const char *folder, const char *binary, int messages) {
  struct words link = {0};
  words_add_all(&link, compiler);
  for (size_t i = 0; i < build->size; i++) {
    const char *word = build->at[i];
    int code = 0;
    if (is_source(word) && !(i && takes_next(build->at[i - 1])))
      word = prepare(compiler, build, word, folder, i, messages, &code);
    if (code)
      return code;
    words_add(&link, word);
  }
  words_add_list(&link, "-o", binary, NULL);
  add_library(&link);
  return process_run(words_argv(&link), (enum process_output)messages, NULL);
}
