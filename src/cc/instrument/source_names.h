/* What the source calls an object. */
#ifndef CC_INSTRUMENT_SOURCE_NAMES_H
#define CC_INSTRUMENT_SOURCE_NAMES_H

#include "debug.h"

enum { NAME_MOST = 96 }; /* bytes, with the NUL */

/* Writes the name of the object that the pointer leads to, "" if it has none.
 * The access has the type, or, if that is NULL, `size` bytes; 0: not known. */
void name_object(struct debug *, LLVMValueRef pointer, LLVMTypeRef type,
                 uint64_t size, char name[NAME_MOST]);

#endif
