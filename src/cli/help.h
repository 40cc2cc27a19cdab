/* Tables in help texts. */
#ifndef CLI_HELP_H
#define CLI_HELP_H

#include <stdio.h>

#include "host/setting.h"

/* One line for each option: how it is written, what it does, its default. */
void help_options(FILE *, const struct setting_list *);

/* A name and what it stands for. */
void help_name(FILE *, const char *name, const char *help);

#endif
