/* What the source calls an object. */
#ifndef CC_INSTRUMENT_SOURCE_NAMES_H
#define CC_INSTRUMENT_SOURCE_NAMES_H

#include "debug.h"

enum { NAME_MOST = 96 }; /* bytes, with the NUL */

/* What is known of an object; "" stands for nothing. */
struct object_name {
  char text[NAME_MOST]; /* the source's expression for it */
  /* If the expression goes through a pointer: the type that the pointer points
   * to, of which the object is a part or the whole. */
  char type[NAME_MOST];
};

/* The object that the pointer leads to.  The access has the type, or, if that
 * is NULL, `size` bytes; 0: not known. */
void name_object(struct debug *, LLVMValueRef pointer, LLVMTypeRef type,
                 uint64_t size, struct object_name *);

/* The type of what the result of a call, a pointer, is taken to point to: that
 * of the variable which it is put into.  "" if it is not known. */
void name_result(struct debug *, LLVMValueRef call, char type[NAME_MOST]);

#endif
