#include "supervise/settings.h"

#include <string.h>

#define SETTINGS_OF struct options

static const struct setting rows[] = {
#include "host/setting_rows.h"
#include "core/options.def"
};

const struct setting_list explore_settings = {rows, sizeof rows / sizeof *rows};

void explore_settings_default(struct options *options) {
  memset(options, 0, sizeof *options);
  settings_default(&explore_settings, options);
}

bool explore_settings_set(struct options *options, const char *name,
                          const char *value) {
  const struct setting *s = setting_named(&explore_settings, name);
  return s && setting_set(s, options, value);
}

void explore_settings_each(const struct options *options,
                           void (*print)(void *, const char *name,
                                         const char *value),
                           void *context) {
  for (size_t i = 0; i < explore_settings.count; i++) {
    char text[SETTING_TEXT_SIZE];
    setting_print(&rows[i], options, text);
    if (*text)
      print(context, rows[i].name, text);
  }
}
