/* The subcommands.  argv[0] is the subcommand's name, NULL follows the last
 * word; the result is the exit code. */
#ifndef CLI_COMMAND_H
#define CLI_COMMAND_H

int cmd_check(char **argv);
int cmd_cc(char **argv);
int cmd_replay(char **argv);
int cmd_resume(char **argv);
int cmd_fuzz(char **argv);
int cmd_judge(char **argv);

#endif
