/* The linker is run directly, as clang's driver would run it.  If that fails,
 * the driver does it all over again and says what is wrong; it also does it if
 * it cannot be asked, or if the user wants to see what it does.
 */
#include "cc/driver/cc_linker.h"

#include <stdio.h>
#include <stdlib.h>

#include "cc/driver/cc_ask.h"
#include "host/process.h"

void cc_linker_add_file(struct cc_link_command *command, const char *path) {
  word_list_add(&command->words, path);
  word_list_add(&command->files, path);
}

/* Finds the linker and its words; false if the driver must run. */
static bool find_linker(const struct cc_tools *tools,
                        struct cc_link_command *command) {
  word_list_add(&command->question, "-Qunused-arguments");
  word_list_add_all(&command->question, &command->words);
  return !word_list_contains(&command->question, "-v") &&
         cc_ask(tools, &command->question, &command->files, &command->linker);
}

static char **by_driver(const struct cc_tools *tools,
                        struct cc_link_command *command) {
  struct word_list argv = {0};
  word_list_add_each(&argv, tools->clang, "-Qunused-arguments", NULL);
  word_list_add_all(&argv, &command->words);
  return word_list_argv(&argv);
}

static bool run_directly(struct cc_link_command *command) {
  char *messages = NULL;
  struct word_list argv = {0};
  word_list_add_all(&argv, &command->linker);
  if (command->list)
    word_list_add(&argv, text_format("--dependency-file=%s", command->list));
  if (process_run(word_list_argv(&argv), PROCESS_ERRORS, &messages) != 0)
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
  char **argv = find_linker(tools, command) ? word_list_argv(&command->linker)
                                            : by_driver(tools, command);
  return process_run(argv, PROCESS_KEEP, printed) == 0;
}
