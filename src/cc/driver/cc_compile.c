/* Two stages make an object from C:
 *
 *  1. clang's front end, without any optimisation: every access of the source
 *     is in the result.  Prints all warnings and errors.
 *  2. The instrumenter (src/cc/instrument), in this process: hooks before the
 *     accesses, optimisation, machine code.
 */
#include "cc/driver/cc_compile.h"

#include <stdio.h>
#include <string.h>

#include "cc/driver/cc_instrument.h"
#include "host/complain.h"
#include "host/process.h"

void cc_front_options(const struct cc_arguments *job,
                      const struct cc_tools *tools, struct word_list *argv) {
  word_list_add_each(argv, tools->clang, "-Qunused-arguments",
                     "-Wno-unknown-warning-option",
                     "-Wno-ignored-optimization-argument", "-g", NULL);
  word_list_add_all(argv, &job->front);
  word_list_add_each(
      argv, "-O0", "-Xclang", "-disable-O0-optnone", "-fno-discard-value-names",
      "-Xclang", "-disable-llvm-passes", "-D__HEDDLE__=1", "-U_FORTIFY_SOURCE",
      "-D_FORTIFY_SOURCE=0", "-idirafter", tools->includes, NULL);
}

char *cc_stem(const char *path) {
  const char *slash = strrchr(path, '/');
  const char *name = slash ? slash + 1 : path;
  const char *dot = strrchr(name, '.');
  return text_format("%.*s", (int)(dot ? dot - name : (ptrdiff_t)strlen(name)),
                     name);
}

/* The path with another suffix. */
static char *with_suffix(const char *path, const char *suffix) {
  const char *slash = strrchr(path, '/');
  const char *dot = strrchr(slash ? slash : path, '.');
  return text_format("%.*s%s",
                     (int)(dot ? dot - path : (ptrdiff_t)strlen(path)), path,
                     suffix);
}

const char *cc_depend_file(const struct cc_arguments *job,
                           const struct cc_input *input) {
  return job->output ? with_suffix(job->output, ".d")
                     : text_format("%s.d", cc_stem(input->path));
}

const char *cc_depend_target(const struct cc_arguments *job,
                             const struct cc_input *input) {
  return job->output ? job->output : text_format("%s.o", cc_stem(input->path));
}

/* Dependency files are named after the final output, which the front end does
 * not know: it writes into the scratch folder. */
static void add_dependencies(const struct cc_arguments *job,
                             const struct cc_input *input,
                             struct word_list *argv) {
  word_list_add_all(argv, &job->depend);
  if (!job->depend_wanted)
    return;
  if (!job->depend_file)
    word_list_add_each(argv, "-MF", cc_depend_file(job, input), NULL);
  if (!job->depend_target)
    word_list_add_each(argv, "-MQ", cc_depend_target(job, input), NULL);
}

/* Text that gcc has preprocessed has attributes of its headers that clang does
 * not know, or not with these arguments.  It is preprocessed again, with no
 * other macro than this one. */
static void add_source(const struct cc_input *input, struct word_list *argv) {
  const char *language = cc_language_name(input->language);
  if (input->language == CC_PREPROCESSED) {
    word_list_add_each(argv, "-undef", "-D__malloc__(...)=__malloc__",
                       "-Wno-unknown-attributes", NULL);
    language = cc_language_name(CC_C);
  }
  word_list_add_each(argv, "-x", language, input->path, NULL);
}

static int run_front(const struct cc_arguments *job,
                     const struct cc_tools *tools, const struct cc_input *input,
                     const char *output) {
  struct word_list argv = {0};
  cc_front_options(job, tools, &argv);
  add_dependencies(job, input, &argv);
  word_list_add_each(&argv, "-emit-llvm", "-c", "-o", output, NULL);
  add_source(input, &argv);
  return process_run(word_list_argv(&argv), PROCESS_INHERIT, NULL);
}

/* Assembly that is wrong is found only when machine code is made.  clang can
 * say where it stands in the source. */
static int explain(const struct cc_arguments *job, const struct cc_tools *tools,
                   const struct cc_input *input, const char *failed) {
  struct word_list argv = {0};
  cc_front_options(job, tools, &argv);
  word_list_add_each(&argv, "-w", "-c", "-o", "/dev/null", NULL);
  add_source(input, &argv);
  int code = process_run(word_list_argv(&argv), PROCESS_INHERIT, NULL);
  if (code == 0)
    complain("cc: %s: %s", input->path, failed);
  return code ? code : 1;
}

/* A module of LLVM need not say so; clang's default is position independent. */
static bool is_independent(const struct cc_arguments *job,
                           const struct cc_input *input) {
  static const char *const not [] = {"-fno-pic", "-fno-PIC", "-fno-pie",
                                     "-fno-PIE", NULL};
  bool independent = input->language == CC_IR;
  for (size_t i = 0; i < job->back.size; i++)
    independent = independent && !one_of(job->back.at[i], not );
  return independent;
}

static int run_instrumenter(const struct cc_arguments *job,
                            const struct cc_tools *tools,
                            const struct cc_input *source, const char *input,
                            const char *output) {
  struct instrument_job work = {
      .input = input,
      .output = output,
      .assembler = job->action == CC_ASSEMBLY,
      .function_sections =
          word_list_contains(&job->back, "-ffunction-sections"),
      .data_sections = word_list_contains(&job->back, "-fdata-sections"),
      .position_independent = is_independent(job, source),
      .keep_variables = word_list_contains(&job->back, CC_KEEP_VARIABLES),
      .clear_dead = word_list_contains(&job->back, CC_CLEAR_DEAD),
  };
  char *failed = cc_instrument(tools->instrumenter, &work);
  return failed ? explain(job, tools, source, failed) : 0;
}

/* Without our own options. */
static void add_back_options(const struct cc_arguments *job,
                             struct word_list *argv) {
  for (size_t i = 0; i < job->back.size; i++)
    if (strcmp(job->back.at[i], CC_KEEP_VARIABLES) &&
        strcmp(job->back.at[i], CC_CLEAR_DEAD))
      word_list_add(argv, job->back.at[i]);
}

static int assemble(const struct cc_arguments *job,
                    const struct cc_tools *tools, const struct cc_input *input,
                    const char *output) {
  struct word_list argv = {0};
  word_list_add_each(&argv, tools->clang, "-Qunused-arguments", NULL);
  word_list_add_all(&argv, &job->front);
  add_back_options(job, &argv);
  word_list_add_each(&argv, "-D__HEDDLE__=1", "-idirafter", tools->includes,
                     NULL);
  add_dependencies(job, input, &argv);
  word_list_add_each(&argv, job->action == CC_ASSEMBLY ? "-S" : "-c", "-o",
                     output, "-x", cc_language_name(input->language),
                     input->path, NULL);
  return process_run(word_list_argv(&argv), PROCESS_INHERIT, NULL);
}

int cc_compile(const struct cc_arguments *job, const struct cc_tools *tools,
               const struct cc_input *input, const char *output,
               const char *scratch) {
  if (input->language == CC_ASSEMBLER || input->language == CC_ASSEMBLER_CPP)
    return assemble(job, tools, input, output);
  char *plain = text_format("%s/plain.bc", scratch);
  int code = run_front(job, tools, input, plain);
  return code ? code : run_instrumenter(job, tools, input, plain, output);
}
