/* Goes through the instructions in order and keeps track of which registers
 * still hold the call's arguments: an address is known only if it is an
 * argument of the call and the text has not changed its register.
 *
 * LLVM may give an output the register of an input unless the output is marked
 * as written early ('&').  A text that writes such an output and uses addresses
 * afterwards is usually a mistake, and is not understood. */
#include "cc/instrument/asm_effect.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "cc/instrument/asm_constraints.h"
#include "cc/instrument/asm_instructions.h"
#include "cc/instrument/asm_text.h"

struct state {
  unsigned lines; /* instructions so far */
  struct asm_slots slots;
  struct asm_effect effect;
  uint64_t written;             /* a bit for each place */
  bool overwritten;             /* any input's register may have been written */
  unsigned pushed;              /* words on the stack */
  unsigned mentions[ASM_SLOTS]; /* of each operand in the text */
  unsigned loads[ASM_SLOTS];    /* from the memory that it points to or is */
};

/* One instruction, being understood. */
struct asm_step {
  const struct asm_line *line;
  struct asm_instruction instruction;
  unsigned size; /* of its memory operand; 0: not told */
};

static bool fail(struct state *s, struct span what) {
  static const struct span nothing = {"empty operand", 13};
  if (!what.length)
    what = nothing;
  size_t room = sizeof s->effect.why - 1;
  size_t length = what.length < room ? what.length : room;
  memcpy(s->effect.why, what.at, length);
  s->effect.why[length] = 0;
  s->effect.understood = false;
  return false;
}

static bool fail_word(struct state *s, const char *word) {
  return fail(s, (struct span){word, strlen(word)});
}

/* ---- registers and arguments -------------------------------------------- */

static const struct asm_slot *slot_of(const struct state *s,
                                      const struct asm_operand *operand) {
  return operand->number < s->slots.count ? &s->slots.at[operand->number]
                                          : NULL;
}

/* The argument of at least `size` bytes that the place still holds, or -1. */
static int argument_in(const struct state *s, int place, unsigned size) {
  if (place < 0 || s->overwritten || (s->written >> place & 1))
    return -1;
  for (unsigned i = 0; i < s->slots.count; i++) {
    const struct asm_slot *slot = &s->slots.at[i];
    if (!slot->output && !slot->indirect && slot->place == place)
      return slot->size >= size ? slot->argument : -1;
  }
  return -1;
}

/* May the register at this place be an input's register, too?  Registers that
 * are clobbered, outputs that are written early, and registers that an input
 * demands by name are not shared. */
static bool may_be_shared(const struct state *s, int place) {
  if (place < ASM_GENERAL && (s->slots.clobbered >> place & 1))
    return false;
  for (unsigned i = 0; i < s->slots.count; i++) {
    const struct asm_slot *slot = &s->slots.at[i];
    if (slot->place == place &&
        (slot->early || (place < ASM_GENERAL && !slot->output)))
      return false;
  }
  return true;
}

static void write_place(struct state *s, int place) {
  s->written |= (uint64_t)1 << place;
  s->overwritten |= may_be_shared(s, place);
}

/* ---- operands ----------------------------------------------------------- */

/* Letters after the operand's number that choose a part of its register, and
 * the bytes of that part. */
static const char modifiers[] = "bhwkqxtg";
static const unsigned widths[] = {1, 1, 2, 4, 8, 16, 32, 64};

/* The width of an operand that is not in memory; 0: not told. */
static unsigned width_of(const struct state *s,
                         const struct asm_operand *operand) {
  if (operand->form == ASM_REGISTER)
    return operand->size;
  const struct asm_slot *slot =
      operand->form == ASM_OPERAND ? slot_of(s, operand) : NULL;
  if (!slot || slot->indirect || asm_slot_is_immediate(slot))
    return 0;
  if (operand->modifier)
    return widths[strchr(modifiers, operand->modifier) - modifiers];
  if (slot->place < 0) /* vectors have at least 16 bytes */
    return slot->size < 16 ? 16 : slot->size;
  return slot->size <= 8 && !(slot->size & (slot->size - 1)) ? slot->size : 0;
}

static bool is_memory(const struct state *s,
                      const struct asm_operand *operand) {
  return operand->form == ASM_AT_REGISTER || operand->form == ASM_AT_OPERAND ||
         (operand->form == ASM_OPERAND && slot_of(s, operand)->indirect);
}

/* Other modifiers, as that which leaves out the '$' of an immediate, make
 * memory of a value. */
static bool is_known(const struct state *s, const struct asm_operand *operand) {
  if (operand->form != ASM_OPERAND && operand->form != ASM_AT_OPERAND)
    return operand->form != ASM_UNKNOWN;
  const struct asm_slot *slot = slot_of(s, operand);
  if (!slot || (operand->modifier && !strchr(modifiers, operand->modifier)))
    return false;
  return operand->form == ASM_AT_OPERAND || slot->indirect ||
         (!operand->offset && !asm_slot_is_address(slot));
}

static bool check_operands(struct state *s, const struct asm_step *step) {
  unsigned count = step->line->count, use = step->instruction.use;
  for (unsigned i = 0; i < count; i++) {
    bool written = (use & ASM_WRITES) && i == count - 1;
    if ((written || !(use & ASM_NAMES)) &&
        !is_known(s, step->line->operand + i))
      return fail(s, step->line->operand[i].text);
  }
  return true;
}

/* By the mnemonic, by "dword ptr", or by the width of the other operand. */
static unsigned memory_size(const struct state *s,
                            const struct asm_step *step) {
  const struct asm_line *line = step->line;
  if (step->instruction.size)
    return step->instruction.size;
  for (unsigned i = 0; i < line->count; i++)
    if (is_memory(s, &line->operand[i]) && line->operand[i].size)
      return line->operand[i].size;
  for (unsigned i = 0; i < line->count; i++) {
    unsigned width = width_of(s, &line->operand[i]);
    bool vector = step->instruction.use & ASM_VECTOR;
    if (width && !(step->instruction.use & ASM_MIXED))
      return vector == (width > 8) ? width : 0;
  }
  return 0;
}

/* ---- memory ------------------------------------------------------------- */

/* Outputs that may lie in memory or in a register.  If in a register, LLVM
 * stores all of it after the text. */
static bool is_stored_after(const struct asm_slot *slot) {
  return slot->output && slot->indirect && !asm_slot_is_memory(slot);
}

/* The argument that points to a memory operand, or -1. */
static int pointer_to(const struct state *s,
                      const struct asm_operand *operand) {
  if (operand->form == ASM_AT_REGISTER)
    return argument_in(s, (int)operand->number, 8);
  const struct asm_slot *slot = slot_of(s, operand);
  if (operand->form == ASM_OPERAND)
    return s->overwritten ? -1 : slot->argument;
  return !slot->indirect && asm_slot_is_register_or(slot, "") && slot->size == 8
             ? argument_in(s, slot->place, 8)
             : -1;
}

/* Which argument moves the address of a bit operation?  -1: none does.
 * Immediates number a bit within the operand.  Of an operand that may be an
 * immediate or a register, both mean the same if its letters keep the immediate
 * small enough: 'I' below 32, 'J' below 64. */
static bool find_bit(const struct state *s, const struct asm_step *step,
                     int *argument) {
  const struct asm_operand *bit = &step->line->operand[0];
  const struct asm_slot *slot =
      bit->form == ASM_OPERAND ? slot_of(s, bit) : NULL;
  const char *small = step->size == 8 ? "IJ" : step->size == 4 ? "I" : "";
  *argument = -1;
  if (bit->form == ASM_IMMEDIATE || (slot && asm_slot_is_immediate(slot)))
    return true;
  if (width_of(s, bit) != step->size ||
      (slot && !asm_slot_is_register_or(slot, small)))
    return false;
  *argument = argument_in(s, slot ? slot->place : (int)bit->number, step->size);
  return *argument >= 0;
}

/* Double-width swaps, which write rdx, compare it with the upper half. */
static void find_expected(const struct state *s, const struct asm_step *step,
                          struct asm_access *access) {
  bool two = step->instruction.registers >> RDX & 1;
  unsigned size = two ? access->size / 2 : access->size;
  access->expected[0] = argument_in(s, RAX, size);
  if (two)
    access->expected[1] = argument_in(s, RDX, size);
}

static enum asm_update update_of(const struct asm_step *step) {
  unsigned use = step->instruction.use;
  return use & ASM_ADDS   ? ASM_ADDITION
         : use & ASM_ANDS ? ASM_AND
         : use & ASM_ORS  ? ASM_OR
         : use & ASM_XORS ? ASM_XOR
                          : ASM_OTHER_UPDATE;
}

static bool is_locked(const struct asm_step *step,
                      const struct asm_access *access) {
  if (step->line->lock || (step->instruction.use & ASM_LOCKS))
    return true;
  return (access->kind == ASM_LOAD || access->kind == ASM_STORE) &&
         access->size <= 8;
}

static bool add_access(struct state *s, struct asm_access access) {
  if (s->effect.count == ASM_ACCESSES)
    return false;
  s->effect.access[s->effect.count++] = access;
  return true;
}

/* A slot that shares its register with an output, or whose register the text
 * may name, shows its value. */
static bool shows(const struct state *s, const struct asm_slot *slot) {
  bool seen = slot->place >= 0 && slot->place < ASM_GENERAL;
  for (unsigned i = 0; i < s->slots.count; i++)
    seen |= s->slots.at[i].output && s->slots.at[i].place == slot->place;
  return !slot->indirect && seen;
}

static void find_copyable(struct state *s) {
  for (unsigned i = 0; i < s->slots.count; i++) {
    const struct asm_slot *slot = &s->slots.at[i];
    bool copyable = !slot->output && s->loads[i] &&
                    s->loads[i] == s->mentions[i] && !shows(s, slot);
    for (unsigned a = 0; a < s->effect.count; a++)
      if ((int)s->effect.access[a].argument == slot->argument)
        s->effect.access[a].copyable = copyable;
  }
}

static void count_mentions(struct state *s, const struct asm_line *line) {
  for (unsigned i = 0; i < line->count; i++) {
    const struct asm_operand *operand = &line->operand[i];
    if ((operand->form == ASM_OPERAND || operand->form == ASM_AT_OPERAND) &&
        operand->number < ASM_SLOTS)
      s->mentions[operand->number]++;
  }
}

/* A pushed word moves the addresses of local variables. */
static bool touch(struct state *s, const struct asm_step *step,
                  const struct asm_operand *operand, enum asm_kind kind) {
  int argument = pointer_to(s, operand);
  struct asm_access access = {kind,
                              (unsigned)argument,
                              operand->offset,
                              step->size,
                              false,
                              {-1, -1},
                              -1,
                              false,
                              ASM_OTHER_UPDATE};
  if (argument < 0 || !step->size || s->pushed)
    return fail(s, operand->text);
  if ((step->instruction.use & ASM_BITS) && !find_bit(s, step, &access.bit))
    return fail(s, step->line->operand[0].text);
  if (kind == ASM_SWAP)
    find_expected(s, step, &access);
  if (kind == ASM_UPDATE)
    access.update = update_of(step);
  access.locked = is_locked(step, &access);
  if (operand->form == ASM_OPERAND && is_stored_after(slot_of(s, operand))) {
    access.locked = false;
    if (access.offset || access.size != slot_of(s, operand)->size)
      return fail(s, operand->text);
  }
  if (kind == ASM_LOAD && operand->form != ASM_AT_REGISTER)
    s->loads[operand->number]++;
  return add_access(s, access) || fail(s, operand->text);
}

/* ---- instructions ------------------------------------------------------- */

static bool is_written(const struct asm_step *step, unsigned operand) {
  unsigned last = step->line->count - 1;
  return step->instruction.use & (operand == last ? ASM_WRITES : ASM_TRADES);
}

static bool is_read(const struct asm_step *step, unsigned operand) {
  unsigned last = step->line->count - 1;
  return operand != last || (step->instruction.use & ASM_READS);
}

static bool touch_memory(struct state *s, const struct asm_step *step) {
  for (unsigned i = 0; i < step->line->count; i++) {
    bool writes = is_written(step, i), reads = is_read(step, i);
    enum asm_kind kind = step->instruction.use & ASM_SWAPS ? ASM_SWAP
                         : reads && writes                 ? ASM_UPDATE
                         : writes                          ? ASM_STORE
                                                           : ASM_LOAD;
    if (is_memory(s, &step->line->operand[i]) &&
        !touch(s, step, &step->line->operand[i], kind))
      return false;
  }
  return true;
}

/* Adding 0 to the top of the stack is how a barrier was written for old
 * processors. */
static bool is_stack_barrier(const struct asm_step *step) {
  const struct asm_operand *operand = step->line->operand;
  return step->line->lock && (step->instruction.use & ASM_KEEPS) &&
         operand[0].zero && operand[1].form == ASM_AT_REGISTER &&
         operand[1].number == RSP;
}

/* False: the stack pointer is written. */
static bool write_operand(struct state *s, const struct asm_operand *operand) {
  int place = -1;
  if (operand->form == ASM_REGISTER && operand->number < ASM_GENERAL)
    place = (int)operand->number;
  if (operand->form == ASM_OPERAND)
    place = slot_of(s, operand)->place;
  if (place >= 0)
    write_place(s, place);
  return place != RSP;
}

static bool write_registers(struct state *s, const struct asm_step *step) {
  for (unsigned i = 0; i < step->line->count; i++)
    if (is_written(step, i) && !write_operand(s, &step->line->operand[i]))
      return fail(s, step->line->operand[i].text);
  for (int i = 0; i < ASM_GENERAL; i++)
    if (step->instruction.registers >> i & 1)
      write_place(s, i);
  return true;
}

/* Only whole words, so that as many are popped as were pushed. */
static bool move_stack(struct state *s, const struct asm_step *step) {
  unsigned use = step->instruction.use;
  if (!(use & (ASM_PUSHES | ASM_POPS)))
    return true;
  const struct asm_operand *operand = step->line->operand;
  unsigned width = step->line->count ? width_of(s, operand) : 0;
  if ((width && width != 8) || ((use & ASM_POPS) && !s->pushed))
    return fail(s, step->line->mnemonic);
  s->pushed = use & ASM_PUSHES ? s->pushed + 1 : s->pushed - 1;
  return true;
}

/* Barriers of AArch64 order all accesses, unless they are told to order only
 * loads (ishld) or only stores (ishst). */
static bool is_full_barrier(const struct asm_line *line) {
  struct span kind = line->operand[0].text;
  return !line->count || span_is(kind, "sy") || span_is(kind, "ish") ||
         span_is(kind, "osh") || span_is(kind, "nsh");
}

static bool allows_prefixes(const struct asm_step *step) {
  unsigned use = step->instruction.use;
  return (!step->line->lock || (use & ASM_LOCKABLE)) &&
         (!step->line->rep || (use & ASM_REP));
}

static bool take_step(struct state *s, const struct asm_line *line,
                      bool intel) {
  struct asm_step step = {line, asm_instruction_of(line, intel), 0};
  unsigned use = step.instruction.use, before = s->effect.count;
  if (!step.instruction.name[0] || !allows_prefixes(&step))
    return fail(s, line->mnemonic);
  if (!check_operands(s, &step))
    return false;
  count_mentions(s, line);
  bool barrier = is_stack_barrier(&step);
  if (!(use & ASM_NAMES) && !barrier) {
    step.size = memory_size(s, &step);
    if (!touch_memory(s, &step))
      return false;
  }
  bool changed = barrier || (s->effect.count > before &&
                             s->effect.access[before].kind != ASM_LOAD);
  if (line->lock && !changed) /* an invalid instruction */
    return fail(s, line->mnemonic);
  if ((use & ASM_CONTROL) && s->effect.count == before + 1 &&
      !s->effect.access[before].offset)
    s->effect.control = s->effect.count;
  else if (use & ASM_CONTROL)
    return fail(s, line->mnemonic);
  s->effect.fence |= (use & ASM_FENCE) || line->lock ||
                     ((use & ASM_LOCKS) && changed) ||
                     ((use & ASM_BARRIER) && is_full_barrier(line));
  return write_registers(s, &step) && move_stack(s, &step);
}

/* ---- statements --------------------------------------------------------- */

static bool take_text(struct state *s, const char *text, bool intel) {
  struct asm_line line;
  while (asm_next_line(&text, intel, &line)) {
    s->lines++;
    if (!take_step(s, &line, intel))
      return false;
  }
  return !s->pushed || fail_word(s, "push");
}

static bool has_store(const struct asm_effect *effect, int argument) {
  for (unsigned i = 0; i < effect->count; i++) {
    const struct asm_access *access = &effect->access[i];
    if ((int)access->argument == argument &&
        (access->kind == ASM_STORE || access->kind == ASM_UPDATE))
      return true;
  }
  return false;
}

static bool store_outputs(struct state *s) {
  for (unsigned i = 0; i < s->slots.count; i++) {
    const struct asm_slot *slot = &s->slots.at[i];
    struct asm_access store = {
        ASM_STORE, (unsigned)slot->argument, 0, slot->size, false, {-1, -1}, -1,
        false,     ASM_OTHER_UPDATE};
    if (is_stored_after(slot) && !has_store(&s->effect, slot->argument) &&
        (!slot->size || !add_access(s, store)))
      return fail_word(s, "output");
  }
  return true;
}

/* Other instructions, and results, may depend on the flags that an update sets.
 */
static void forget_updates(struct state *s,
                           const struct asm_statement *statement) {
  for (unsigned i = 0; i < s->effect.count; i++)
    if (s->lines > 1 || statement->result_count)
      s->effect.access[i].update = ASM_OTHER_UPDATE;
}

static bool is_declared(const struct asm_slots *slots) {
  bool declared = slots->memory;
  for (unsigned i = 0; i < slots->count; i++)
    declared |= slots->at[i].indirect;
  return declared;
}

struct asm_effect asm_effect_of(const struct asm_statement *statement) {
  struct state s = {.effect.understood = true};
  if (!asm_slots_parse(&s.slots, statement)) {
    s.effect.declared = true;
    fail_word(&s, "constraints");
    return s.effect;
  }
  s.effect.declared = is_declared(&s.slots);
  char *text = asm_clean_text(statement->text, statement->intel);
  if (take_text(&s, text, statement->intel) && store_outputs(&s))
    find_copyable(&s);
  forget_updates(&s, statement);
  free(text);
  return s.effect;
}
