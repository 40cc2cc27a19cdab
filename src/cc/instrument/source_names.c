/* From pointers in LLVM's code back to expressions of C.
 *
 * Works on what clang's front end wrote, before anything was changed: every
 * variable is in memory, and a chain of members is a chain of getelementptr and
 * load.  Two functions call each other: object_at() gives the object that a
 * pointer leads to, value_of() the value that an instruction computes.  Parts
 * that cannot be told are "?".
 *
 * Members are found in the source's types (debug.c), which come along with the
 * expressions.  LLVM's own names of values are used only where there is no
 * debug information: LLVM adds digits to them.
 */
#include "source_names.h"

#include <ctype.h>
#include <llvm-c/DebugInfo.h>
#include <stdio.h>

/* How tightly the operators of a text bind. */
enum binding { POSTFIX, PREFIX, INFIX };

struct named_expression {
  char text[NAME_MOST];
  enum binding binding;
  bool cut; /* the text is too long */
  /* An object may be the one that the text, a pointer, leads to. */
  bool through;
  bool decayed; /* the text is an array that is taken for a pointer */
  /* Of the object; for a value, of the object that it leads to.  NULL: not
   * known. */
  const struct type *type;
  /* Of the object that the last pointer in the text points to. */
  const struct type *base;
};

/* What is known about an access.  Pointers lead to members and elements one by
 * one, except that all members of a union have the union's.  LLVM simplifies
 * constant pointers: there it is so for the first of all members. */
struct wanted {
  LLVMTypeRef type; /* or NULL, */
  uint64_t bits;    /* and only this */
  bool simplified;
  LLVMValueRef part; /* the pointer to a member of it that follows, or NULL */
};

struct namer {
  struct debug *debug;
  LLVMTargetDataRef layout;
  unsigned depth; /* of calls */
};

/* Deeper expressions would be too long to read. */
enum { MOST_DEPTH = 24, LONGEST_INDEX = 24 };

static struct named_expression object_at(struct namer *, LLVMValueRef pointer);
static struct named_expression value_of(struct namer *, LLVMValueRef value);

/* ---- texts --------------------------------------------------------------- */

static struct named_expression named(const char *name,
                                     const struct type *type) {
  struct named_expression e = {.type = type};
  int length = snprintf(e.text, sizeof e.text, "%s", name);
  e.cut = length >= (int)sizeof e.text;
  return e;
}

static struct named_expression unknown(void) {
  return named("?", NULL);
}

/* The object that a value leads to. */
static struct named_expression pointed_to_by(struct named_expression value) {
  value.through = true;
  value.base = NULL;
  return value;
}

/* The object is one that the text, a pointer, leads to: its parts follow. */
static void note_base(struct named_expression *e) {
  if (e->through && !e->decayed)
    e->base = e->type;
}

/* Puts something before and behind the text. */
static void wrap(struct named_expression *e, const char *before,
                 const char *behind) {
  char old[NAME_MOST];
  memcpy(old, e->text, sizeof old);
  int length = snprintf(e->text, sizeof e->text, "%s%s%s", before, old, behind);
  e->cut = e->cut || length >= (int)sizeof e->text;
}

/* Parentheses, unless the operators bind as tightly as that. */
static void hold(struct named_expression *e, enum binding most) {
  if (e->binding <= most)
    return;
  wrap(e, "(", ")");
  e->binding = POSTFIX;
}

static void add_prefix(struct named_expression *e, const char *sign) {
  hold(e, PREFIX);
  wrap(e, sign, "");
  e->binding = PREFIX;
}

/* The text of the object itself. */
static void dereference(struct named_expression *e) {
  if (e->through)
    add_prefix(e, "*");
  e->through = e->decayed = false;
}

static void add_member(struct named_expression *e, const char *name) {
  char behind[NAME_MOST];
  if (!*name)
    return; /* the members of an anonymous one are named as if they were here */
  hold(e, POSTFIX);
  snprintf(behind, sizeof behind, "%s%s", e->through ? "->" : ".", name);
  wrap(e, "", behind);
  e->through = false;
}

static void add_index(struct named_expression *e,
                      const struct named_expression *index) {
  char behind[NAME_MOST];
  bool plain = !index->cut && strlen(index->text) <= LONGEST_INDEX;
  hold(e, POSTFIX);
  snprintf(behind, sizeof behind, "[%s]", plain ? index->text : "?");
  wrap(e, "", behind);
  e->through = false;
}

/* ---- names of values ----------------------------------------------------- */

static const char *value_name(LLVMValueRef value) {
  size_t length = 0;
  const char *name = LLVMGetValueName2(value, &length);
  return length ? name : "";
}

/* The name that a value has from the source, if that is certain. */
static struct named_expression from_value_name(LLVMValueRef value) {
  const char *name = value_name(value);
  size_t length = 0;
  while (isalnum((unsigned char)name[length]) || name[length] == '_')
    length++;
  struct named_expression e = named(name, NULL);
  bool is_identifier = !name[length] || !strcmp(name + length, ".addr");
  if (!length || length >= sizeof e.text || !is_identifier ||
      isdigit((unsigned char)name[length - 1]))
    return unknown();
  e.text[length] = 0;
  return e;
}

/* Is the value's name this one, perhaps with digits that LLVM added? */
static bool is_named(LLVMValueRef value, const char *name) {
  const char *full = value_name(value);
  size_t length = strlen(name);
  return length && !strncmp(full, name, length) &&
         strspn(full + length, "0123456789") == strlen(full + length);
}

/* ---- types --------------------------------------------------------------- */

static bool is_float(const struct type *type) {
  return strstr(type->name, "float") || strstr(type->name, "double");
}

static bool is_union(const struct type *record) {
  for (size_t i = 0; i < record->members.size; i++)
    if (record->members.at[i].offset)
      return false;
  return true;
}

static bool has_member(const struct type *record, LLVMValueRef pointer) {
  for (size_t i = 0; i < record->members.size; i++)
    if (is_named(pointer, record->members.at[i].name))
      return true;
  return false;
}

/* LLVM's names are "struct.q", or "struct.q.7" if there are several q, and
 * "struct.anon" for all without a name: of these the members must tell. */
static bool same_record(struct namer *n, const struct type *type,
                        const struct wanted *wanted) {
  const char *full = LLVMGetStructName(wanted->type);
  const char *name = full ? strchr(full, '.') : NULL;
  const char *own = *type->name ? type->name : "anon";
  size_t length = strlen(own);
  if (debug_record(n->debug, wanted->type) == type)
    return true;
  if (!name || strncmp(name + 1, own, length) ||
      (name[1 + length] && name[1 + length] != '.'))
    return false;
  return *type->name || !wanted->part || !*value_name(wanted->part) ||
         has_member(type, wanted->part);
}

/* Can the access be one of an object of the type? */
static bool fits(struct namer *n, const struct type *type,
                 const struct wanted *wanted) {
  if (!type || type->bits != wanted->bits)
    return false;
  if (!wanted->type)
    return true;
  switch (LLVMGetTypeKind(wanted->type)) {
  case LLVMStructTypeKind:
    return type->kind == TYPE_RECORD && same_record(n, type, wanted);
  case LLVMArrayTypeKind:
  case LLVMVectorTypeKind:
    return type->kind == TYPE_ARRAY;
  case LLVMPointerTypeKind:
    return type->kind == TYPE_POINTER;
  case LLVMIntegerTypeKind:
    return type->kind == TYPE_SCALAR && !is_float(type);
  default:
    return type->kind == TYPE_SCALAR && is_float(type);
  }
}

static struct wanted wanted_type(const struct namer *n, LLVMValueRef pointer,
                                 LLVMTypeRef type) {
  uint64_t size =
      LLVMTypeIsSized(type) ? LLVMABISizeOfType(n->layout, type) : 0;
  return (struct wanted){type, 8 * size, LLVMIsConstant(pointer), NULL};
}

static void step_to_member(struct namer *n, struct named_expression *e,
                           const struct debug_member *member) {
  e->type = debug_type(n->debug, member->type);
  add_member(e, member->name);
}

static void step_to_element(struct namer *n, struct named_expression *e,
                            const struct named_expression *index) {
  bool is_array = e->type && e->type->kind == TYPE_ARRAY;
  e->type = is_array ? debug_element(n->debug, e->type) : NULL;
  dereference(e);
  add_index(e, index);
}

static unsigned find_parts(struct namer *, struct named_expression,
                           const struct wanted *,
                           struct named_expression *found);

static unsigned find_members(struct namer *n, const struct named_expression *e,
                             const struct wanted *wanted,
                             struct named_expression *found) {
  unsigned count = 0;
  for (size_t i = 0; i < e->type->members.size; i++) {
    const struct debug_member *member = &e->type->members.at[i];
    struct named_expression part = *e;
    if (member->offset || member->bit_field)
      continue;
    step_to_member(n, &part, member);
    count += find_parts(n, part, wanted, found);
  }
  return count;
}

/* The parts at the start of the object, and of its parts, that fit: how many,
 * and the last of them. */
static unsigned find_parts(struct namer *n, struct named_expression e,
                           const struct wanted *wanted,
                           struct named_expression *found) {
  if (fits(n, e.type, wanted)) {
    *found = e;
    return 1;
  }
  if (!e.type || e.type->bits < wanted->bits)
    return 0;
  if (e.type->kind == TYPE_RECORD)
    return wanted->simplified || is_union(e.type)
               ? find_members(n, &e, wanted, found)
               : 0;
  if (e.type->kind != TYPE_ARRAY || !wanted->simplified)
    return 0;
  struct named_expression zero = named("0", NULL);
  step_to_element(n, &e, &zero);
  return find_parts(n, e, wanted, found);
}

/* Makes the object the part of it that is meant, if there is no doubt. */
static bool narrow(struct namer *n, struct named_expression *e,
                   const struct wanted *wanted) {
  struct named_expression found;
  if (!wanted->bits || find_parts(n, *e, wanted, &found) != 1)
    return false;
  *e = found;
  return true;
}

/* ---- members and elements ------------------------------------------------ */

/* The member in these bits.  The pointer is named after it, unless it is a
 * constant or the member has no name: that tells bit-fields apart, which share
 * a place. */
static const struct debug_member *find_member(const struct type *record,
                                              uint64_t start, uint64_t size,
                                              LLVMValueRef pointer) {
  const struct debug_member *found = NULL;
  unsigned count = 0;
  for (size_t i = 0; i < record->members.size; i++) {
    const struct debug_member *member = &record->members.at[i];
    if (member->offset != start &&
        (member->offset < start || member->offset >= start + size))
      continue;
    if (is_named(pointer, member->name))
      return member;
    if (*value_name(pointer) && *member->name)
      continue;
    found = member;
    count++;
  }
  return count == 1 ? found : NULL;
}

static void step_to_field(struct namer *n, struct named_expression *e,
                          LLVMTypeRef type, unsigned field,
                          LLVMValueRef pointer) {
  uint64_t start = 8 * LLVMOffsetOfElement(n->layout, type, field);
  LLVMTypeRef inner = LLVMStructGetTypeAtIndex(type, field);
  uint64_t size = 8 * LLVMABISizeOfType(n->layout, inner);
  bool is_named_field = *value_name(pointer) || LLVMIsConstant(pointer);
  if (!e->type && LLVMGetStructName(type) && is_named_field) {
    struct named_expression name = from_value_name(pointer);
    add_member(e, name.text);
  } else if (e->type && e->type->kind == TYPE_RECORD) {
    const struct debug_member *member =
        find_member(e->type, start, size, pointer);
    if (member)
      step_to_member(n, e, member);
    else if (start || !is_union(e->type))
      e->type = NULL;
  }
}

static bool is_zero(LLVMValueRef index) {
  return LLVMIsAConstantInt(index) && !LLVMConstIntGetZExtValue(index);
}

/* What the front end wrote as several getelementptr, constants have in one, and
 * indices of 0 at the end are left out or not as LLVM likes. */
static unsigned count_indices(LLVMValueRef pointer) {
  unsigned count = (unsigned)LLVMGetNumOperands(pointer) - 1;
  if (LLVMIsAConstantExpr(pointer))
    while (count && is_zero(LLVMGetOperand(pointer, count)))
      count--;
  return count;
}

/* Makes the object at `pointer` one of the type that `part` steps into. */
static void settle(struct namer *n, struct named_expression *e,
                   LLVMValueRef pointer, LLVMValueRef part, LLVMTypeRef type) {
  struct wanted wanted = wanted_type(n, pointer, type);
  wanted.part = part;
  if (!narrow(n, e, &wanted))
    e->type = debug_record(n->debug, type);
}

/* The object that the pointer starts from. */
static struct named_expression base_object(struct namer *n,
                                           LLVMValueRef pointer) {
  LLVMValueRef base = LLVMGetOperand(pointer, 0);
  struct named_expression e = object_at(n, base);
  settle(n, &e, base, pointer, LLVMGetGEPSourceElementType(pointer));
  note_base(&e);
  return e;
}

/* An array where C takes it for a pointer to its first element. */
static void decay(struct namer *n, struct named_expression *e) {
  bool is_array = e->type && e->type->kind == TYPE_ARRAY;
  dereference(e);
  e->through = e->decayed = true;
  e->type = is_array ? debug_element(n->debug, e->type) : NULL;
}

/* As C has it, pointers are indexed like arrays.  After a cast the index counts
 * objects of a type that the text does not tell. */
static struct named_expression element_behind(struct namer *n,
                                              LLVMValueRef pointer) {
  LLVMValueRef base = LLVMGetOperand(pointer, 0);
  struct named_expression e = object_at(n, base);
  struct named_expression index = value_of(n, LLVMGetOperand(pointer, 1));
  struct wanted wanted =
      wanted_type(n, base, LLVMGetGEPSourceElementType(pointer));
  bool known = !e.type || narrow(n, &e, &wanted);
  if (!known && e.type->kind == TYPE_ARRAY && !e.through)
    decay(n, &e); /* its length is not constant */
  else if (!known)
    return pointed_to_by(unknown());
  note_base(&e);
  if (!e.through)
    add_prefix(&e, "&");
  add_index(&e, &index);
  return e;
}

/* Returns the type that was stepped to. */
static LLVMTypeRef step_into(struct namer *n, struct named_expression *e,
                             LLVMTypeRef type, LLVMValueRef index,
                             LLVMValueRef pointer) {
  settle(n, e, pointer, pointer, type);
  if (LLVMGetTypeKind(type) == LLVMStructTypeKind) {
    unsigned field = (unsigned)LLVMConstIntGetZExtValue(index);
    step_to_field(n, e, type, field, pointer);
    return LLVMStructGetTypeAtIndex(type, field);
  }
  struct named_expression text = value_of(n, index);
  step_to_element(n, e, &text);
  return LLVMGetElementType(type);
}

static struct named_expression part_at(struct namer *n, LLVMValueRef pointer) {
  LLVMTypeRef type = LLVMGetGEPSourceElementType(pointer);
  unsigned count = count_indices(pointer);
  bool steps = count == 1 || (count && !is_zero(LLVMGetOperand(pointer, 1)));
  struct named_expression e =
      steps ? element_behind(n, pointer) : base_object(n, pointer);
  for (unsigned i = 2; i <= count; i++)
    type = step_into(n, &e, type, LLVMGetOperand(pointer, i), pointer);
  return e;
}

static struct named_expression decayed(struct namer *n, LLVMValueRef pointer) {
  struct named_expression e = base_object(n, pointer);
  decay(n, &e);
  return e;
}

/* ---- objects ------------------------------------------------------------- */

static LLVMOpcode opcode_of(LLVMValueRef value) {
  if (LLVMIsAInstruction(value))
    return LLVMGetInstructionOpcode(value);
  return LLVMIsAConstantExpr(value) ? LLVMGetConstOpcode(value) : 0;
}

/* In `++p` and `p += n` the value is p's: the variable that the value is stored
 * to, if its first operand comes from there; or NULL. */
static LLVMValueRef updated_variable(LLVMValueRef value) {
  LLVMValueRef old = LLVMGetOperand(value, 0);
  if (opcode_of(old) != LLVMLoad)
    return NULL;
  for (LLVMUseRef use = LLVMGetFirstUse(value); use;
       use = LLVMGetNextUse(use)) {
    LLVMValueRef user = LLVMGetUser(use);
    if (opcode_of(user) == LLVMStore && LLVMGetOperand(user, 0) == value &&
        LLVMGetOperand(user, 1) == LLVMGetOperand(old, 0))
      return LLVMGetOperand(old, 0);
  }
  return NULL;
}

static bool is_thread_local_address(LLVMValueRef value) {
  LLVMValueRef callee =
      LLVMIsACallInst(value) ? LLVMGetCalledValue(value) : NULL;
  return callee && LLVMIsAFunction(callee) && LLVMGetIntrinsicID(callee) &&
         !strncmp(value_name(callee), "llvm.threadlocal.address", 24);
}

/* A variable of static duration in a function is "function.variable". */
static struct named_expression global_named(LLVMValueRef global) {
  const char *name = value_name(global);
  const char *dot = strrchr(name, '.');
  return dot == name ? unknown() : named(dot ? dot + 1 : name, NULL);
}

/* Does the call return a struct in the variable? */
static bool returns_in(struct namer *n, LLVMValueRef call,
                       LLVMValueRef variable) {
  unsigned sret = n->debug->unit->attribute[ATTRIBUTE_SRET];
  return LLVMGetNumArgOperands(call) && LLVMGetOperand(call, 0) == variable &&
         LLVMGetCallSiteEnumAttribute(call, 1, sret);
}

/* The value that the instruction puts into the variable, or NULL. */
static LLVMValueRef put_into(struct namer *n, LLVMValueRef instruction,
                             LLVMValueRef variable) {
  switch (opcode_of(instruction)) {
  case LLVMStore:
    return LLVMGetOperand(instruction, 1) == variable
               ? LLVMGetOperand(instruction, 0)
               : NULL;
  case LLVMCall:
    return returns_in(n, instruction, variable) ? instruction : NULL;
  default:
    return NULL;
  }
}

/* How many values are put into the variable, and the last one found. */
static unsigned find_values(struct namer *n, LLVMValueRef variable,
                            LLVMValueRef *found) {
  unsigned count = 0;
  for (LLVMUseRef use = LLVMGetFirstUse(variable); use;
       use = LLVMGetNextUse(use)) {
    LLVMValueRef user = LLVMGetUser(use);
    LLVMValueRef value = put_into(n, user, variable);
    if (value) {
      *found = value;
      count++;
    } else if (opcode_of(user) == LLVMBitCast) {
      count += find_values(n, user, found);
    }
  }
  return count;
}

/* A variable of the front end's own is named after the value in it, if there is
 * only one. */
static struct named_expression temporary(struct namer *n,
                                         LLVMValueRef variable) {
  LLVMValueRef found = NULL;
  unsigned count = find_values(n, variable, &found);
  struct named_expression e = count == 1 ? value_of(n, found) : unknown();
  e.type = NULL;
  return e;
}

static struct named_expression local_at(struct namer *n,
                                        LLVMValueRef variable) {
  LLVMValueRef function =
      LLVMGetBasicBlockParent(LLVMGetInstructionParent(variable));
  return LLVMGetSubprogram(function) ? temporary(n, variable)
                                     : from_value_name(variable);
}

static struct named_expression find_object(struct namer *n,
                                           LLVMValueRef pointer) {
  struct debug_variable variable;
  if (debug_variable(n->debug, pointer, &variable))
    return named(variable.name, variable.type);
  if (LLVMIsAGlobalValue(pointer))
    return global_named(pointer);
  if (is_thread_local_address(pointer))
    return object_at(n, LLVMGetOperand(pointer, 0));
  switch (opcode_of(pointer)) {
  case LLVMAlloca:
    return local_at(n, pointer);
  case LLVMBitCast:
  case LLVMAddrSpaceCast:
    return object_at(n, LLVMGetOperand(pointer, 0));
  case LLVMGetElementPtr:
    if (is_named(pointer, "arraydecay"))
      return decayed(n, pointer);
    return updated_variable(pointer) ? pointed_to_by(value_of(n, pointer))
                                     : part_at(n, pointer);
  default:
    return pointed_to_by(value_of(n, pointer));
  }
}

static struct named_expression object_at(struct namer *n,
                                         LLVMValueRef pointer) {
  if (n->depth > MOST_DEPTH)
    return unknown();
  n->depth++;
  struct named_expression e = find_object(n, pointer);
  n->depth--;
  return e;
}

/* ---- values -------------------------------------------------------------- */

static const char *infix_operator(LLVMOpcode opcode) {
  switch (opcode) {
  case LLVMAdd:
    return "+";
  case LLVMSub:
    return "-";
  case LLVMMul:
    return "*";
  case LLVMUDiv:
  case LLVMSDiv:
    return "/";
  case LLVMURem:
  case LLVMSRem:
    return "%";
  case LLVMShl:
    return "<<";
  case LLVMLShr:
  case LLVMAShr:
    return ">>";
  case LLVMAnd:
    return "&";
  case LLVMOr:
    return "|";
  case LLVMXor:
    return "^";
  default:
    return NULL;
  }
}

static bool is_number(LLVMValueRef value, long long number) {
  return LLVMIsAConstantInt(value) &&
         LLVMGetIntTypeWidth(LLVMTypeOf(value)) <= 64 &&
         LLVMConstIntGetSExtValue(value) == number;
}

/* -n is 0 - n to LLVM, and ~n is n ^ -1. */
static const char *prefix_operator(LLVMValueRef value) {
  LLVMOpcode opcode = opcode_of(value);
  if (opcode == LLVMSub && is_number(LLVMGetOperand(value, 0), 0))
    return "-";
  if (opcode == LLVMXor && is_number(LLVMGetOperand(value, 1), -1))
    return "~";
  return NULL;
}

static struct named_expression prefixed(struct namer *n, LLVMValueRef value,
                                        const char *sign) {
  struct named_expression e = value_of(n, LLVMGetOperand(value, *sign == '-'));
  hold(&e, POSTFIX);
  add_prefix(&e, sign);
  e.type = NULL;
  return e;
}

static struct named_expression infix(struct namer *n, LLVMValueRef value,
                                     const char *sign) {
  struct named_expression left = value_of(n, LLVMGetOperand(value, 0));
  struct named_expression right = value_of(n, LLVMGetOperand(value, 1));
  char behind[2 * NAME_MOST];
  hold(&left, PREFIX);
  hold(&right, PREFIX);
  snprintf(behind, sizeof behind, " %s %s", sign, right.text);
  wrap(&left, "", behind);
  left.cut = left.cut || right.cut;
  left.binding = INFIX;
  left.type = NULL;
  return left;
}

static struct named_expression loaded(struct namer *n, LLVMValueRef pointer,
                                      LLVMTypeRef type) {
  struct named_expression e = object_at(n, pointer);
  struct wanted wanted = wanted_type(n, pointer, type);
  narrow(n, &e, &wanted);
  dereference(&e);
  e.type = e.type && e.type->kind == TYPE_POINTER
               ? debug_type(n->debug, e.type->base)
               : NULL;
  return e;
}

static struct named_expression address_of(struct namer *n,
                                          LLVMValueRef pointer) {
  struct named_expression e = object_at(n, pointer);
  if (!e.through)
    add_prefix(&e, "&");
  e.through = false;
  return e;
}

static struct named_expression called(struct namer *n, LLVMValueRef call) {
  LLVMValueRef callee = LLVMGetCalledValue(call);
  unsigned sret = n->debug->unit->attribute[ATTRIBUTE_SRET];
  bool hidden = LLVMGetNumArgOperands(call) &&
                LLVMGetCallSiteEnumAttribute(call, 1, sret);
  if (LLVMIsAInlineAsm(callee))
    return unknown();
  struct named_expression e = LLVMIsAFunction(callee)
                                  ? named(value_name(callee), NULL)
                                  : value_of(n, callee);
  hold(&e, POSTFIX);
  wrap(&e, "", LLVMGetNumArgOperands(call) > hidden ? "(...)" : "()");
  e.type = NULL;
  return e;
}

static struct named_expression number(LLVMValueRef constant) {
  char text[32];
  snprintf(text, sizeof text, "%lld", LLVMConstIntGetSExtValue(constant));
  return named(text, NULL);
}

static struct named_expression computed(struct namer *n, LLVMValueRef value) {
  LLVMOpcode opcode = opcode_of(value);
  const char *prefix = prefix_operator(value);
  const char *sign = infix_operator(opcode);
  LLVMValueRef variable =
      sign || opcode == LLVMGetElementPtr ? updated_variable(value) : NULL;
  if (variable)
    return loaded(n, variable, LLVMTypeOf(value));
  if (prefix)
    return prefixed(n, value, prefix);
  if (sign)
    return infix(n, value, sign);
  switch (opcode) {
  case LLVMLoad:
    return loaded(n, LLVMGetOperand(value, 0), LLVMTypeOf(value));
  case LLVMAlloca:
  case LLVMGetElementPtr:
    return address_of(n, value);
  case LLVMCall:
    return called(n, value);
  case LLVMTrunc:
  case LLVMZExt:
  case LLVMSExt:
  case LLVMBitCast:
  case LLVMPtrToInt:
  case LLVMIntToPtr:
    return value_of(n, LLVMGetOperand(value, 0));
  default:
    return unknown();
  }
}

static struct named_expression find_value(struct namer *n, LLVMValueRef value) {
  if (LLVMIsAConstantInt(value) && LLVMGetIntTypeWidth(LLVMTypeOf(value)) <= 64)
    return number(value);
  if (LLVMIsAConstantPointerNull(value))
    return named("NULL", NULL);
  if (LLVMIsAFunction(value))
    return named(value_name(value), NULL);
  if (LLVMIsAGlobalValue(value) || map_get(&n->debug->variables, value))
    return address_of(n, value);
  return computed(n, value);
}

static struct named_expression value_of(struct namer *n, LLVMValueRef value) {
  if (n->depth > MOST_DEPTH)
    return unknown();
  n->depth++;
  struct named_expression e = find_value(n, value);
  n->depth--;
  return e;
}

/* ---- the way in ---------------------------------------------------------- */

static void copy_title(char to[NAME_MOST], const struct type *type) {
  bool fits = type && strlen(type->title) < NAME_MOST;
  snprintf(to, NAME_MOST, "%s", fits ? type->title : "");
}

void name_object(struct debug *debug, LLVMValueRef pointer, LLVMTypeRef type,
                 uint64_t size, struct object_name *name) {
  struct namer n = {.debug = debug, .layout = debug->unit->layout};
  struct named_expression e = object_at(&n, pointer);
  struct wanted wanted = {NULL, 8 * size, LLVMIsConstant(pointer), NULL};
  if (type)
    wanted = wanted_type(&n, pointer, type);
  if (!narrow(&n, &e, &wanted) && e.decayed)
    e.through = false; /* more than an element */
  note_base(&e);
  dereference(&e);
  bool tells = !e.cut && strcmp(e.text, "?") && strcmp(e.text, "*?");
  snprintf(name->text, NAME_MOST, "%s", tells ? e.text : "");
  copy_title(name->type, e.base);
}

void name_result(struct debug *debug, LLVMValueRef call, char type[NAME_MOST]) {
  struct namer n = {.debug = debug, .layout = debug->unit->layout};
  *type = 0;
  for (LLVMUseRef use = LLVMGetFirstUse(call); use && !*type;
       use = LLVMGetNextUse(use)) {
    LLVMValueRef user = LLVMGetUser(use);
    if (opcode_of(user) == LLVMBitCast)
      name_result(debug, user, type);
    if (opcode_of(user) != LLVMStore || LLVMGetOperand(user, 0) != call)
      continue;
    struct named_expression e = object_at(&n, LLVMGetOperand(user, 1));
    struct wanted wanted =
        wanted_type(&n, LLVMGetOperand(user, 1), LLVMTypeOf(call));
    narrow(&n, &e, &wanted);
    if (e.type && e.type->kind == TYPE_POINTER)
      copy_title(type, debug_type(debug, e.type->base));
  }
}
