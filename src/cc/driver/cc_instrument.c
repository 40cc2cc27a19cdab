/* The instrumenter is linked with LLVM, which takes longer to load than
 * everything else: it is loaded only when something is compiled. */
#include "cc/driver/cc_instrument.h"

#include <dlfcn.h>

#include "host/word_list.h"

char *cc_instrument(const char *path, const struct instrument_job *job) {
  static instrument_function *function;
  if (!function) {
    void *module = dlopen(path, RTLD_LAZY | RTLD_LOCAL);
    function =
        module ? (instrument_function *)dlsym(module, INSTRUMENT_SYMBOL) : NULL;
  }
  if (!function)
    return text_format("cannot load the instrumenter: %s", dlerror());
  return function(job);
}
