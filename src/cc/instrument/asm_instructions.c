#include "cc/instrument/asm_instructions.h"

#include <string.h>

#define BIT(number) (1u << (number))
#define READS ASM_READS
#define WRITES ASM_WRITES
#define TRADES ASM_TRADES
#define NAMES ASM_NAMES
#define SWAPS ASM_SWAPS
#define BITS ASM_BITS
#define KEEPS ASM_KEEPS
#define LOCKABLE ASM_LOCKABLE
#define LOCKS (ASM_LOCKS | ASM_LOCKABLE)
#define FENCE ASM_FENCE
#define CONTROL ASM_CONTROL
#define BARRIER ASM_BARRIER
#define PUSHES ASM_PUSHES
#define POPS ASM_POPS
#define REP ASM_REP
#define SUFFIX ASM_SUFFIX
#define MIXED ASM_MIXED
#define VECTOR ASM_VECTOR
#define ADDS ASM_ADDS
#define ANDS ASM_ANDS
#define ORS ASM_ORS
#define XORS ASM_XORS

static const struct asm_instruction instructions[] = {
#define INSTRUCTION(name, fewest, most, size, use, registers) \
  {name, fewest, most, size, use, registers},
#include "cc/instrument/asm_instructions.def"
#undef INSTRUCTION
};

static const struct asm_instruction *find(const char *name, unsigned operands) {
  for (size_t i = 0; i < sizeof instructions / sizeof *instructions; i++)
    if (!strcmp(instructions[i].name, name) &&
        operands >= instructions[i].fewest && operands <= instructions[i].most)
      return &instructions[i];
  return NULL;
}

/* The condition of a jump, set or conditional move. */
static bool is_condition(const char *word) {
  static const char *const conditions[] = {
      "o",  "no", "b",  "c",   "nae", "ae",  "nb", "nc", "e", "z",
      "ne", "nz", "be", "na",  "a",   "nbe", "s",  "ns", "p", "pe",
      "np", "po", "l",  "nge", "ge",  "nl",  "le", "ng", "g", "nle"};
  for (size_t i = 0; i < sizeof conditions / sizeof *conditions; i++)
    if (!strcmp(conditions[i], word))
      return true;
  return false;
}

/* An instruction without a suffix.  sete is set*. */
static const struct asm_instruction *find_plain(const char *name,
                                                unsigned operands) {
  if (strchr(name, '*'))
    return NULL;
  if (!strncmp(name, "set", 3) && is_condition(name + 3))
    name = "set*";
  else if (!strncmp(name, "cmov", 4) && is_condition(name + 4))
    name = "cmov*";
  return find(name, operands);
}

static const struct asm_instruction *find_suffixed(const struct asm_line *line,
                                                   unsigned *size) {
  static const char suffixes[] = "bwlq";
  char name[ASM_NAME];
  size_t length = strlen(strcpy(name, line->name));
  const char *suffix = length ? strchr(suffixes, name[length - 1]) : NULL;
  if (!suffix)
    return NULL;
  name[length - 1] = 0;
  *size = 1u << (suffix - suffixes);
  const struct asm_instruction *found = find_plain(name, line->count);
  return found && (found->use & ASM_SUFFIX) ? found : NULL;
}

struct asm_instruction asm_instruction_of(const struct asm_line *line,
                                          bool intel) {
  unsigned size = 0;
  const struct asm_instruction *found = find_plain(line->name, line->count);
  if (!found && !intel)
    found = find_suffixed(line, &size);
  struct asm_instruction result = {.name = ""};
  if (found)
    result = *found;
  if (size)
    result.size = size;
  return result;
}
