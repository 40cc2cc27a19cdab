/* The linker is run directly, as clang's driver would run it.  If that fails,
 * the driver does it all over again and says what is wrong; it also does it if
 * it cannot be asked, or if the user wants to see what it does.
 */
#include "cli/cc_linker.h"

#include <stdio.h>
#include <stdlib.h>

#include "cli/cc_ask.h"
#include "cli/process.h"

void cc_linker_add_file(struct cc_link_command *command, const char *path) {
  words_add(&command->words, path);
  words_add(&command->files, path);
}

/* Finds the linker and its words; false if the driver must run. */
static bool find_linker(const struct cc_tools *tools,
                        struct cc_link_command *command) {
  words_add(&command->question, "-Qunused-arguments");
  words_add_all(&command->question, &command->words);
  return !words_contain(&command->question, "-v") &&
         cc_ask(tools, &command->question, &command->files, &command->linker);
}

static char **by_driver(const struct cc_tools *tools,
                        struct cc_link_command *command) {
  struct words argv = {0};
  words_add_list(&argv, tools->clang, "-Qunused-arguments", NULL);
  words_add_all(&argv, &command->words);
  return words_argv(&argv);
}

static bool run_directly(struct cc_link_command *command) {
  char *messages = NULL;
  struct words argv = {0};
  words_add_all(&argv, &command->linker);
  if (command->list)
    words_add(&argv, text("--dependency-file=%s", command->list));
  if (process_run(words_argv(&argv), PROCESS_ERRORS, &messages) != 0)
    return false;
  command->quiet = !*messages;
  fputs(messages, stderr);
  free(messages);
  return true;
}

int cc_linker_run(const struct cc_tools *tools,
                  struct cc_link_command *command) {
  if (find_linker(tools, command) && run_directly(command))
    return 0;
  return process_run(by_driver(tools, command), PROCESS_INHERIT, NULL);
}

bool cc_linker_list(const struct cc_tools *tools,
                    struct cc_link_command *command, char **printed) {
  char **argv = find_linker(tools, command) ? words_argv(&command->linker)
                                            : by_driver(tools, command);
  return process_run(argv, PROCESS_KEEP, printed) == 0;
}
