/* A drop-in clang. */
#include "cc/driver/cc.h"

#include <stdlib.h>

#include "cc/driver/cc_args.h"
#include "cc/driver/cc_cache.h"
#include "cc/driver/cc_compile.h"
#include "cc/driver/cc_link.h"
#include "cc/driver/cc_tools.h"
#include "host/complain.h"
#include "host/process.h"

/* Only the preprocessor or the front end is wanted: clang itself does it, with
 * heddle's macro and header. */
static int run_front_only(const struct cc_arguments *job,
                          const struct cc_tools *tools) {
  struct word_list argv = {0};
  cc_front_options(job, tools, &argv);
  word_list_add_all(&argv, &job->mode);
  word_list_add_all(&argv, &job->depend);
  if (job->output)
    word_list_add_each(&argv, "-o", job->output, NULL);
  for (size_t i = 0; i < job->input_count; i++) {
    const struct cc_input *input = &job->inputs[i];
    if (input->language != CC_OTHER)
      word_list_add_each(&argv, "-x", cc_language_name(input->language), NULL);
    word_list_add(&argv, input->path);
  }
  return process_exec(word_list_argv(&argv));
}

static int pass_on(const struct cc_arguments *job,
                   const struct cc_tools *tools) {
  struct word_list argv = {0};
  word_list_add(&argv, tools->clang);
  word_list_add_all(&argv, &job->all);
  return process_exec(word_list_argv(&argv));
}

/* Where the object or assembler text of an input goes. */
static char *output_of(const struct cc_arguments *job, size_t input,
                       const char *scratch) {
  char *stem = cc_stem(job->inputs[input].path);
  if (job->action == CC_LINK)
    return text_format("%s/%s-%zu.o", scratch, stem, input);
  if (job->output)
    return (char *)job->output;
  return text_format("%s.%c", stem, job->action == CC_OBJECT ? 'o' : 's');
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

int cc_run(int argc, char **argv) {
  struct cc_tools tools;
  struct cc_arguments job = cc_arguments_parse(argc, argv);
  if (job.action == CC_REFUSED || !cc_tools_find(&tools))
    return EXIT_UNCHECKED;
  if (job.action == CC_PASS)
    return pass_on(&job, &tools);
  if (job.action == CC_FRONT)
    return run_front_only(&job, &tools);
  return build(&job, &tools);
}
