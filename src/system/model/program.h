/* Small concurrent programs in memory.
 *
 * A program is kept as written: symbols, processes and a tree of statements in
 * flat arrays, linked by index.  The parser and the generator build it, the
 * printer prints it, the shrinker cuts pieces out of it.  program_compile()
 * turns it into flat code for the machine in model.c.
 *
 *     var x = 0, a[3]              shared variables, 64 bits each
 *     data d                       the same, accessed without atomics
 *     mutex m   rwlock w   sem s = 1   cond c
 *     p: x = 1; r = x; lock m; if (r == 1) { fadd(x, 2) } else { unlock m }
 *     q: {                         a process over several lines
 *       b = cas(x, 1, 4)           1 if it succeeded
 *       assert b == 0
 *     }
 *
 * Names that are not declared are locals of their process, and start at 0.
 * Expressions are over locals; a shared variable is read by a statement of its
 * own.  `x.lo` and `x.hi` are the halves of a variable.  The text form is
 * described in full in README.md.
 */
#ifndef MODEL_PROGRAM_H
#define MODEL_PROGRAM_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "util/vec.h"

#define NIL UINT32_MAX

/* ---- the tree -------------------------------------------------------------
 */

enum symbol_kind {
  SYMBOL_VAR,
  SYMBOL_MUTEX,
  SYMBOL_RWLOCK,
  SYMBOL_SEM,
  SYMBOL_COND,
  SYMBOL_DATA, /* a variable whose accesses are not atomic: they can race */
  SYMBOL_KINDS
};

/* Has it a value that can be read and written? */
static inline bool symbol_has_value(enum symbol_kind kind) {
  return kind == SYMBOL_VAR || kind == SYMBOL_DATA;
}

/* keep.  A shared variable, an object, or an array of them. */
struct symbol {
  uint32_t name; /* offset into program.text */
  uint8_t kind;  /* enum symbol_kind */
  bool array;
  uint32_t extent;  /* how many elements; 1 if it is no array */
  uint32_t initial; /* first of `extent` in program.values */
  uint32_t slot;    /* where it lives in the machine's state, from compile */
  uint32_t stride;  /* slots per element, from compile */
};

enum expression_kind {
  EXPRESSION_NUMBER,
  EXPRESSION_LOCAL,
  EXPRESSION_NOT,
  EXPRESSION_NEGATE,
#define BINARY(id, text, level) EXPRESSION_##id,
#include "binary.def"
#undef BINARY
};

/* keep */
struct expression {
  uint8_t kind;  /* enum expression_kind */
  uint32_t a, b; /* operands */
  int64_t value; /* of a number; of a local: its index in its process */
};

enum statement_kind {
  STATEMENT_NOTHING,  /* left behind by the shrinker; not printed */
  STATEMENT_ASSIGN,   /* to = a */
  STATEMENT_ASSERT,   /* assert a */
  STATEMENT_BREAK,    /* break: leaves the innermost STATEMENT_LOOP */
  STATEMENT_IF,       /* if (a) { body } else { otherwise } */
  STATEMENT_REPEAT,   /* repeat count { body } */
  STATEMENT_WHILE,    /* while (a) max count { body } */
  STATEMENT_LOOP,     /* loop { body } */
  STATEMENT_ATOMIC,   /* atomic { body } */
  STATEMENT_READ,     /* to = symbol */
  STATEMENT_WRITE,    /* symbol = a */
  STATEMENT_ADD,      /* to = fadd(symbol, a) */
  STATEMENT_EXCHANGE, /* to = xchg(symbol, a) */
  STATEMENT_CAS,      /* to = cas(symbol, a, b), or with &back */
  STATEMENT_LOCK,     /* lock symbol, wrlock symbol */
  STATEMENT_TRYLOCK,  /* to = trylock symbol, to = trywrlock symbol */
  STATEMENT_RDLOCK,
  STATEMENT_TRYRDLOCK,
  STATEMENT_UNLOCK,
  STATEMENT_SEM_WAIT, /* wait symbol */
  STATEMENT_TRYWAIT,  /* to = trywait symbol */
  STATEMENT_POST,
  STATEMENT_COND_WAIT, /* wait symbol other */
  STATEMENT_SIGNAL,
  STATEMENT_BROADCAST,
  STATEMENT_CREATE, /* create process `symbol` */
  STATEMENT_JOIN,
  STATEMENT_CHOOSE, /* to = choose(count) */
  STATEMENT_AWAIT,  /* await to = symbol while (a) */
  STATEMENT_TASK,   /* the begin of a task; not printed */
  STATEMENTS
};

/* What of a variable an access touches: all of it, its first four bytes
 * (`x.lo`) or its last four (`x.hi`). */
enum part { PART_WHOLE, PART_LOW, PART_HIGH };

/* keep */
struct statement {
  uint8_t kind;    /* enum statement_kind */
  uint8_t part;    /* enum part, of an access to a variable */
  bool relaxed;    /* an access to a variable that orders nothing */
  uint32_t to;     /* local that gets the result, or NIL */
  uint32_t back;   /* of a compare-and-swap: local that is expected, and gets
                      what was found instead; or NIL */
  uint32_t symbol; /* symbol, or process */
  uint32_t index;  /* expression: which element, or NIL */
  uint32_t other;  /* the mutex of a wait on a condition variable */
  uint32_t other_index;
  uint32_t a, b; /* expressions, or NIL */
  uint32_t count;
  uint32_t body; /* first statement inside, or NIL */
  uint32_t otherwise;
  uint32_t next; /* statement after this one, or NIL */
  uint32_t line, column;
};

/* keep: an actor.  Its tasks name it. */
struct actor {
  uint32_t name;
  bool fifo; /* gets the messages of one sender in the order sent */
};

/* keep */
struct process {
  uint32_t name;
  uint32_t body;        /* first statement, or NIL */
  uint32_t task;        /* its STATEMENT_TASK if it is a task, else NIL */
  uint32_t actor;       /* of a task; NIL: one of its own */
  uint32_t first_local; /* its names: program.locals[first_local ...] */
  uint32_t locals;
  bool created; /* by another process; else it exists from the start */
  bool removed; /* by the shrinker */
  uint32_t line;
  uint32_t entry;     /* first instruction, from compile */
  uint32_t registers; /* locals and loop counters, from compile */
};

/* ---- the code -------------------------------------------------------------
 */

enum instruction_code {
  CODE_VISIBLE, /* a scheduling point: the statement says what it does */
  CODE_AWAIT,   /* the same, a spin loop's next look at its variable */
  CODE_BLOCK,   /* begin of an atomic block, also a scheduling point */
  CODE_BLOCK_END,
  CODE_ACCESS, /* an access inside an atomic block */
  CODE_ASSIGN, /* register = expression */
  CODE_SET,    /* register = number */
  CODE_ASSERT,
  CODE_UNLESS, /* jump if the expression is 0 */
  CODE_COUNT,  /* jump if the register is 0, else decrement it */
  CODE_JUMP,
  CODE_END,
};

/* keep */
struct instruction {
  uint8_t code; /* enum instruction_code */
  bool head;    /* a STATEMENT_LOOP begins here */
  bool retries; /* a read; the next step may swap what it reads: see retry.c */
  uint32_t reg; /* register, or NIL */
  uint32_t expression;
  uint32_t target;    /* of a jump; number of CODE_SET */
  uint32_t statement; /* where it comes from; NIL for the end */
  uint64_t live;      /* the registers that matter before it, see live.c */
  uint64_t needed;    /* the same if those left at the end do not */
};

/* ---- all of it ------------------------------------------------------------
 */

/* keep */
struct program {
  VEC(char) text; /* names, NUL after each */
  VEC(int64_t) values;
  VEC(struct symbol) symbols;
  VEC(struct expression) expressions;
  VEC(struct statement) statements;
  VEC(struct process) processes;
  VEC(struct actor) actors;
  VEC(uint32_t) locals; /* names */
  VEC(struct instruction) code;
  uint32_t slots; /* of shared state, from compile */
  uint32_t lines; /* the first slot that is no symbol's: see lines.c */
  bool awaits;    /* a process has an `await`, from compile */
  bool loops;     /* ... a `loop` */
  bool endless;   /* ... and data: no look of a loop waits */
  bool has_data;  /* some variable is data */
  char file[256]; /* where it was read, for reports */
};

void program_clear(struct program *);
void program_free(struct program *);
void program_copy(struct program *to, const struct program *from);

/* Does an await look at a place that a statement writes in parts, or as a part?
 * The model then never holds it.  The native system does as long as no thread
 * has come to such a statement, which may be never. */
bool program_waits_for_parts(const struct program *);

static inline const char *program_name(const struct program *g, uint32_t name) {
  return &g->text.at[name];
}

/* Building blocks for the parser and the generator; each gives an index. */
uint32_t program_add_name(struct program *, const char *, size_t length);
uint32_t program_add_symbol(struct program *, enum symbol_kind, uint32_t name,
                            uint32_t extent, bool array);
uint32_t program_add_number(struct program *, int64_t);
uint32_t program_add_local(struct program *, uint32_t local);
uint32_t program_add_expression(struct program *, enum expression_kind,
                                uint32_t a, uint32_t b);
uint32_t program_add_statement(struct program *, enum statement_kind);
uint32_t program_add_process(struct program *, uint32_t name, uint32_t line);
void program_make_task(struct program *, uint32_t process);
/* The actor of this name, which may be new. */
uint32_t program_actor(struct program *, const char *, size_t length);

/* Makes the code.  False, with a message, if the program breaks a rule that is
 * not in the grammar. */
struct model_error {
  uint32_t line, column;
  char message[160];
};
bool program_compile(struct program *, struct model_error *);

/* live.c, for compile: which registers matter at the heads of loops. */
void live_find(struct program *);

/* retry.c, for compile: which reads a compare-and-swap may follow. */
void retry_find(struct program *);

/* lines.c, for compile: slots for lines of tasks, behind those of symbols.  Is
 * this a task that may have to wait for its turn? */
void lines_place(struct program *);
bool lines_has(const struct program *, uint32_t process);

/* Are there actors that get messages in the order sent? */
static inline bool program_has_lines(const struct program *g) {
  return g->slots != g->lines;
}

/* parse.c: reads and compiles.  The name is for messages and reports. */
bool program_parse(struct program *, const char *name, const char *text,
                   size_t length, struct model_error *);

/* print.c: the text form. */
typedef void (*print_sink)(void *context, const char *text, size_t length);
void program_print(const struct program *, print_sink, void *context);
void program_print_statement(const struct program *, uint32_t process,
                             uint32_t statement, print_sink, void *context);
void program_print_file(const struct program *, FILE *);

#endif
