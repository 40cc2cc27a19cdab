/* Two stages make an object from C:
 *
 *  1. clang's front end, without any optimisation: every access of the source
 *     is in the result.  Prints all warnings and errors.
 *  2. The instrumenter (src/cc), in this process: hooks before the accesses,
 *     optimisation, machine code.
 */
#include "cli/cc_compile.h"

#include <stdio.h>
#include <string.h>

#include "cli/cc_instrument.h"
#include "cli/complain.h"
#include "cli/process.h"

void cc_front_options(const struct cc_arguments *job,
                      const struct cc_tools *tools, struct words *argv) {
  words_add_list(argv, tools->clang, "-Qunused-arguments", "-g", NULL);
  words_add_all(argv, &job->front);
  words_add_list(argv, "-O0", "-Xclang", "-disable-O0-optnone",
                 "-fno-discard-value-names", "-Xclang", "-disable-llvm-passes",
                 "-D__HEDDLE__=1", "-U_FORTIFY_SOURCE", "-D_FORTIFY_SOURCE=0",
                 "-idirafter", tools->includes, NULL);
}

char *cc_stem(const char *path) {
  const char *slash = strrchr(path, '/');
  const char *name = slash ? slash + 1 : path;
  const char *dot = strrchr(name, '.');
  return text("%.*s", (int)(dot ? dot - name : (ptrdiff_t)strlen(name)), name);
}

/* The path with another suffix. */
static char *with_suffix(const char *path, const char *suffix) {
  const char *slash = strrchr(path, '/');
  const char *dot = strrchr(slash ? slash : path, '.');
  return text("%.*s%s", (int)(dot ? dot - path : (ptrdiff_t)strlen(path)), path,
              suffix);
}

const char *cc_depend_file(const struct cc_arguments *job,
                           const struct cc_input *input) {
  return job->output ? with_suffix(job->output, ".d")
                     : text("%s.d", cc_stem(input->path));
}

const char *cc_depend_target(const struct cc_arguments *job,
                             const struct cc_input *input) {
  return job->output ? job->output : text("%s.o", cc_stem(input->path));
}

/* Dependency files are named after the final output, which the front end does
 * not know: it writes into the scratch folder. */
static void add_dependencies(const struct cc_arguments *job,
                             const struct cc_input *input, struct words *argv) {
  words_add_all(argv, &job->depend);
  if (!job->depend_wanted)
    return;
  if (!job->depend_file)
    words_add_list(argv, "-MF", cc_depend_file(job, input), NULL);
  if (!job->depend_target)
    words_add_list(argv, "-MQ", cc_depend_target(job, input), NULL);
}

static int run_front(const struct cc_arguments *job,
                     const struct cc_tools *tools, const struct cc_input *input,
                     const char *output) {
  struct words argv = {0};
  cc_front_options(job, tools, &argv);
  add_dependencies(job, input, &argv);
  words_add_list(&argv, "-emit-llvm", "-c", "-o", output, "-x",
                 cc_language_name(input->language), input->path, NULL);
  return process_run(words_argv(&argv), PROCESS_INHERIT, NULL);
}

/* Assembly that is wrong is found only when machine code is made.  clang can
 * say where it stands in the source. */
static int explain(const struct cc_arguments *job, const struct cc_tools *tools,
                   const struct cc_input *input, const char *failed) {
  struct words argv = {0};
  cc_front_options(job, tools, &argv);
  words_add_list(&argv, "-w", "-c", "-o", "/dev/null", "-x",
                 cc_language_name(input->language), input->path, NULL);
  int code = process_run(words_argv(&argv), PROCESS_INHERIT, NULL);
  if (code == 0)
    complain("cc: %s: %s", input->path, failed);
  return code ? code : 1;
}

/* A module of LLVM's need not say so, and clang's default is to be. */
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
      .function_sections = words_contain(&job->back, "-ffunction-sections"),
      .data_sections = words_contain(&job->back, "-fdata-sections"),
      .position_independent = is_independent(job, source),
  };
  char *failed = cc_instrument(tools->instrumenter, &work);
  return failed ? explain(job, tools, source, failed) : 0;
}

static int assemble(const struct cc_arguments *job,
                    const struct cc_tools *tools, const struct cc_input *input,
                    const char *output) {
  struct words argv = {0};
  words_add_list(&argv, tools->clang, "-Qunused-arguments", NULL);
  words_add_all(&argv, &job->front);
  words_add_all(&argv, &job->back);
  words_add_list(&argv, "-D__HEDDLE__=1", "-idirafter", tools->includes, NULL);
  add_dependencies(job, input, &argv);
  words_add_list(&argv, job->action == CC_ASSEMBLY ? "-S" : "-c", "-o", output,
                 "-x", cc_language_name(input->language), input->path, NULL);
  return process_run(words_argv(&argv), PROCESS_INHERIT, NULL);
}

int cc_compile(const struct cc_arguments *job, const struct cc_tools *tools,
               const struct cc_input *input, const char *output,
               const char *scratch) {
  if (input->language == CC_ASSEMBLER || input->language == CC_ASSEMBLER_CPP)
    return assemble(job, tools, input, output);
  char *plain = text("%s/plain.bc", scratch);
  int code = run_front(job, tools, input, plain);
  return code ? code : run_instrumenter(job, tools, input, plain, output);
}
