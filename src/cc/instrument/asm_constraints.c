#include "cc/instrument/asm_constraints.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

/* The letters of GCC's manual.  Alternatives are separated by '|'. */
#define GENERAL "rqQRlabcdSDA"
#define MEMORY "moV<>"
#define IMMEDIATE "insIJKLMNOGeZEFC"

/* ---- letters ------------------------------------------------------------ */

static bool allows(const struct asm_slot *slot, const char *letters) {
  for (size_t i = 0; i < slot->letters.length; i++)
    if (strchr(letters, slot->letters.at[i]))
      return true;
  return false;
}

/* A letter of one of the two lists, nothing else. */
static bool allows_only(const struct asm_slot *slot, const char *letters,
                        const char *more) {
  for (size_t i = 0; i < slot->letters.length; i++) {
    char letter = slot->letters.at[i];
    if (letter != '|' && !strchr(letters, letter) && !strchr(more, letter))
      return false;
  }
  return slot->letters.length > 0;
}

static bool is_named_register(const struct asm_slot *slot) {
  return slot->place >= 0 && slot->place < ASM_GENERAL;
}

static bool may_be_register(const struct asm_slot *slot) {
  return is_named_register(slot) || allows(slot, GENERAL "Xg");
}

bool asm_slot_is_register_or(const struct asm_slot *slot, const char *letters) {
  return is_named_register(slot) || allows_only(slot, GENERAL, letters);
}

bool asm_slot_is_immediate(const struct asm_slot *slot) {
  return allows_only(slot, IMMEDIATE, "");
}

bool asm_slot_is_memory(const struct asm_slot *slot) {
  return allows_only(slot, MEMORY, "");
}

bool asm_slot_is_address(const struct asm_slot *slot) {
  return allows(slot, "p");
}

/* ---- parsing ------------------------------------------------------------ */

/* What is left to give to operands. */
struct supply {
  const struct asm_statement *statement;
  unsigned results;
  unsigned arguments;
};

static bool starts_with(struct span span, const char *prefix) {
  size_t length = strlen(prefix);
  return span.length >= length && !strncasecmp(span.at, prefix, length);
}

/* {ax}, {xmm0}, {@ccz} */
static bool place_in_register(struct asm_slot *slot, struct span name) {
  struct asm_register found = asm_register_named(name);
  slot->letters.length = 0;
  slot->place = found.number < ASM_GENERAL ? found.number : -1;
  return found.number >= 0 || starts_with(name, "@cc");
}

static bool tie(struct asm_slots *slots, struct asm_slot *slot) {
  unsigned output = 0;
  for (size_t i = 0; i < slot->letters.length; i++) {
    if (!isdigit((unsigned char)slot->letters.at[i]) || output >= ASM_SLOTS)
      return false;
    output = 10 * output + (unsigned)(slot->letters.at[i] - '0');
  }
  if (output >= slots->count || !slots->at[output].output)
    return false;
  slot->letters = slots->at[output].letters;
  slot->place = slots->at[output].place;
  return true;
}

static bool parse_place(struct asm_slots *slots, struct asm_slot *slot) {
  struct span letters = slot->letters;
  if (!letters.length)
    return false;
  if (isdigit((unsigned char)*letters.at))
    return tie(slots, slot);
  if (*letters.at == '{')
    return letters.at[letters.length - 1] == '}' &&
           place_in_register(slot,
                             (struct span){letters.at + 1, letters.length - 2});
  slot->place = may_be_register(slot) ? ASM_GENERAL + (int)slots->count : -1;
  return true;
}

/* Direct outputs are results; labels of asm goto ('!') are neither. */
static bool supply_value(struct supply *supply, struct asm_slot *slot,
                         bool label) {
  const struct asm_statement *statement = supply->statement;
  slot->argument = -1;
  if (label)
    return true;
  if (slot->output && !slot->indirect) {
    if (supply->results == statement->result_count)
      return false;
    slot->size = statement->result_size[supply->results++];
    return true;
  }
  if (supply->arguments == statement->argument_count)
    return false;
  slot->size = statement->argument_size[supply->arguments];
  slot->argument = (int)supply->arguments++;
  return true;
}

static bool parse_clobber(struct asm_slots *slots, struct span name) {
  struct asm_register found = asm_register_named(name);
  slots->memory |= span_is(name, "memory");
  if (found.number >= 0 && found.number < ASM_GENERAL)
    slots->clobbered |= 1u << found.number;
  return true;
}

static bool parse_operand(struct asm_slots *slots, struct supply *supply,
                          struct span constraint) {
  if (slots->count == ASM_SLOTS)
    return false;
  struct asm_slot *slot = &slots->at[slots->count];
  *slot = (struct asm_slot){.place = -1};
  bool label = false;
  for (; constraint.length && strchr("=&*%!", *constraint.at);
       constraint.at++, constraint.length--) {
    slot->output |= *constraint.at == '=';
    slot->early |= *constraint.at == '&';
    slot->indirect |= *constraint.at == '*';
    label |= *constraint.at == '!';
  }
  slot->letters = constraint;
  if (!supply_value(supply, slot, label) || !parse_place(slots, slot))
    return false;
  slots->count++;
  return true;
}

bool asm_slots_parse(struct asm_slots *slots,
                     const struct asm_statement *statement) {
  struct supply supply = {.statement = statement};
  const char *at = statement->constraints;
  slots->count = slots->clobbered = 0;
  slots->memory = false;
  while (*at) {
    struct span constraint = {at, strcspn(at, ",")};
    bool good =
        starts_with(constraint, "~{") && constraint.length > 3
            ? parse_clobber(slots, (struct span){at + 2, constraint.length - 3})
            : parse_operand(slots, &supply, constraint);
    if (!good)
      return false;
    at += constraint.length;
    at += *at == ',';
  }
  return supply.results == statement->result_count &&
         supply.arguments == statement->argument_count;
}
