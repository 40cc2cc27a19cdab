/* heddle cc: a drop-in clang. */
#include "cli/cc.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cc_args.h"
#include "cli/cc_cache.h"
#include "cli/cc_compile.h"
#include "cli/cc_link.h"
#include "cli/cc_tools.h"
#include "cli/command.h"
#include "cli/complain.h"
#include "cli/process.h"

static void print_help(void) {
  puts("usage: heddle cc [clang options] FILE ...\n\n"
       "Compiles and links as clang does, so that `heddle check` can explore "
       "the\nresult: CC=\"heddle cc\" ./configure && make. Without heddle "
       "check the program\nbehaves as if clang had built it.\n\n"
       "All options of clang work (see `clang --help`), except:\n"
       "  -O, -flto, -fprofile-*, --coverage, -pg, -s   have no effect\n"
       "  -g                                            is always on\n"
       "  -fsanitize=, -static, -m32                    are refused\n\n"
       "The macro __HEDDLE__ is defined, and heddle.h can be included.\n\n"
       "What was compiled or linked before is taken from a cache as long as "
       "nothing\nhas changed.  Its folder can be deleted at any time.\n\n"
       "environment:\n"
       "  HEDDLE_CLANG   the clang to use; default: the first of clang,\n"
       "                 clang-14, clang-15, ... that heddle was built for\n"
       "  HEDDLE_CACHE_DIR\n"
       "                 the cache's folder (default: heddle in XDG_CACHE_HOME "
       "or\n"
       "                 ~/.cache); empty: no cache\n"
       "  HEDDLE_CACHE_SIZE\n"
       "                 what it may hold, as in 2G (default: 500M)\n"
       "  TMPDIR         where intermediate files lie meanwhile");
}

/* Only the preprocessor or the front end is wanted: clang itself can do it,
 * told about us. */
static int run_front_only(const struct cc_arguments *job,
                          const struct cc_tools *tools) {
  struct words argv = {0};
  cc_front_options(job, tools, &argv);
  words_add_all(&argv, &job->mode);
  words_add_all(&argv, &job->depend);
  if (job->output)
    words_add_list(&argv, "-o", job->output, NULL);
  for (size_t i = 0; i < job->input_count; i++) {
    const struct cc_input *input = &job->inputs[i];
    if (input->language != CC_OTHER)
      words_add_list(&argv, "-x", cc_language_name(input->language), NULL);
    words_add(&argv, input->path);
  }
  return process_exec(words_argv(&argv));
}

static int pass_on(const struct cc_arguments *job,
                   const struct cc_tools *tools) {
  struct words argv = {0};
  words_add(&argv, tools->clang);
  words_add_all(&argv, &job->all);
  return process_exec(words_argv(&argv));
}

/* Where the object or assembler text of an input goes. */
static char *output_of(const struct cc_arguments *job, size_t input,
                       const char *scratch) {
  char *stem = cc_stem(job->inputs[input].path);
  if (job->action == CC_LINK)
    return text("%s/%s-%zu.o", scratch, stem, input);
  if (job->output)
    return (char *)job->output;
  return text("%s.%c", stem, job->action == CC_OBJECT ? 'o' : 's');
}

/* As clang, goes on with the other files after an error in one. */
static int compile_all(const struct cc_arguments *job,
                       const struct cc_tools *tools, char **objects,
                       const char *scratch) {
  int code = 0;
  for (size_t i = 0; i < job->input_count; i++) {
    const struct cc_input *input = &job->inputs[i];
    objects[i] = (char *)input->path;
    if (input->language == CC_LINKED)
      continue;
    objects[i] = output_of(job, i, scratch);
    int result = cc_cache_compile(job, tools, input, objects[i], scratch);
    code = code ? code : result;
  }
  return code;
}

static int build(const struct cc_arguments *job, const struct cc_tools *tools) {
  for (size_t i = 0; i < job->input_count; i++)
    if (job->inputs[i].language == CC_OTHER)
      return complain("cc: %s: heddle compiles C only", job->inputs[i].path);
  const char *scratch = scratch_open();
  if (!scratch)
    return EXIT_UNCHECKED;
  char **objects = calloc(job->input_count, sizeof *objects);
  int code = compile_all(job, tools, objects, scratch);
  if (code == 0 && job->action == CC_LINK)
    code = cc_link(job, tools, objects, scratch);
  free(objects);
  scratch_close();
  return code;
}

int cc_build(int argc, char **argv, const char *output) {
  struct cc_tools tools;
  struct cc_arguments job = cc_arguments_parse(argc, argv);
  if (job.action == CC_REFUSED)
    return EXIT_UNCHECKED;
  if (job.action != CC_LINK)
    return complain("cannot check: the compiler options do not lead to a "
                    "program");
  job.output = output;
  return cc_tools_find(&tools) ? build(&job, &tools) : EXIT_UNCHECKED;
}

int cmd_cc(int argc, char **argv) {
  struct cc_tools tools;
  if (argc == 2 && !strcmp(argv[1], "--help")) {
    print_help();
    return fflush(stdout) == 0 ? 0 : EXIT_UNCHECKED;
  }
  struct cc_arguments job = cc_arguments_parse(argc - 1, argv + 1);
  if (job.action == CC_REFUSED || !cc_tools_find(&tools))
    return EXIT_UNCHECKED;
  if (job.action == CC_PASS)
    return pass_on(&job, &tools);
  if (job.action == CC_FRONT)
    return run_front_only(&job, &tools);
  return build(&job, &tools);
}
