/* SV-COMP's error function; many programs define it themselves. */
#define __HEDDLE__ /* the declarations, not the substitutes */
#include "heddle.h"

void reach_error(void);

void reach_error(void) {
  heddle_fail("reach_error() was called");
}
