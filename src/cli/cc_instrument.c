/* The instrumenter is linked with LLVM, which takes longer to load than
 * everything else: only those who compile pay for it. */
#include "cli/cc_instrument.h"

#include <dlfcn.h>

#include "cli/words.h"

char *cc_instrument(const char *path, const struct instrument_job *job) {
  static instrument_function *function;
  if (!function) {
    void *module = dlopen(path, RTLD_LAZY | RTLD_LOCAL);
    function =
        module ? (instrument_function *)dlsym(module, INSTRUMENT_SYMBOL) : NULL;
  }
  if (!function)
    return text("cannot load the instrumenter: %s", dlerror());
  return function(job);
}
