/* Inline assembly: a hook before the statement announces what it does to
 * memory, as far as its text tells (asm_effect.c); the statement itself stays
 * as it is, except that loads before its one other access are steps of their
 * own, and their results are in a copy.  What is not understood is refused.
 */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "asm_effect.h"
#include "core/event.h"
#include "unit.h"

bool is_assembly(LLVMValueRef call) {
  return LLVMIsAInlineAsm(LLVMGetCalledValue(call)) != NULL;
}

/* ---- the statement ------------------------------------------------------- */

enum { MOST_OPERANDS = 64 };

/* A statement with the memory that it refers to. */
struct parsed {
  struct asm_statement statement;
  char *text;
  char *constraints;
  unsigned result_size[MOST_OPERANDS];
  unsigned argument_size[MOST_OPERANDS];
};

static unsigned digit(char c) {
  return (unsigned)(isdigit((unsigned char)c)
                        ? c - '0'
                        : toupper((unsigned char)c) - 'A' + 10);
}

/* The string behind the next quote; *at moves behind it.  LLVM writes unusual
 * characters as \XX. */
static char *take_string(const char **at) {
  const char *in = strchr(*at, '"');
  if (!in)
    return strdup("");
  char *string = malloc(strlen(in) + 1), *out = string;
  for (in++; *in && *in != '"'; in++) {
    bool coded = *in == '\\' && isxdigit((unsigned char)in[1]);
    *out++ = coded ? (char)(digit(in[1]) << 4 | digit(in[2])) : *in;
    in += coded ? 2 : 0;
  }
  *out = 0;
  *at = *in ? in + 1 : in;
  return string;
}

/* LLVM 14 has no other way to the texts than the printed form: asm sideeffect
 * inteldialect "text", "constraints". */
static void read_texts(struct parsed *p, LLVMValueRef assembly) {
  char *printed = LLVMPrintValueToString(assembly);
  const char *at = strstr(printed, "asm ");
  const char *quote = at ? strchr(at, '"') : NULL;
  const char *intel = at ? strstr(at, "inteldialect") : NULL;
  at = at ? at : "";
  p->statement.intel = intel && intel < quote;
  p->text = take_string(&at);
  p->constraints = take_string(&at);
  p->statement.text = p->text;
  p->statement.constraints = p->constraints;
  LLVMDisposeMessage(printed);
}

static void read_result(const struct unit *u, struct parsed *p,
                        LLVMTypeRef type) {
  unsigned count = 1;
  if (LLVMGetTypeKind(type) == LLVMVoidTypeKind)
    return;
  bool many = LLVMGetTypeKind(type) == LLVMStructTypeKind;
  if (many)
    count = LLVMCountStructElementTypes(type);
  for (unsigned i = 0; i < count && i < MOST_OPERANDS; i++) {
    LLVMTypeRef one = many ? LLVMStructGetTypeAtIndex(type, i) : type;
    p->result_size[p->statement.result_count++] = (unsigned)unit_size(u, one);
  }
}

static unsigned argument_size(const struct unit *u, LLVMValueRef call,
                              unsigned nth) {
  LLVMAttributeRef element = LLVMGetCallSiteEnumAttribute(
      call, nth + 1, u->attribute[ATTRIBUTE_ELEMENTTYPE]);
  LLVMTypeRef type = element ? LLVMGetTypeAttributeValue(element)
                             : LLVMTypeOf(LLVMGetOperand(call, nth));
  return (unsigned)unit_size(u, type);
}

static bool parse(const struct unit *u, LLVMValueRef call, struct parsed *p) {
  unsigned arguments = LLVMGetNumArgOperands(call);
  *p = (struct parsed){.statement = {.result_size = p->result_size,
                                     .argument_size = p->argument_size}};
  read_texts(p, LLVMGetCalledValue(call));
  read_result(u, p, LLVMTypeOf(call));
  for (unsigned i = 0; i < arguments && i < MOST_OPERANDS; i++)
    p->argument_size[i] = argument_size(u, call, i);
  p->statement.argument_count = arguments;
  return arguments <= MOST_OPERANDS;
}

static void parsed_free(struct parsed *p) {
  free(p->text);
  free(p->constraints);
}

/* ---- refusals ------------------------------------------------------------ */

static void refuse(struct unit *u, LLVMValueRef call, const struct parsed *p,
                   const char *why) {
  char what[400];
  snprintf(what, sizeof what, "inline assembly \"%.200s\" (%s)", p->text, why);
  for (char *c = what; *c; c++)
    if (isspace((unsigned char)*c))
      *c = ' ';
  unit_refuse(u, call, what);
}

/* ---- hooks --------------------------------------------------------------- */

static LLVMValueRef as_word(struct unit *u, LLVMValueRef value) {
  LLVMTypeKind kind = LLVMGetTypeKind(LLVMTypeOf(value));
  if (kind == LLVMPointerTypeKind)
    return LLVMBuildPtrToInt(u->builder, value, u->word, "");
  return LLVMBuildIntCast2(u->builder, value, u->word, false, "");
}

/* What a bit operation with the bit's number in a register touches. */
static LLVMValueRef bit_offset(struct unit *u, LLVMValueRef call,
                               const struct asm_access *a) {
  LLVMTypeRef type = LLVMIntTypeInContext(u->context, a->size * 8);
  LLVMValueRef number = LLVMBuildIntCast2(
      u->builder, LLVMGetOperand(call, (unsigned)a->bit), type, true, "");
  number = LLVMBuildIntCast2(u->builder, number, u->word, true, "");
  LLVMValueRef bits = unit_word(u, (uint64_t)__builtin_ctz(a->size * 8));
  LLVMValueRef place = LLVMBuildAShr(u->builder, number, bits, "");
  return LLVMBuildMul(u->builder, place, unit_word(u, a->size), "");
}

static LLVMValueRef address_of(struct unit *u, LLVMValueRef call,
                               const struct asm_access *a) {
  LLVMValueRef offset = unit_word(u, (uint64_t)a->offset);
  LLVMValueRef base = LLVMGetOperand(call, a->argument);
  if (a->bit >= 0)
    offset = LLVMBuildAdd(u->builder, offset, bit_offset(u, call, a), "");
  if (LLVMGetTypeKind(LLVMTypeOf(base)) != LLVMPointerTypeKind)
    base = LLVMBuildIntToPtr(u->builder, as_word(u, base), u->byte_pointer, "");
  base = LLVMBuildPointerCast(u->builder, base, u->byte_pointer, "");
  return LLVMBuildGEP2(u->builder, LLVMInt8TypeInContext(u->context), base,
                       &offset, 1, "");
}

static LLVMValueRef expected_word(struct unit *u, LLVMValueRef call,
                                  int argument) {
  return argument < 0 ? unit_word(u, 0)
                      : as_word(u, LLVMGetOperand(call, (unsigned)argument));
}

/* A swap can be announced as one if all that it compares is known. */
static bool is_known_swap(const struct asm_access *a) {
  return a->kind == ASM_SWAP && a->expected[0] >= 0 &&
         (a->size <= 8 || a->expected[1] >= 0);
}

static void hook_swap(struct unit *u, LLVMValueRef call,
                      const struct asm_access *a) {
  LLVMValueRef arguments[] = {
      address_of(u, call, a),
      unit_word(u, a->size),
      unit_half(u, __ATOMIC_SEQ_CST | __ATOMIC_SEQ_CST << 8),
      expected_word(u, call, a->expected[0]),
      expected_word(u, call, a->size > 8 ? a->expected[1] : -1),
      site_of(u, call, a->argument)};
  unit_call(u, HOOK_swap, arguments);
}

/* A plain move of x86 acquires and releases. */
static uint32_t order_of(const struct asm_effect *effect,
                         const struct asm_access *a) {
  if (effect->fence || a->kind == ASM_UPDATE || a->kind == ASM_SWAP)
    return __ATOMIC_SEQ_CST;
  return a->kind == ASM_LOAD ? __ATOMIC_ACQUIRE : __ATOMIC_RELEASE;
}

static void hook_unused(struct unit *u, LLVMValueRef call,
                        const struct asm_access *a) {
  static const uint32_t kinds[] = {[ASM_ADDITION] = ACCESS_ADDS,
                                   [ASM_AND] = ACCESS_ANDS,
                                   [ASM_OR] = ACCESS_ORS,
                                   [ASM_XOR] = ACCESS_XORS};
  LLVMValueRef arguments[] = {address_of(u, call, a), unit_word(u, a->size),
                              unit_half(u, __ATOMIC_SEQ_CST),
                              unit_word(u, kinds[a->update]),
                              site_of(u, call, a->argument)};
  unit_call(u, HOOK_update_unused, arguments);
}

static void hook_access(struct unit *u, LLVMValueRef call,
                        const struct asm_effect *effect,
                        const struct asm_access *a) {
  LLVMValueRef address = address_of(u, call, a);
  LLVMValueRef size = unit_word(u, a->size);
  LLVMValueRef site = site_of(u, call, a->argument);
  if (!a->locked) {
    LLVMValueRef arguments[] = {address, size, site};
    unit_call(u, a->kind == ASM_LOAD ? HOOK_read : HOOK_write, arguments);
    return;
  }
  LLVMValueRef arguments[] = {address, size, unit_half(u, order_of(effect, a)),
                              site};
  unit_call(u,
            a->kind == ASM_LOAD    ? HOOK_load
            : a->kind == ASM_STORE ? HOOK_store
                                   : HOOK_update,
            arguments);
}

static void hook_fence(struct unit *u, LLVMValueRef call) {
  LLVMValueRef arguments[] = {unit_half(u, __ATOMIC_SEQ_CST),
                              site_of(u, call, 0)};
  unit_call(u, HOOK_fence, arguments);
}

/* Behind the hook of the access that loads it. */
static void hook_control(struct unit *u, LLVMValueRef call,
                         const struct asm_effect *effect) {
  const struct asm_access *a = &effect->access[effect->control - 1];
  LLVMValueRef arguments[] = {LLVMGetOperand(call, a->argument)};
  unit_call(u, HOOK_control_word, arguments);
}

static bool is_shared(LLVMValueRef call, const struct locals *locals,
                      const struct asm_access *a) {
  return a->bit >= 0 || !is_local(locals, LLVMGetOperand(call, a->argument));
}

/* Can the load be made before the statement, which then reads a copy? */
static bool is_copied(const struct asm_access *a) {
  return a->copyable && a->locked && a->offset >= 0;
}

/* What a statement does to memory that is not local. */
struct asm_shared {
  unsigned count;
  const struct asm_access *last; /* NULL: none */
  bool many; /* besides the last there are some that cannot be copied */
};

static struct asm_shared find_shared(LLVMValueRef call,
                                     const struct locals *locals,
                                     const struct asm_effect *effect) {
  struct asm_shared s = {0, NULL, false};
  for (unsigned i = 0; i < effect->count; i++) {
    const struct asm_access *a = &effect->access[i];
    if (!is_shared(call, locals, a))
      continue;
    s.many |= s.last && !is_copied(s.last);
    s.last = a;
    s.count++;
  }
  return s;
}

/* ---- loads before -------------------------------------------------------- */

static LLVMValueRef place_in(struct unit *u, LLVMValueRef base, long offset,
                             LLVMTypeRef type) {
  LLVMValueRef by = unit_word(u, (uint64_t)offset);
  base = LLVMBuildPointerCast(u->builder, base, u->byte_pointer, "");
  base = LLVMBuildGEP2(u->builder, LLVMInt8TypeInContext(u->context), base, &by,
                       1, "");
  return LLVMBuildPointerCast(u->builder, base, LLVMPointerType(type, 0), "");
}

/* One step.  The store is volatile: LLVM does not know that the text reads. */
static void load_to(struct unit *u, LLVMValueRef call,
                    const struct asm_effect *effect, const struct asm_access *a,
                    LLVMValueRef copy) {
  LLVMTypeRef type = LLVMIntTypeInContext(u->context, a->size * 8);
  hook_access(u, call, effect, a);
  LLVMValueRef from = place_in(u, address_of(u, call, a), 0, type);
  LLVMValueRef value = LLVMBuildLoad2(u->builder, type, from, "");
  LLVMSetVolatile(value, true);
  LLVMValueRef store =
      LLVMBuildStore(u->builder, value, place_in(u, copy, a->offset, type));
  LLVMSetAlignment(store, 1);
  LLVMSetVolatile(store, true);
}

static uint64_t end_of(const struct asm_effect *effect, unsigned argument) {
  uint64_t end = 0;
  for (unsigned i = 0; i < effect->count; i++) {
    const struct asm_access *a = &effect->access[i];
    if (a->argument == argument && (uint64_t)a->offset + a->size > end)
      end = (uint64_t)a->offset + a->size;
  }
  return end;
}

/* Makes all loads from what the argument points to. */
static void copy_argument(struct unit *u, LLVMValueRef call,
                          const struct asm_effect *effect, unsigned argument) {
  LLVMTypeRef byte = LLVMInt8TypeInContext(u->context);
  uint64_t size = end_of(effect, argument);
  LLVMValueRef copy = unit_room(u, call, LLVMArrayType(byte, (unsigned)size));
  LLVMSetAlignment(copy, 16);
  for (unsigned i = 0; i < effect->count; i++)
    if (effect->access[i].argument == argument)
      load_to(u, call, effect, &effect->access[i], copy);
  LLVMTypeRef type = LLVMTypeOf(LLVMGetOperand(call, argument));
  bool pointer = LLVMGetTypeKind(type) == LLVMPointerTypeKind;
  copy = pointer ? LLVMBuildPointerCast(u->builder, copy, type, "")
                 : LLVMBuildPtrToInt(u->builder, copy, type, "");
  LLVMSetOperand(call, argument, copy);
}

static void copy_arguments(struct unit *u, const struct locals *locals,
                           LLVMValueRef call, const struct asm_effect *effect) {
  bool copied[MOST_OPERANDS] = {false};
  for (unsigned i = 0; i < effect->count; i++) {
    const struct asm_access *a = &effect->access[i];
    if (is_copied(a) && !copied[a->argument] && is_shared(call, locals, a))
      copy_argument(u, call, effect, a->argument);
    copied[a->argument] |= is_copied(a);
  }
}

static void hook_effect(struct unit *u, const struct locals *locals,
                        LLVMValueRef call, const struct parsed *p,
                        const struct asm_effect *effect) {
  struct asm_shared shared = find_shared(call, locals, effect);
  const struct asm_access *a = shared.last;
  if (shared.many) {
    refuse(u, call, p, "several accesses to memory");
    return;
  }
  if (shared.count > 1) {
    copy_arguments(u, locals, call, effect);
    a = is_copied(a) ? NULL : a;
  }
  if (a && !a->locked && a->kind != ASM_LOAD && a->kind != ASM_STORE)
    refuse(u, call, p, "it reads and writes memory without a lock prefix");
  else if (a && is_known_swap(a))
    hook_swap(u, call, a);
  else if (a && a->update && a->locked)
    hook_unused(u, call, a);
  else if (a)
    hook_access(u, call, effect, a);
  else if (effect->fence)
    hook_fence(u, call);
}

void assembly_hook(struct unit *u, const struct locals *locals,
                   LLVMValueRef call) {
  struct parsed p;
  if (!parse(u, call, &p)) {
    refuse(u, call, &p, "too many operands");
  } else {
    struct asm_effect effect = asm_effect_of(&p.statement);
    if (!effect.understood)
      refuse(u, call, &p, effect.why);
    else
      hook_effect(u, locals, call, &p, &effect);
    if (effect.understood && effect.control)
      hook_control(u, call, &effect);
  }
  parsed_free(&p);
}

/* A statement that is understood does nothing with the address of a memory
 * operand but the accesses; one in a register may go anywhere. */
bool assembly_lets_escape(const struct unit *u, LLVMValueRef call,
                          LLVMValueRef pointer) {
  unsigned element = u->attribute[ATTRIBUTE_ELEMENTTYPE];
  for (unsigned i = 0; i < LLVMGetNumArgOperands(call); i++)
    if (LLVMGetOperand(call, i) == pointer &&
        !LLVMGetCallSiteEnumAttribute(call, i + 1, element))
      return true;
  struct parsed p;
  bool understood =
      parse(u, call, &p) && asm_effect_of(&p.statement).understood;
  parsed_free(&p);
  return !understood;
}

bool assembly_does_nothing(const struct unit *u, LLVMValueRef call) {
  struct parsed p;
  bool nothing = false;
  if (parse(u, call, &p) && !p.statement.result_count) {
    struct asm_effect effect = asm_effect_of(&p.statement);
    nothing =
        effect.understood && !effect.count && !effect.fence && !effect.control;
  }
  parsed_free(&p);
  return nothing;
}

/* ---- outside of functions ------------------------------------------------ */

/* Directives are harmless, instructions are not seen. */
static bool is_directive(const char *line) {
  line += strspn(line, " \t");
  return !*line || *line == '\n' || *line == '.' || *line == '#' ||
         *line == '"';
}

void assembly_look_outside(struct unit *u) {
  size_t length = 0;
  const char *line = LLVMGetModuleInlineAsm(u->module, &length);
  while (length && *line) {
    if (!is_directive(line)) {
      unit_refuse(u, NULL, "assembly outside of functions");
      return;
    }
    line = strchr(line, '\n');
    if (!line++)
      return;
  }
}
