/* The messages between the supervising command and the exploring process.
 *
 * The command writes a control file (a memory file, or a real one under a
 * debugger): a `struct control`, then the schedule to replay, if any.  Its path
 * is in the environment variable HEDDLE_CONTROL.  The exploring process maps
 * it, keeps the counters in it up to date, looks at `stop`, and sends messages
 * to the descriptor `messages`.  Both are built from one tree; `version` guards
 * against a program linked with another heddle.
 *
 * A program that is run without HEDDLE_CONTROL behaves as if it had been built
 * by an ordinary compiler.
 */
#ifndef CORE_WIRE_H
#define CORE_WIRE_H

#include <signal.h>
#include <stdint.h>

#include "util/lines.h"
#include "util/ranges.h"

#define WIRE_ENV "HEDDLE_CONTROL"
#define WIRE_MAGIC 0x31656c6464656821u /* "!heddle1", little endian */
#define WIRE_VERSION 21

/* Values of --skip (explore/unfolding/unfolding.h).  No tree is as deep as the
 * largest. */
#define SKIP_DEFAULT 4 /* as in the paper */
#define SKIP_MOST 1000000

/* The most processes that share a search: --jobs. */
#define MOST_JOBS 1024

/* Value of --memory-limit: half of the machine's memory. */
#define MEMORY_HALF UINT64_MAX

/* The exit code of an exploring process that gets no more memory. */
#define WIRE_NO_MEMORY 71

struct options {
#define FLAG(field, name, help) uint8_t field;
#define ENUM(field, name, values, initial, help) uint8_t field;
#define NUMBER(field, name, arg, least, initial, help) uint64_t field;
#define BYTE(field, name, arg, initial, help) uint64_t field;
#define SIZE(field, name, arg, least, initial, words, help) uint64_t field;
#define RANGES(field, name, arg, words, help) struct ranges field;
#define LINES(field, name, arg, help) struct lines_text field;
#include "options.def"
#undef FLAG
#undef ENUM
#undef NUMBER
#undef BYTE
#undef SIZE
#undef RANGES
#undef LINES
};

enum { RACES_OFF, RACES_WARN, RACES_ERROR };
enum { INTERFERE_ALL, INTERFERE_LOCKS };
enum { EXIT_STATUS_ZERO, EXIT_STATUS_ANY };
enum { REFUSE_CALLED, REFUSE_MENTIONED };
enum { RETRIES_JOINED, RETRIES_APART };
enum { LOOPS_EXACT, LOOPS_COLLAPSE };
enum { ROLLBACK_UNDO, ROLLBACK_REPLAY };

struct counters {
#define COUNTER(field, name, words) uint64_t field;
#define SOMETIMES COUNTER
#define STATISTIC COUNTER
#include "counters.def"
#undef STATISTIC
#undef SOMETIMES
#undef COUNTER
};

/* The signal to an exploring process whose counters have not changed for a
 * while.  The answer is to count `alive`, or MESSAGE_STUCK if the program has
 * been in the same step since the last signal. */
#define WIRE_ARE_YOU_STUCK SIGXCPU

enum wire_mode {
  WIRE_EXPLORE,
  WIRE_REPLAY,   /* take the given schedule, report every step */
  WIRE_CRITICAL, /* take it, and look for its critical step */
  /* For a finding that is known (`target`), smaller schedules: */
  WIRE_SEEK,    /* explore; send each schedule that is shorter than the last */
  WIRE_REGROUP, /* take the given schedule, then its steps in other orders, and
                   send the one with the fewest preemptions */
};

/* A finding by its kind and place, comparable between runs. */
struct wire_target {
  uint32_t kind; /* enum finding_kind */
  uint32_t line;
  uint64_t pc; /* addresses in their files */
  uint64_t other_pc;
  uint64_t texts; /* hash of file and message: core/target.h */
};

/* One move of a schedule.  In a replay every access is a step.  An access that
 * the search took for local code, as a part of the step before, has the choice
 * MOVE_LOCAL: reports number steps as the search did. */
struct move {
  uint32_t proc;
  uint32_t choice;
};

#define MOVE_LOCAL 0x80000000u

/* The choice of the first move says what the search had learnt from its
 * beginning that makes more of the program a step of its own. */
#define MOVE_SIGNALS 0x40000000u /* a thread's end: signals arrive */
#define MOVE_CANCELS \
  0x20000000u                   /* cancellation points: threads are cancelled */
#define MOVE_STARTS 0x10000000u /* a thread's beginning */
#define MOVE_STREAMS 0x08000000u  /* locks of streams */
#define MOVE_MISSES 0x04000000u   /* timed waits end with their lock: timed.c */
#define MOVE_CLOCK 0x02000000u    /* the time shows: timekeeping.h */
#define MOVE_DEFAULTS 0x01000000u /* threads look at default attributes */
#define MOVE_FLAGS                                                         \
  (MOVE_LOCAL | MOVE_SIGNALS | MOVE_CANCELS | MOVE_STARTS | MOVE_STREAMS | \
   MOVE_MISSES | MOVE_CLOCK | MOVE_DEFAULTS)

struct control {
  uint64_t magic;
  uint32_t version;
  uint32_t mode;     /* enum wire_mode */
  int32_t messages;  /* descriptor for messages, -1: none */
  uint32_t stop;     /* set by the command: end soon, with a summary */
  uint32_t complete; /* set at the end: everything was explored */
  uint32_t depth;    /* of the execution at hand, for the progress line */
  uint32_t alive;    /* counts answers to WIRE_ARE_YOU_STUCK */
  uint32_t paused;   /* it waits until this is 0: see pause_at */
  char algorithm[32];
  struct options options;
  struct counters counters;
  char externals[4096]; /* names of --allow-external, NUL after each */
  uint64_t moves;       /* length of the schedule after this struct ... */
  uint32_t kind;        /* ... and the enum finding_kind that it leads to */
  /* The program may have changed since: behind the moves are as many keys of
   * their events (wire_step.key), and these are followed. */
  uint32_t by_events;
  struct wire_target target; /* with WIRE_SEEK and WIRE_REGROUP */
  uint64_t budget;           /* with WIRE_SEEK and WIRE_EXPLORE: so many steps;
                                0: no limit */
  uint64_t pause_at;         /* with WIRE_EXPLORE: after so many steps it sends
                                MESSAGE_PAUSED and waits; 0: never */
  uint32_t ask_done;         /* set by the command: how much is done? */
  uint32_t checkpoint; /* with WIRE_EXPLORE: checkpoints may be wanted ... */
  uint32_t ask_checkpoint; /* ... and one is now */
  uint32_t left;           /* at the end: something is left to do */
  uint32_t split; /* with CHECKPOINT_UNIT: it is to give away so many units of
                     what it goes on with, and to end; 0: it is to explore */
  uint64_t
      resume;  /* behind the moves and keys: so many bytes of a checkpoint */
  double done; /* the answer, and at the end: see explorer_done() */
  uint64_t examples; /* outcomes that a schedule is wanted of */
};

/* What a search that is written down consists of, besides what was learnt. */
enum wire_entry {
  ENTRY_ITEM,   /* to be done: a part of what the algorithm gives.  If parts
                   go back to what gave them, it begins with a number of 32
                   bits: 0 is what all others come from */
  ENTRY_START,  /* the same: all of it, from the start */
  ENTRY_RESULT, /* what was found */
  ENTRY_FINAL,  /* the same, and it ends the search */
  ENTRY_KINDS
};

/* Values of control.checkpoint. */
enum {
  CHECKPOINT_NONE,
  CHECKPOINT_FILE,
  CHECKPOINT_UNIT, /* the process explores a part of a search, for others: it
                      writes down what it has, at its end, in any case */
};

/* Messages: this header, then `length` bytes. */
struct message {
  uint32_t type;
  uint32_t length;
};

struct wire_outcome {
  uint64_t count;
  uint32_t status; /* that the program ended with */
  uint32_t moves;  /* of an execution with this outcome; 0: not wanted */
};

/* A complete execution, to be compared with the same moves in a new process. */
struct wire_sample {
  uint32_t moves;
  uint32_t unused;
};

enum message_type {
  MESSAGE_MODULE,   /* struct wire_module, path */
  MESSAGE_FINDING,  /* struct wire_finding, file, message, moves */
  MESSAGE_OUTCOME,  /* struct wire_outcome, moves, output */
  MESSAGE_SAMPLE,   /* struct wire_sample, moves, output */
  MESSAGE_REFUSED,  /* text: cannot check, and why; nothing follows */
  MESSAGE_LIMIT,    /* text: a limit that made the search incomplete */
  MESSAGE_STUCK,    /* struct wire_stuck: a step that does not end; the last */
  MESSAGE_THREAD,   /* struct wire_thread (replay) */
  MESSAGE_LOCAL,    /* struct wire_local, its site (replay) */
  MESSAGE_STEP,     /* struct wire_step, accesses, text, site (replay) */
  MESSAGE_OUTPUT,   /* text the program printed in the last step (replay) */
  MESSAGE_STDERR,   /* the same for the standard error stream */
  MESSAGE_CRITICAL, /* uint64_t: 1 + the critical move (WIRE_CRITICAL) */
  MESSAGE_DEPARTED, /* struct wire_departed: the schedule cannot be followed */
  MESSAGE_STAND,    /* struct wire_stand, looked at, stack (end of a replay) */
  MESSAGE_PAUSED,   /* nothing: see control.paused */
  MESSAGE_CHECKPOINT, /* uint32_t: it is the last piece; a piece of it */
  MESSAGE_DONE,       /* nothing: the counters are final */
};

/* A loaded object: code address - bias = address in the file. */
struct wire_module {
  uint64_t bias;
};

struct wire_finding {
  uint32_t kind; /* enum finding_kind */
  uint32_t warning;
  uint32_t proc;
  uint32_t line;
  uint64_t pc;
  uint64_t other_pc;
  uint64_t addr;
  uint32_t size;
  uint32_t file_length;
  uint32_t message_length;
  uint32_t moves;
  uint32_t preemptions; /* of the schedule, with WIRE_REGROUP */
  uint32_t unused;
};

/* Where the program is in a step that does not end. */
struct wire_stuck {
  uint32_t proc;
  uint32_t waits; /* in a call, without using the processor */
  uint64_t pc;
  uint64_t start; /* of the thread: see wire_thread */
};

struct wire_thread {
  uint32_t proc;
  uint32_t parent;
  uint64_t start;  /* address of its start routine, 0 for main */
  uint64_t handle; /* its pthread_t */
};

/* A local variable begins. */
struct wire_local {
  uint64_t addr;
  uint64_t size;
  uint32_t proc;
  uint32_t unused;
};

/* Heap addresses come with the block they lie in. */
struct wire_step {
  uint32_t proc;
  uint16_t op;
  uint8_t failed;    /* compare-and-swap or trylock that did not succeed */
  uint8_t has_value; /* value is valid */
  uint64_t pc;
  uint64_t addr; /* 0: none */
  uint32_t size;
  uint32_t target; /* thread created, joined or woken; choice taken */
  uint64_t value;  /* first 8 bytes at addr after the step ... */
  uint64_t old;    /* ... and before it */
  uint64_t block;  /* start of the heap block that addr lies in, or 0 */
  uint64_t block_size;
  uint64_t block_pc; /* where it was allocated */
  uint64_t pointed;  /* the same for the heap block that the value points to */
  uint64_t pointed_size;
  uint64_t pointed_pc;
  uint32_t stack_of; /* 1 + thread whose stack addr lies in, or 0 */
  uint32_t local;    /* no step of its own in the search */
  uint32_t preempts; /* the thread before could have gone on */
  uint32_t accesses; /* so many structs access follow, the first being that of
                        addr; no more than WIRE_ACCESSES */
  uint32_t text;     /* then so many bytes from addr on: see WIRE_TEXT */
  uint32_t key;      /* of the event: see WIRE_KEY_OP */
  uint32_t unused;
  uint64_t woken; /* threads that a signal has woken, as bits (the first 64) */
};

/* What remains of an event when lines are added to the program: the operation,
 * in the lowest bits of its key, and a digest of the function and of what the
 * source calls the object. */
#define WIRE_KEY_OP 0xffu

/* A schedule that is followed by its events has come to a move that cannot be
 * taken. */
struct wire_departed {
  uint64_t move;  /* from 0 on */
  uint64_t pc;    /* of what its thread would do instead, 0: nothing ... */
  uint32_t op;    /* ... which is this */
  uint32_t waits; /* it cannot be done now */
};

#define WIRE_ACCESSES 64
#define WIRE_TEXT 48 /* of memory that was copied, filled or read at once */

/* Registers of a thread, by their numbers in DWARF. */
#define WIRE_REGISTERS 33
#define WIRE_STACK (256u << 10) /* the most bytes of a stack that are sent */

enum wire_stand_state {
  STAND_RUNS, /* it could go on */
  STAND_WAITS,
  STAND_ENDED,
  STAND_FAILED,
  STAND_STOPPED,
};

/* Where a thread stands at the end. */
struct wire_stand {
  uint32_t proc;
  uint32_t state;  /* enum wire_stand_state */
  uint32_t op;     /* its next operation ... */
  uint32_t target; /* ... the thread that it waits for ... */
  uint32_t holder; /* ... and 1 + the one that holds the object, or 0 */
  uint32_t looks;  /* of a loop that waits: addresses that it looks at */
  uint64_t object; /* that it waits for, 0: none */
  uint64_t pc;     /* of that operation */
  uint64_t known;  /* bits: which of the registers are */
  uint64_t registers[WIRE_REGISTERS];
  uint64_t pc_now; /* where the registers are from */
  uint64_t sp;     /* the stack begins here */
};

/* What `version` of struct control must be: WIRE_VERSION, and a digest of the
 * lists of operations, findings and options. */
uint32_t wire_version(void);

#endif
