/* Which compiler it is that would run now. */
#ifndef CLI_CC_IDENTITY_H
#define CLI_CC_IDENTITY_H

#include "cli/cc_tools.h"
#include "cli/digest.h"

/* A digest of all that a build depends on besides its command line and its
 * files: clang, heddle itself, and the environment.  False: not to be found
 * out. */
bool cc_identity(const struct cc_tools *, struct digest *);

/* Adds which program this clang is; false: not to be found out. */
bool cc_identity_add_clang(struct digest *, const char *clang);

#endif
