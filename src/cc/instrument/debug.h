/* What debug information says about the source: variables and their types. */
#ifndef CC_INSTRUMENT_DEBUG_H
#define CC_INSTRUMENT_DEBUG_H

#include "map.h"
#include "unit.h"

/* A reference to a type, which becomes a struct type when it is needed. */
typedef LLVMMetadataRef type_reference;

/* Of a struct or union.  The name is "" for an anonymous struct or union in
 * it. */
struct debug_member {
  const char *name;
  uint64_t offset; /* in bits */
  bool bit_field;
  type_reference type;
};

enum type_kind {
  TYPE_SCALAR, /* numbers, enumerations */
  TYPE_POINTER,
  TYPE_ARRAY,
  TYPE_RECORD, /* a struct or union */
};

/* A type without typedefs and qualifiers. */
struct type {
  enum type_kind kind;
  const char *name;  /* a record's tag or a scalar's name, or "" */
  const char *title; /* the same; of a record without a tag its typedef's */
  uint64_t bits;
  type_reference base; /* what a pointer points to; an array's innermost
                          element */
  struct type *row;    /* an element of an array of arrays, or NULL */
  VEC(struct debug_member) members;
};

struct debug_variable {
  const char *name;
  const struct type *type; /* may be NULL */
};

struct debug {
  struct unit *unit;
  struct map variables; /* alloca, parameter or global -> its description */
  struct map types;     /* description -> struct type */
  struct map records;   /* LLVM's type -> description */
  struct map seen;      /* descriptions that were walked through */
};

/* Reads what is there about global variables. */
struct debug *debug_open(struct unit *);
void debug_close(struct debug *);

/* Reads what is there about the function and its variables. */
void debug_add_function(struct debug *, LLVMValueRef function);

/* The variable whose memory the value points to; false if it has none. */
bool debug_variable(struct debug *, LLVMValueRef value,
                    struct debug_variable *);

/* NULL if the type is incomplete or not described. */
const struct type *debug_type(struct debug *, type_reference);
const struct type *debug_element(struct debug *, const struct type *array);
/* The struct or union that LLVM's type stands for, or NULL. */
const struct type *debug_record(struct debug *, LLVMTypeRef);

#endif
