/* The instrumenter is linked with LLVM, which takes longer to load than
 * everything else: only those who compile pay for it. */
#include "cli/cc_instrument.h"

#include <dlfcn.h>
#include <stdlib.h>

#include "cli/complain.h"

static instrument_function *load(const char *path) {
  void *module = dlopen(path, RTLD_LAZY | RTLD_LOCAL);
  void *symbol = module ? dlsym(module, INSTRUMENT_SYMBOL) : NULL;
  if (!symbol)
    complain("cc: cannot load the instrumenter: %s", dlerror());
  return (instrument_function *)symbol;
}

int cc_instrument(const char *path, const struct instrument_job *job) {
  static instrument_function *function;
  if (!function && !(function = load(path)))
    return 1;
  char *failed = function(job);
  if (!failed)
    return 0;
  complain("cc: %s", failed);
  free(failed);
  return 1;
}
