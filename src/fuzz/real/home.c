#include "fuzz/real/home.h"

#include <string.h>
#include <unistd.h>

#include "cc/driver/cc_tools.h"
#include "host/word_list.h"

static const struct cc_tools *tools(void) {
  static struct cc_tools found;
  return found.library || cc_tools_find(&found) ? &found : NULL;
}

bool home_found(void) {
  return tools() != NULL;
}

const char *home_includes(void) {
  return tools()->includes;
}

/* Beside the runtime; what users link themselves is one folder above it once
 * it is installed. */
const char *home_library(const char *name) {
  const char *runtime = tools()->library;
  int folder = (int)(strrchr(runtime, '/') - runtime);
  char *beside = text_format("%.*s/lib%s.a", folder, runtime, name);
  char *above = text_format("%.*s/../lib%s.a", folder, runtime, name);
  return access(beside, R_OK) ? above : beside;
}
