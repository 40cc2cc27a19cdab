/* Inside the engine: steps, their records, and how they are taken back.
 *
 * Shared by engine.c, undo.c, spin.c, rollback.c, native.c, native_start.c,
 * crash.c and the hooks.  Wrappers need only native.h.
 *
 * Invariants:
 * E1  engine.steps.at[i] describes step i; everything that step i changed is in
 *     its part of the undo log, in its stack snapshot or in `saved`.
 * E2  a thread that does not run is paused in heddle_switch, has ended, or was
 *     never launched.
 * E3  the explorer runs (self == NULL) or exactly one thread does.
 */
#ifndef SYSTEM_NATIVE_ENGINE_ENGINE_H
#define SYSTEM_NATIVE_ENGINE_ENGINE_H

#include <signal.h>

#include "core/wire.h"
#include "control.h"
#include "native_replay.h"
#include "native.h"
#include "util/ensure.h"
#include "util/vec.h"

#define likely(condition) __builtin_expect(!!(condition), 1)
#define unlikely(condition) __builtin_expect(!!(condition), 0)

/* Thread t's slot: room for its stack, of which as much is mapped as it asked
 * for, and its struct thread; in the upper half the shadow of a large stack. */
#ifndef STACK_AREA /* the sanitizers use that place themselves */
#define STACK_AREA 0x0c0000000000u
#endif
#define STACK_SLOT ((uint64_t)1 << 30)
#define SHADOW_OFFSET (STACK_SLOT / 2)
#define STACK_SIZE ((uint64_t)8 << 20) /* unless a thread asks for more */
#define STACK_MOST ((uint64_t)256 << 20)
#define STACK_GUARD ((uint64_t)64 << 10)

enum mode {
  MODE_BEFORE, /* constructors run, on the initial stack */
  MODE_PLAIN,  /* a plain run: real threads, nothing is recorded */
  MODE_EXPLORE,
};

/* The fields of struct thread from sp to changed. */
#define SAVED_SIZE 80
_Static_assert(offsetof(struct thread, sp) == 0 &&
                   offsetof(struct thread, changed) + sizeof(uint32_t) <=
                       SAVED_SIZE &&
                   sizeof(struct thread) >= SAVED_SIZE,
               "a record saves the first fields of a thread");

/* keep: one step. */
struct record {
  uint64_t saved[SAVED_SIZE / 8]; /* the thread's first fields before it */
  uint64_t pc;
  hook_site site; /* for reports; NULL: none */
  uint64_t link;  /* where the step writes a link: retry.c */
  size_t bytes;   /* where its stack snapshot begins in engine.bytes */
  size_t entries; /* where its part of engine.log begins */
  uint32_t thread;
  uint32_t stack; /* bytes of the stack saved there */
  uint32_t first; /* its first access in engine.accesses */
  uint32_t accesses;
  uint32_t previous; /* 1 + the thread's previous step, or 0 */
  uint32_t cause;
  uint32_t signal;
  uint32_t choice;
  uint32_t choices;
  uint32_t target;
  uint32_t round;    /* of an await: the number of steps in its round */
  uint32_t children; /* created by its thread up to here, this step included */
  uint16_t op;
  uint8_t flags;
  uint8_t order;
  uint8_t wants;
  uint8_t offers;
  uint8_t failed;   /* a conditional step that only read */
  uint8_t quiet;    /* it only read, or wrote the old values */
  uint8_t local;    /* not quiet, but it changed only its own stack */
  uint8_t large;    /* the stack was saved by lines */
  uint8_t passing;  /* it locks or unlocks, and its round may yet be in vain */
  uint8_t gone;     /* it ended its thread, since the process has ended */
  uint8_t reads_on; /* it read on in a file: see loop_bound.c */
  uint8_t adds;     /* enum adds */
  uint32_t hidden;  /* accesses that were no steps of their own */
  uint32_t more;    /* further causes, in engine.causes ... */
  size_t causes;    /* ... from here on */
  size_t data;      /* where its part of engine.data begins */
  size_t rounds;    /* and of engine.rounds ... */
  size_t loops;     /* ... and of engine.loops */
};

/* What a compare-and-swap expects lies behind its stack snapshot. */
#define RECORD_EXPECTED(r) (&engine.bytes.at[(r)->bytes + (r)->stack])

/* keep: old bytes.  Up to 8 lie in the entry itself; otherwise `old` says where
 * in engine.bytes, behind their number, they are. */
struct entry {
  uint64_t place; /* address, and the size or ENTRY_LARGE above it */
  uint64_t old;
};
#define ENTRY_SHIFT 48 /* user addresses have at most 48 bits */
#define ENTRY_LARGE 0xffff
#define ENTRY_ADDRESS(e) ((char *)((e).place & ((1ull << ENTRY_SHIFT) - 1)))
#define ENTRY_SIZE(e) ((size_t)((e).place >> ENTRY_SHIFT))

/* keep: a round of a loop. */
struct round {
  uint64_t pc;       /* of the loop's head ... */
  const char *frame; /* ... in this call of its function */
  uint32_t older;    /* 1 + the round before, or 0 */
  uint32_t step;     /* thread.last_step when it began, ... */
  uint32_t section;  /* ... and polling_innermost, ... */
  size_t entries;    /* ... and the size of engine.log */
  uint32_t values;   /* how many the thread brings from the round before */
  bool enters;       /* it is the loop's first */
  bool counts;       /* HOOK_COUNTS */
  uint64_t value[HOOK_MOST_VALUES];
};

/* keep: a loop that a thread is in, or has left. */
struct counted_loop {
  uint64_t pc;       /* of its head ... */
  const char *frame; /* ... in this call of its function */
  uint32_t older;    /* 1 + the loop around it, or 0 */
  uint32_t step;     /* thread.last_step when its head was last passed */
  uint32_t idle;     /* rounds since that step, without another one */
  uint64_t count;    /* of rounds: see loop_bound.c */
  uint64_t time;     /* if states are stored: the thread's time ... */
  uint32_t slots;    /* ... and blocks that it had allocated at that step */
};

/* keep: a place that loops look at. */
struct looked {
  uint64_t addr;
  uint32_t size;
  bool in_parts; /* it is also written in part, or together with others */
  /* Which values threads have written: see two_values.c. */
  uint8_t values;    /* how many */
  bool relied_on;    /* that it has only the values of `pair` */
  uint64_t value[2]; /* as many, if they are not more */
  uint64_t pair[2];
};

/* keep: what was last found out about the pending operation of a thread. */
struct known_look {
  enum look look; /* LOOK_UNKNOWN: nothing, or it holds no longer */
  enum op joint;  /* of its step with the operation behind it (retry.c), or
                     OP_NONE */
  uint32_t depth; /* steps there were */
  bool listed;    /* in engine.lookers */
  uint32_t accesses;
  struct access access[MOST_LOOKED];
};

/* keep */
struct engine {
  enum mode mode;
  void *sp;         /* of the explorer, while a thread runs */
  uint64_t pc;      /* of the operation being performed */
  uint64_t entries; /* how often a thread was switched to */
  VEC(struct record) steps;
  VEC(struct entry) log;
  VEC(char) bytes;
  VEC(struct access) accesses;
  VEC(uint32_t) causes;      /* of joins that are part of another one's step */
  VEC(struct datum) data;    /* what local code touched: see sharing.c */
  VEC(struct datum) touched; /* the same, all of it, if watched */
  VEC(struct round) rounds;
  VEC(struct counted_loop) loops;
  VEC(struct looked) looked;
  VEC(uint32_t) lookers;         /* threads of which there is a known look */
  VEC(struct thread *) spinners; /* threads that ever waited in a loop */
  bool has_finding;              /* of the step at hand, or of the end */
  bool refused;
  bool comparing; /* steps are run for changes() */
  bool stores;    /* states are stored: see stored.c */
  bool finest;    /* no memory is taken for private */
  bool hiding;    /* some plain accesses are no steps: those to private memory,
                      unless `finest`, or all */
  bool apart;     /* accesses to data are no steps */
  bool in_data;   /* the operation being performed is such an access */
  bool all_ends;  /* the end of every local variable is a step */
  bool unordered; /* the algorithm leaves blind writes without an order */
  bool updates;   /* ... updates of one kind */
  bool parts;     /* it runs parts of executions: see struct granularity */
  bool stale;     /* shared memory was taken for private, a write for blind or
                      operations for unordered that are not */
  bool frozen;    /* other processes rely on what was learnt: if it grows such
                     that schedules mean something else, the system is stale */
  bool holding;   /* a read that would end a round in vain is not enabled */
  bool joins;     /* a read and the compare-and-swap behind it may be one step
                      (retry.c) ... */
  bool joining;   /* ... and are in the step at hand */
  bool writes_decide; /* whether a look passes: see struct granularity */
  bool misses;        /* signals may miss threads in timed waits: timed.c */
  bool exposed;       /* nothing may be written between the two */
  bool gathers;    /* joins that follow each other are one step: join_chain.c */
  uint32_t joined; /* the thread that the step at hand has joined last, or 0 */
  uint32_t to_join; /* and the thread that it must join next, or 0 */
  bool unsettled;   /* the step at hand updates a place; whether it changes the
                      place is not known yet */
  bool waits; /* a thread has waited in a loop: every step may concern it */
  bool came_round; /* the step that is tried is such a read */
  uint32_t
      came_since; /* thread.last_step when the round began that it repeats */
  const char *came_frame;  /* of that round's loop */
  uint64_t came_counting;  /* its head, if it counts, or 0 */
  struct thread *trying;   /* the thread whose next step is tried, or NULL */
  struct arrival *arrival; /* where it is to stop, or NULL: see retry.h */
  bool following;   /* a schedule is replayed: loops do not become awaits */
  bool watched;     /* --verify: see verify.h */
  bool disturbed;   /* the next step runs with other bytes: see disturb.c */
  bool used_own;    /* the step at hand used variables that only its thread can
                       know: own.c */
  uint32_t hidden;  /* hidden accesses in the step at hand */
  uint32_t changes; /* how often its local code wrote, or learnt what cannot be
                       seen */
  unsigned thread_count;
  struct thread *threads[NATIVE_THREADS];
  bool has_shadow[NATIVE_THREADS];
  uint32_t hidden_first[NATIVE_THREADS]; /* hidden accesses before a thread's
                                            first step */
  size_t born[NATIVE_THREADS]; /* 1 + the position of the step that created the
                                  thread: its part of the log begins there */
  struct known_look looks[NATIVE_THREADS];
  struct finding finding;
  char file[512];
  char message[16384];
  struct control *control; /* NULL in a plain run */
};
extern struct engine engine;

/* switch_*.S */
void heddle_switch(void **save_sp, void *load_sp);
void heddle_clear_registers(void);
void *heddle_prepare(char *stack_base, void (*entry)(void *), void *argument);

/* ---- engine.c ------------------------------------------------------------ */

void visible_slow(struct operation *);

/* The fast path of visible(): to the explorer and back. */
static inline __attribute__((always_inline)) void
announce(struct operation *op) {
  struct thread *t = self;
  if (likely(engine.mode == MODE_EXPLORE) && likely(!t->atomic_depth)) {
    t->pending = op;
    heddle_switch(&t->sp, engine.sp);
  } else {
    visible_slow(op);
  }
}

enum step_result engine_step(struct thread *, unsigned choice,
                             struct step *out);

static inline bool engine_enabled(const struct thread *t) {
  const struct operation *op = t->pending;
  if (t->state != THREAD_RUNNING || !op)
    return false;
  if (unlikely(t->spin.waiting) && !t->spin.awake)
    return false;
  return !op->ready || op->ready(op);
}

/* The step at hand does another operation as well, which this step (1 +
 * position) has made possible. */
static inline void step_also_caused_by(uint32_t step) {
  VEC_PUSH(engine.causes, step);
  VEC_TOP(engine.steps).more++;
  engine.hidden++;
}

/* The thread whose struct is at this address, or NULL. */
static inline struct thread *thread_at(uint64_t addr) {
  uint64_t slot = (addr - STACK_AREA) / STACK_SLOT;
  struct thread *t = slot < engine.thread_count ? engine.threads[slot] : NULL;
  return (uintptr_t)t == addr ? t : NULL;
}

/* Has it ended, or is it main and only waits for the others? */
static inline bool thread_can_be_joined(const struct thread *t) {
  return t->state == THREAD_ENDED || t->outlives;
}

void engine_describe(const struct record *, struct step *out);

/* left_out.c: the texts of left_out(); NULL: no more.  The search begins
 * anew. */
const char *left_out_text(unsigned i);
void left_out_forget(void);

void finding_set(enum finding_kind, uint64_t pc, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* modules.c: is it an address of the program itself, not of libraries or the
 * runtime? */
bool module_is_program(uint64_t pc);

/* Where the program made the call: syscall() calls functions of the runtime. */
static inline uint64_t engine_place(const struct thread *t, uint64_t pc) {
  bool inner = unlikely(t->forwarded) && !module_is_program(pc);
  return inner ? t->forwarded : pc;
}
static inline uint64_t engine_pending_place(const struct thread *t) {
  return engine_place(t, t->pending->pc);
}

/* ---- coroutine.c --------------------------------------------------------- */

/* Main's first operation is OP_START.  Its code before the first visible
 * operation can fail, and a failure needs a step. */
void coroutine_start_main(void (*entry)(struct thread *), uint64_t pc);

/* The thread whose stack, or the guard below it, this address lies in. */
struct thread *coroutine_of(uint64_t addr);

/* ---- footprint.c --------------------------------------------------------- */

/* Adds the accesses of an operation in an atomic block to the step at hand. */
void footprint_collect(const struct operation *);
bool accesses_overlap(const struct access *, const struct access *);

/* ---- stack.c ------------------------------------------------------------- */

void stack_save(struct thread *, struct record *);
/* Before a step, if states are compared: clears bytes below the stack pointer,
 * which other executions left there.  New frames have holes in which they would
 * show.  Clears more if whole stacks are compared (disturb.c). */
void stack_wipe(struct thread *);
/* For hooks whose frames differ from round to round of a loop: clears what the
 * caller's callees have left below it.  Frames of later hooks have holes that
 * show it, and spin.c compares stacks. */
void stack_leave_nothing(void);
/* Takes the record's step back.  `live`: restores the stack itself, not only
 * its shadow. */
void stack_restore(const struct record *, bool live);
/* Is the stack what it was when this step (1 + position) of the thread began?
 */
bool stack_is_as_at(const struct thread *, uint32_t step);
/* Large stacks are saved and compared by lines of so many bytes. */
#define STACK_LINE 64
/* This line as it was when that step of the thread began; NULL if it was not
 * saved: it was not in use.  Its bytes below the stack pointer of that time are
 * dead. */
const char *stack_line_at(const struct thread *, uint32_t step,
                          const char *line);

/* ---- undo.c -------------------------------------------------------------- */

void undo_to(size_t depth);

/* undo_note for up to 8 bytes, whose number the compiler knows. */
static inline __attribute__((always_inline)) void undo_note_word(void *addr,
                                                                 size_t size) {
  uint64_t old = 0;
  __builtin_memcpy(&old, addr, size);
  VEC_PUSH(engine.log,
           (struct entry){
               (uint64_t)(uintptr_t)addr | (uint64_t)size << ENTRY_SHIFT, old});
}

/* The old bytes of an entry and their number. */
const char *undo_old_bytes(const struct entry *, size_t *size);

/* Marks the silent writes of the last step, which wrote the old values, and the
 * step itself if it is quiet or local.  True if it is one of these. */
bool undo_mark_silent(struct record *);
/* Are the bytes as they were before the last step, and noted in it? */
bool undo_unchanged(const struct record *, uint64_t addr, size_t size);
/* Is this noted, but no memory that the program uses? */
bool undo_is_beside(const struct thread *, const void *);
/* A round with more writes does work, and does not wait. */
enum { MOST_OWN_WRITES = 32 };
/* The bytes at addr as they were before step `depth`. */
void undo_bytes_before(size_t depth, uint64_t addr, unsigned char *to,
                       size_t size);

/* ---- spin.c -------------------------------------------------------------- */

/* Before a step of t, whose record is the last one. */
static inline void spin_begin(struct thread *t) {
  struct spin *s = &t->spin;
  s->waiting = s->awake = 0;
  if (!s->anchor) {
    s->anchor = (uint32_t)engine.steps.size;
    s->count = 0;
  }
}

/* After it, if it changed nothing: is t going round in a loop? */
void spin_look(struct thread *t);

static inline void spin_end(struct thread *t, bool idle) {
  if (idle && t->pending) {
    spin_look(t);
  } else {
    t->spin.anchor = 0;
    t->spin.power = 1;
  }
}

/* The last step wrote: wakes the threads that wait for it. */
void spin_wake(const struct record *);
/* Would what other threads did since this step (1 + position) wake it? */
bool spin_woken_since(const struct spin *, uint32_t step);

/* What becomes of a thread if it goes on and no other does? */
enum spin_fate {
  SPIN_ENDS,     /* it leaves its loop, changes something, or is in none */
  SPIN_FOR_EVER, /* it comes back to where it was and has changed nothing */
  SPIN_UNKNOWN,  /* it changes nothing in as many steps as are tried */
};

/* Lets it go on for a while, and takes that back. */
enum spin_fate spin_try(struct thread *);
/* The same; if it goes round for ever, it waits from now on. */
enum spin_fate spin_settle(struct thread *);

/* ---- deadlock.c ---------------------------------------------------------- */

/* set[i]: does thread i wait for ever, whatever others do that can go on?
 * `moving`: see system_ops.stuck. */
void deadlock_find(bool *set, uint64_t moving);

/* ---- blind.c ------------------------------------------------------------- */

/* t begins to wait: its silent writes since its last change are not blind. */
void blind_learn(const struct thread *t);
/* No write to these bytes is blind: is that so, and from now on it is. */
bool blind_never(const struct access *);
void blind_never_again(const struct access *);
/* A swap of a loop that reads and swaps has failed. */
void blind_swap_failed(const struct access *);
/* Takes the mark ACCESS_BLIND from writes that are not blind. */
void blind_correct(struct access *, uint32_t count);
/* The accesses of the thread's pending operation, corrected in that way. */
const struct access *blind_corrected(const struct thread *);

/* ---- locals.c ------------------------------------------------------------ */

/* The step may have touched other threads' stacks. */
void locals_look(const struct record *);
/* Local code of this thread has touched some thread's stack. */
void locals_look_at(uint32_t thread, const struct access *);
/* The last step, whose record this is, may have written on other threads'
 * stacks, and not only in its footprint. */
void locals_look_at_writes(const struct record *);
/* May another thread have written on t's stack in this step or a later one? */
bool locals_may_be_written(const struct thread *t, uint32_t step);
/* Has no other thread ever touched the bytes of t's stack that t wrote since
 * this step (1 + position)?  Then they count as private from now on. */
bool locals_claim(const struct thread *, uint32_t step);
/* A variable in these bytes of t's stack ends.  Has another thread ever touched
 * them? */
bool locals_end(const struct thread *t, uint64_t addr, uint64_t size);

static inline bool in_stacks(uint64_t addr) {
  return addr - STACK_AREA < NATIVE_THREADS * STACK_SLOT;
}
static inline bool on_stack_of(const struct thread *t, uint64_t addr) {
  return addr - (uintptr_t)t->stack_low <
         (uint64_t)(t->stack_base - t->stack_low);
}

/* ---- ends.c -------------------------------------------------------------- */

/* Fails the running thread if the bytes are those of another thread's variable
 * that has ended, or of its own stack below its lowest frame (NULL: not known).
 */
void ends_check(uint64_t addr, size_t size, bool write, const void *lowest,
                uint64_t pc);
/* All frames of the running thread end, this one being the lowest. */
void ends_frames(void *lowest);
/* Its frames from the lowest one up to this place end: it jumps there. */
void ends_frames_below(void *lowest, const char *place, uint64_t pc);
/* Is the end of a variable a step of its own?  `lent`: other threads use the
 * variable. */
bool end_is_step(bool lent);
void announce_end(const void *addr, size_t size, uint64_t pc, hook_site);
/* Does the byte at addr record which bytes of t's stack have ended? */
bool ends_keeps(const struct thread *t, const void *addr);
/* Back to the state before main. */
void ends_reset(void);

/* ---- sharing.c ----------------------------------------------------------- */

/* A step that hides more accesses is cut, so that an endless loop of hidden
 * accesses becomes visible. */
enum { MOST_HIDDEN = 10000 };

/* May this access of the running thread be part of the step at hand? */
bool sharing_hides(uint64_t addr, uint32_t size, bool write, uint64_t pc);
/* The same for state of the library, which is never data. */
bool sharing_hides_state(uint64_t addr, uint32_t size, bool write);
/* With --interfere=locks: is it an access to data?  Then it is remembered as
 * part of the step at hand. */
bool sharing_sets_apart(const struct operation *);
/* A step of the running thread that is visible anyway is going to make this
 * access.  Is its memory shared? */
bool sharing_shows(const struct access *);
/* Main is about to begin. */
void sharing_start(void);
/* Is it, as far as is known, memory that only this thread uses? */
bool sharing_is_own(const struct thread *, uint64_t addr);
/* 1 + the only thread that uses the memory; SHARING_MANY: several do; 0: that
 * is not known. */
enum { SHARING_MANY = 0xffff };
uint32_t sharing_user(uint64_t addr);
/* Takes note of what a visible step touched. */
void sharing_learn(const struct record *);
/* The operation at hand, an access to data, touches these bytes, too. */
void sharing_add(const struct access *);

/* ---- commuting.c --------------------------------------------------------- */

void commuting_begin_anew(void);

/* ---- updates.c ----------------------------------------------------------- */

/* The announced update has this kind (ACCESS_KIND) and is of no use but for its
 * effect.  The kind, or 0 if the updates of the place need an order. */
uint32_t update_kind(const struct access *, uint32_t kind);
/* From now on they do.  If they had none, the search begins anew. */
void updates_order(const struct access *);
/* From now on all updates do. */
void updates_order_all(void);

/* ---- undeclared.c, disturb.c, lent.c: for --verify ---------------------- */

/* If watched: called before and after the code of a step, and at each hidden
 * access in it. */
void watch_begin(struct thread *);
void watch_end(const struct record *);
void watch_access(uint64_t addr, uint64_t size, bool write);
/* If disturbed: called before and after the code of a new thread, in its
 * creator's step. */
void disturb_child(struct thread *);
void disturb_parent(void);
/* Back to the state after so many steps. */
void lent_undo(size_t depth);

/* ---- rollback.c ---------------------------------------------------------- */

/* The state right before main is the one to return to. */
void rollback_prepare(void);
/* False: the program did something else this time; see engine.finding. */
bool rollback_to(size_t depth);

/* ---- fingerprint.c ------------------------------------------------------- */

void native_fingerprint(struct system *, bool exact, struct fingerprint *);

/* ---- actor_future.c ------------------------------------------------------ */

bool native_may_touch(struct system *, unsigned but, const struct access *,
                      uint32_t count);

/* ---- changes.c ----------------------------------------------------------- */

struct changes native_changes(struct system *, size_t depth);
void native_comparing(struct system *, bool);
/* Where the thread stands, what it waits for, and the rounds that it began. */
struct chain;
struct chain changes_position(const struct thread *);

/* ---- stored.c ------------------------------------------------------------ */

/* A search that stores states begins, or another one; anew. */
void stored_begin(bool stores, bool outcomes);
/* If states are stored: back to the state after so many steps. */
void stored_undo(size_t depth);
struct digest128 native_local_state(struct system *);
struct digest128 native_shared_state(struct system *);
struct digest128 native_contents(struct system *, uint64_t granule,
                                 uint8_t bytes);

/* ---- crash.c ------------------------------------------------------------- */

/* coroutine.c: gives the stack a shadow (stack.c), if it has none. */
void stack_map_shadow(const struct thread *);
void crash_catch(void);
/* The thread has used up its stack, here. */
_Noreturn void stack_overflow(const struct thread *, uint64_t pc);
/* Where the program was when a signal came, for reports. */
uint64_t crash_place(const siginfo_t *info, const void *context);

/* What the registers of this thread were when a signal stopped it; false if
 * none did. */
bool crash_registers(const struct thread *, struct wire_stand *);

/* ---- describe.c ---------------------------------------------------------- */

/* In a replay: a local variable of the running thread begins. */
void replay_names_local(const void *addr, size_t size, hook_site);

/* ---- stuck.c ------------------------------------------------------------- */

void stuck_answer(void);

/* ---- modules.c ----------------------------------------------------------- */

/* keep: a loaded object. */
struct module {
  uint64_t bias;
  uint64_t start; /* of its addresses */
  uint64_t end;
  uint64_t code; /* of its instructions */
  uint64_t code_end;
  bool program; /* not a library of the system */
  char path[4096];
};

/* keep: bytes that the program can write. */
struct segment {
  char *start;
  char *end;
};

typedef VEC(struct module) module_list;
typedef VEC(struct segment) segment_list;

/* The loaded objects, found out once. */
const module_list *modules(void);
/* May it be the address of an instruction? */
bool module_is_code(uint64_t addr);
/* The program's variables, and those of the runtime that are PROG. */
void module_segments(segment_list *);
/* Adds the PROG variables of the runtime alone. */
void module_prog(segment_list *);

/* ---- native_start.c
 * ------------------------------------------------------------- */

/* A finding or refusal before main, where no explorer takes it: sends the
 * message and ends the process. */
_Noreturn void stop_outside(void);

/* ---- native.c ------------------------------------------------------------ */

extern struct system native_system;
void native_print_schedule(void);

#endif
