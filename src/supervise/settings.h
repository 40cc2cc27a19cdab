/* The settings of an exploration by name: core/options.def as a list. */
#ifndef SUPERVISE_SETTINGS_H
#define SUPERVISE_SETTINGS_H

#include "core/wire.h"
#include "host/setting.h"

extern const struct setting_list explore_settings; /* in struct options */

void explore_settings_default(struct options *);

/* False if there is no such setting or the text is none of its values. */
bool explore_settings_set(struct options *, const char *name,
                          const char *value);

/* Calls `print` with the name and value of every setting. */
void explore_settings_each(const struct options *,
                           void (*print)(void *, const char *name,
                                         const char *value),
                           void *);

#endif
