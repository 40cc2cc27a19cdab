/* What source_lines.c (places) and variable.c (data) share. */
#ifndef REPORT_DWARF_H
#define REPORT_DWARF_H

#include <elfutils/libdw.h>
#include <elfutils/libdwfl.h>

#include "report/memo.h"
#include "report/source_lines.h"
#include "report/texts.h"
#include "util/vec.h"

/* A part of a variable on the way down to the bytes asked for. */
struct variable_part {
  Dwarf_Die type;
  uint64_t offset;    /* of the bytes asked for, in the part */
  uint64_t size;      /* of the bytes asked for */
  const char *hint;   /* a member's name, where bit fields share bytes */
  bool bits;          /* a bit field: the bytes hold more than it, ... */
  int first_bit;      /* ... it begins at this bit of them ... */
  unsigned bit_count; /* ... and has so many */
  bool shared;        /* several bit fields of `type` share the bytes */
  struct text name;
  bool whole; /* a struct of just that size is meant, not its member */
};

/* What is known of some bytes. */
struct named_bytes {
  const char *name; /* NULL: no variable */
  bool typed;       /* the bytes are one scalar of this type */
  Dwarf_Die type;
  int first_bit; /* of a bit field in them */
  unsigned bit_count;
};

struct source_type {
  Dwarf_Die die;
  const char *name;
};

/* A call in the instrumenter's list. */
struct listed_call {
  unsigned line, column;
  const char *file; /* without its folder */
  struct source_call call;
};

/* A variable with a fixed address. */
struct global {
  uint64_t start;
  uint64_t size;
  const char *name;
  Dwarf_Die type;
};

/* A module whose variables have been looked up. */
struct globals {
  Dwfl_Module *module;
  VEC(struct global) sorted; /* by start */
};

struct source_lines {
  Dwfl *dwfl;
  char *directory;
  char *alias;   /* another name of it, that compilers may know, or NULL */
  bool reported; /* no more modules come */
  struct texts texts;
  struct memo places;    /* return address -> struct source_place */
  struct memo data;      /* address, size -> struct named_bytes */
  struct memo functions; /* address -> a pointer to the name, or to NULL */
  VEC(void *) owned;     /* structs that the tables point to */
  VEC(struct globals) modules;
  VEC(struct source_type) types; /* those with a name, if known */
  bool types_known;
  source_namer namer; /* of addresses that are no variables' */
  void *namer_context;
  VEC(struct listed_call) calls;
  uint64_t runtime; /* the code of heddle's runtime */
  uint64_t runtime_size;
  VEC(struct Dwfl_Module *) own;    /* the program and what it brings with it */
  bool sections_known;              /* and hence the five above */
  const struct source_stack *stack; /* that is being unwound */
  bool attached;                    /* libdwfl knows that there are stacks */
};

/* The module that an address lies in, or NULL. */
Dwfl_Module *source_module_of(struct source_lines *, uint64_t address);

/* Memory that lives as long as the source. */
void *source_keep(struct source_lines *, size_t size);

/* The compilation unit of a return address, or NULL. */
Dwarf_Die *source_unit_of(struct source_lines *, uint64_t pc, Dwarf_Addr *bias);

/* calls.c: asks of the program's own compilation units, until one says yes. */
bool source_each_unit(struct source_lines *,
                      bool (*ask)(struct source_lines *, Dwarf_Die *unit,
                                  void *context),
                      void *context);

/* variable.c: what is known of the bytes at an address. */
const struct named_bytes *source_datum(struct source_lines *, uint64_t address,
                                       uint64_t size);

/* variable.c: the variable, or the part of it, that a pointer to a struct of
 * this size leads to; NULL if there is none. */
const char *source_pointed(struct source_lines *, uint64_t address,
                           uint64_t size);

/* ---- datatype.c ---------------------------------------------------------- */

/* The type of a variable or member, or that which a type is made from. */
bool datatype_of(Dwarf_Die *, Dwarf_Die *type);
/* Takes typedefs and qualifiers off; false if an opaque one is among them. */
bool datatype_plain(Dwarf_Die *type);
/* An attribute that is a number. */
bool datatype_number(Dwarf_Die *, unsigned name, uint64_t *value);
/* Is the member of part->type a bit field in the part's bytes?  Then `field`
 * gets its type and bits. */
bool datatype_bit_field(struct variable_part *, Dwarf_Die *member,
                        struct variable_part *field);
/* Goes down as far as the bytes lie in one part.  True: it is a scalar. */
bool datatype_descend(struct variable_part *);

#endif
