/* The instrumenter's one function, which `heddle cc` loads. */
#ifndef CC_INSTRUMENT_INSTRUMENT_H
#define CC_INSTRUMENT_INSTRUMENT_H

#include <stdbool.h>

struct instrument_job {
  const char *input;         /* bitcode or text of LLVM, by clang's front end */
  const char *output;        /* the object */
  bool assembler;            /* or assembler text */
  bool function_sections;    /* -ffunction-sections */
  bool data_sections;        /* -fdata-sections */
  bool position_independent; /* also if the module does not say so */
  bool keep_variables;       /* for debuggers: see variables.c */
  bool clear_dead;           /* for stored states: see dead.c */
};

/* NULL, or what went wrong, on the heap. */
typedef char *instrument_function(const struct instrument_job *);

#define INSTRUMENT_SYMBOL "heddle_instrument"
__attribute__((visibility("default"))) instrument_function heddle_instrument;

#endif
