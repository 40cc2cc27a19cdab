/* Three stages make an object from C:
 *
 *  1. clang's front end, without any optimisation: every access of the source
 *     is in the result.  Prints all warnings and errors.
 *  2. opt: locals that nobody else can see leave memory (sroa), then a hook is
 *     put before each access that is left (tsan); assembly, which gets none,
 *     is noted (cc_assembly.c).
 *  3. clang's back end: good machine code, but no pass that would merge or move
 *     accesses.
 *
 * Without -tsan-instrument-read-before-write the pass would drop the read hook
 * of `x++`, and lost updates could not be found.
 */
#include "cli/cc_compile.h"

#include <stdio.h>
#include <string.h>

#include "cli/cc_assembly.h"
#include "cli/process.h"

/* 16-byte atomics become hooks only if the processor has them. */
static void add_machine(struct words *argv) {
#ifdef __x86_64__
  words_add(argv, "-mcx16");
#else
  (void)argv;
#endif
}

/* Functions that the author hid from sanitizers must not be hidden from us:
 * the attributes turn into one without effect. */
static void add_attributes(struct words *argv) {
  words_add_list(argv, "-Dno_sanitize(...)=unused",
                 "-D__no_sanitize__(...)=unused", "-Dno_sanitize_thread=unused",
                 "-D__no_sanitize_thread__=unused",
                 "-Ddisable_sanitizer_instrumentation=unused", NULL);
}

void cc_front_options(const struct cc_arguments *job,
                      const struct cc_tools *tools, struct words *argv) {
  words_add_list(argv, tools->clang, "-Qunused-arguments", "-g", NULL);
  words_add_all(argv, &job->front);
  words_add_list(argv, "-O0", "-Xclang", "-disable-O0-optnone",
                 "-fsanitize=thread", "-Xclang", "-disable-llvm-passes",
                 "-D__HEDDLE__=1", "-U_FORTIFY_SOURCE", "-D_FORTIFY_SOURCE=0",
                 "-idirafter", tools->includes, NULL);
  add_attributes(argv);
  add_machine(argv);
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

/* always-inline comes first because some functions exist only inline. */
static int run_instrument(const struct cc_tools *tools, const char *input,
                          const char *output) {
  struct words argv = {0};
  words_add_list(&argv, tools->opt, "-S", "-tsan-instrument-read-before-write",
                 "-passes=always-inline,function(sroa),tsan-module,"
                 "function(tsan)",
                 "-o", output, input, NULL);
  return process_run(words_argv(&argv), PROCESS_INHERIT, NULL);
}

/* Thread-local variables are found through a function of the runtime, and no
 * call of a library function may be replaced by something that is not seen. */
static int run_back(const struct cc_arguments *job,
                    const struct cc_tools *tools, const char *input,
                    const char *output) {
  struct words argv = {0};
  words_add(&argv, tools->clang);
  words_add_all(&argv, &job->back);
  words_add_list(&argv, "-w", "-Qunused-arguments", "-O2", "-fno-sanitize=all",
                 "-Xclang", "-disable-llvm-passes", "-fno-builtin",
                 "-femulated-tls", job->action == CC_ASSEMBLY ? "-S" : "-c",
                 "-o", output, "-x", "ir", input, NULL);
  return process_run(words_argv(&argv), PROCESS_INHERIT, NULL);
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
  char *hooked = text("%s/hooked.ll", scratch);
  int code = run_front(job, tools, input, plain);
  if (code == 0)
    code = run_instrument(tools, plain, hooked);
  if (code == 0)
    code = cc_assembly_note(hooked);
  if (code == 0)
    code = run_back(job, tools, hooked, output);
  return code;
}
