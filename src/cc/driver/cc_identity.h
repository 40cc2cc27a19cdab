/* The identity of the compiler that would run now. */
#ifndef CC_DRIVER_CC_IDENTITY_H
#define CC_DRIVER_CC_IDENTITY_H

#include "cc/driver/cc_tools.h"
#include "host/digest.h"

/* A digest of all that a build depends on besides its command line and its
 * files: clang, heddle itself, and the environment.  False: not to be found
 * out. */
bool cc_identity(const struct cc_tools *, struct digest *);

/* Adds which program this clang is; false: not to be found out. */
bool cc_identity_add_clang(struct digest *, const char *clang);

#endif
