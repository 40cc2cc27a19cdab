/* Understanding a compiler's command line.
 *
 * Every word of it goes to one or more of three places: the front end, which
 * reads C and prints the warnings; the back end, which makes machine code; and
 * the linker.
 */
#ifndef CC_DRIVER_CC_ARGS_H
#define CC_DRIVER_CC_ARGS_H

#include <stdbool.h>

#include "host/word_list.h"

/* The instrumenter keeps variables for debuggers. */
#define CC_KEEP_VARIABLES "-fheddle-keep-variables"
/* The instrumenter clears what is dead: for --algo stateful. */
#define CC_CLEAR_DEAD "-fheddle-clear-dead"

enum cc_language {
  CC_C,
  CC_PREPROCESSED,
  CC_ASSEMBLER,
  CC_ASSEMBLER_CPP, /* to be preprocessed */
  CC_IR,            /* LLVM's, as bitcode or text */
  CC_HEADER,        /* to be precompiled */
  CC_OTHER,         /* C++ and its like */
  CC_LINKED,        /* objects, archives, libraries, linker scripts */
};

struct cc_input {
  const char *path;
  enum cc_language language;
};

enum cc_action {
  CC_PASS,     /* nothing to instrument: clang's own business */
  CC_FRONT,    /* ends with the front end: -E, -M, -fsyntax-only, ... */
  CC_ASSEMBLY, /* -S */
  CC_OBJECT,   /* -c */
  CC_LINK,
  CC_REFUSED, /* a message was printed */
};

/* A part of the link command, in the user's order. */
struct cc_item {
  const char *word; /* NULL: the object of an input */
  size_t input;
};

struct cc_arguments {
  enum cc_action action;
  struct word_list all; /* with response files expanded */
  struct word_list front;
  struct word_list back;
  struct word_list mode;   /* -E, -M, -emit-llvm and so on, for CC_FRONT */
  struct word_list depend; /* -MD, -MF and so on */
  bool depend_wanted;
  bool depend_file;   /* the user named it */
  bool depend_target; /* the user named one */

  struct cc_input *inputs;
  size_t input_count;
  size_t input_capacity;
  struct cc_item *items;
  size_t item_count;
  size_t item_capacity;
  const char *output;  /* NULL: not said */
  const char *refused; /* an option that heddle cannot obey, or NULL */
  bool no_runtime;     /* -shared, -r: the executable brings it */
  bool relocatable;    /* -r */
};

/* The result belongs to the caller's stack; strings live on. */
struct cc_arguments cc_arguments_parse(int argc, char **argv);

const char *cc_language_name(enum cc_language); /* for -x */

#endif
