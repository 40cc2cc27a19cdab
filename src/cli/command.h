/* The subcommands.  argv[0] is the subcommand's name; the result is the exit
 * code. */
#ifndef CLI_COMMAND_H
#define CLI_COMMAND_H

int cmd_check(int argc, char **argv);
int cmd_cc(int argc, char **argv);
int cmd_replay(int argc, char **argv);
int cmd_fuzz(int argc, char **argv);
int cmd_judge(int argc, char **argv);

#endif
