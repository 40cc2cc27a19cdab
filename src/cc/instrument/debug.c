/* Debug information is a graph of metadata nodes, which LLVM's C interface
 * shows as lists of operands.  Their order is stable as far as it is used here:
 * a type's name has a function, a variable's name is operand 1, and operands
 * from number 3 on hold no other type before the base type. */
#include "debug.h"

#include <llvm-c/DebugInfo.h>
#include <llvm/Config/llvm-config.h>
#include <stdio.h>
#include <stdlib.h>

#include "util/ensure.h"

typedef VEC(LLVMValueRef) operand_list;

enum { FIRST_TYPE = 3, VARIABLE_NAME = 1 };

/* ---- nodes --------------------------------------------------------------- */

static LLVMValueRef as_value(const struct debug *d, LLVMMetadataRef node) {
  return LLVMMetadataAsValue(d->unit->context, node);
}

/* Nodes appear as values.  Constants do, too, and are no nodes. */
static LLVMMetadataRef as_node(LLVMValueRef value) {
  if (!value || LLVMGetTypeKind(LLVMTypeOf(value)) != LLVMMetadataTypeKind)
    return NULL;
  return LLVMValueAsMetadata(value);
}

static bool has_operands(LLVMMetadataRef node) {
  return node && LLVMGetMetadataKind(node) >= LLVMMDTupleMetadataKind;
}

static void get_operands(const struct debug *d, LLVMMetadataRef node,
                         operand_list *list) {
  LLVMValueRef value = as_value(d, node);
  VEC_CLEARED(*list, LLVMGetMDNodeNumOperands(value));
  if (list->size)
    LLVMGetMDNodeOperands(value, list->at);
}

static bool is_type(LLVMMetadataRef node) {
  if (!node)
    return false;
  LLVMMetadataKind kind = LLVMGetMetadataKind(node);
  return kind == LLVMDIBasicTypeMetadataKind ||
         kind == LLVMDIDerivedTypeMetadataKind ||
         kind == LLVMDICompositeTypeMetadataKind ||
         kind == LLVMDISubroutineTypeMetadataKind;
}

static bool is_kind(LLVMMetadataRef node, LLVMMetadataKind kind) {
  return node && LLVMGetMetadataKind(node) == kind;
}

/* The type of a variable, or the type that a type is built from. */
static type_reference base_type(const operand_list *operands) {
  for (size_t i = FIRST_TYPE; i < operands->size; i++)
    if (is_type(as_node(operands->at[i])))
      return as_node(operands->at[i]);
  return NULL;
}

static type_reference base_of(const struct debug *d, LLVMMetadataRef node) {
  operand_list operands = {0};
  get_operands(d, node, &operands);
  type_reference base = base_type(&operands);
  VEC_FREE(operands);
  return base;
}

static const char *type_name(type_reference type) {
  size_t length = 0;
  const char *name = LLVMDITypeGetName(type, &length);
  return length ? name : "";
}

/* ---- types --------------------------------------------------------------- */

/* Typedefs and qualifiers have no size; pointers have one. */
static bool is_alias(type_reference type) {
  return is_kind(type, LLVMDIDerivedTypeMetadataKind) &&
         !LLVMDITypeGetSizeInBits(type);
}

static void add_members(struct debug *d, struct type *type,
                        const operand_list *elements) {
  for (size_t i = 0; i < elements->size; i++) {
    LLVMMetadataRef node = as_node(elements->at[i]);
    if (is_kind(node, LLVMDIDerivedTypeMetadataKind))
      VEC_PUSH(type->members,
               (struct debug_member){
                   type_name(node), LLVMDITypeGetOffsetInBits(node),
                   LLVMDITypeGetFlags(node) & LLVMDIFlagBitField,
                   base_of(d, node)});
  }
}

static uint64_t array_length(const struct debug *d, LLVMMetadataRef range) {
  operand_list operands = {0};
  get_operands(d, range, &operands);
  LLVMValueRef count = operands.size ? operands.at[0] : NULL;
  VEC_FREE(operands);
  return count && LLVMIsAConstantInt(count) ? LLVMConstIntGetZExtValue(count)
                                            : 0;
}

static struct type *new_type(enum type_kind kind, uint64_t bits) {
  struct type *type = calloc(1, sizeof *type);
  ensure(type); /* out of memory */
  type->kind = kind;
  type->name = type->title = "";
  type->bits = bits;
  return type;
}

/* An array of arrays is one node with several ranges. */
static void add_rows(const struct debug *d, struct type *array,
                     const operand_list *ranges) {
  for (size_t i = 0; i + 1 < ranges->size; i++) {
    uint64_t length = array_length(d, as_node(ranges->at[i]));
    array->row = new_type(TYPE_ARRAY, length ? array->bits / length : 0);
    array->row->base = array->base;
    array = array->row;
  }
}

static void read_composite(struct debug *d, type_reference node,
                           struct type *type) {
  operand_list operands = {0}, elements = {0};
  get_operands(d, node, &operands);
  type->base = base_type(&operands);
  for (size_t i = FIRST_TYPE; i < operands.size && !elements.size; i++)
    if (is_kind(as_node(operands.at[i]), LLVMMDTupleMetadataKind))
      get_operands(d, as_node(operands.at[i]), &elements);
  if (!type->base) {
    type->kind = TYPE_RECORD;
    add_members(d, type, &elements);
  } else if (elements.size &&
             is_kind(as_node(elements.at[0]), LLVMDISubrangeMetadataKind)) {
    type->kind = TYPE_ARRAY;
    add_rows(d, type, &elements);
  }
  VEC_FREE(operands);
  VEC_FREE(elements);
}

static struct type *read_type(struct debug *d, type_reference node) {
  struct type *type = new_type(TYPE_SCALAR, LLVMDITypeGetSizeInBits(node));
  type->name = type->title = type_name(node);
  if (is_kind(node, LLVMDICompositeTypeMetadataKind)) {
    read_composite(d, node, type);
  } else if (is_kind(node, LLVMDIDerivedTypeMetadataKind)) {
    type->kind = TYPE_POINTER;
    type->base = base_of(d, node);
  }
  return type;
}

const struct type *debug_type(struct debug *d, type_reference node) {
  const char *alias = "";
  for (; is_alias(node); node = base_of(d, node))
    if (*type_name(node))
      alias = type_name(node);
  if (!node)
    return NULL;
  struct type *type = map_get(&d->types, node);
  if (!type) {
    type = read_type(d, node);
    *map_place(&d->types, node) = type;
  }
  if (!*type->title)
    type->title = alias;
  return type;
}

const struct type *debug_element(struct debug *d, const struct type *array) {
  return array->row ? array->row : debug_type(d, array->base);
}

const struct type *debug_record(struct debug *d, LLVMTypeRef type) {
  return debug_type(d, map_get(&d->records, type));
}

/* ---- which record LLVM's types stand for --------------------------------- */

static void add_record(struct debug *d, const char *name, type_reference node) {
  static const char *const words[] = {"struct", "union"};
  for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
    char full[256];
    snprintf(full, sizeof full, "%s.%s", words[i], name);
    LLVMTypeRef type = LLVMGetTypeByName2(d->unit->context, full);
    if (type && LLVMTypeIsSized(type) &&
        8 * LLVMABISizeOfType(d->unit->layout, type) ==
            LLVMDITypeGetSizeInBits(node))
      *map_place(&d->records, type) = node;
  }
}

/* A record without a tag is named after its typedef. */
static void look_at_type(struct debug *d, LLVMMetadataRef node) {
  type_reference base = is_alias(node) ? base_of(d, node) : NULL;
  if (is_kind(node, LLVMDICompositeTypeMetadataKind))
    add_record(d, type_name(node), node);
  else if (is_kind(base, LLVMDICompositeTypeMetadataKind) && !*type_name(base))
    add_record(d, type_name(node), base);
}

/* Looks at all types that can be reached from the node. */
static void walk(struct debug *d, LLVMMetadataRef start) {
  VEC(LLVMMetadataRef) left = {0};
  operand_list operands = {0};
  VEC_PUSH(left, start);
  while (left.size) {
    LLVMMetadataRef node = VEC_POP(left);
    if (!has_operands(node) || map_get(&d->seen, node))
      continue;
    *map_place(&d->seen, node) = node;
    look_at_type(d, node);
    get_operands(d, node, &operands);
    for (size_t i = 0; i < operands.size; i++)
      VEC_PUSH(left, as_node(operands.at[i]));
  }
  VEC_FREE(left);
  VEC_FREE(operands);
}

/* ---- variables ----------------------------------------------------------- */

static void add_variable(struct debug *d, LLVMValueRef value,
                         LLVMMetadataRef node) {
  if (!value || !node)
    return;
  *map_place(&d->variables, value) = node;
  walk(d, node);
}

/* String literals are variables without a name. */
static const char *variable_name(const operand_list *operands) {
  unsigned length = 0;
  LLVMValueRef name =
      operands->size > VARIABLE_NAME ? operands->at[VARIABLE_NAME] : NULL;
  return name ? LLVMGetMDString(name, &length) : NULL;
}

bool debug_variable(struct debug *d, LLVMValueRef value,
                    struct debug_variable *variable) {
  LLVMMetadataRef node = map_get(&d->variables, value);
  operand_list operands = {0};
  if (!node)
    return false;
  get_operands(d, node, &operands);
  variable->name = variable_name(&operands);
  variable->type = debug_type(d, base_type(&operands));
  VEC_FREE(operands);
  return variable->name;
}

/* The node says which variable it is and how to find it there. */
static void add_global(struct debug *d, LLVMValueRef global) {
  size_t count = 0;
  LLVMValueMetadataEntry *entries = LLVMGlobalCopyAllMetadata(global, &count);
  for (unsigned i = 0; i < count; i++) {
    LLVMMetadataRef node = LLVMValueMetadataEntriesGetMetadata(entries, i);
    operand_list operands = {0};
    if (!is_kind(node, LLVMDIGlobalVariableExpressionMetadataKind))
      continue;
    get_operands(d, node, &operands);
    add_variable(d, global, as_node(operands.at[0]));
    VEC_FREE(operands);
  }
  LLVMDisposeValueMetadataEntries(entries);
}

/* In which way an instruction of LLVM says what variable an alloca is. */
#if LLVM_VERSION_MAJOR >= 22

static void open_module(const struct unit *u) {
  (void)u;
}

static void add_locals(struct debug *d, LLVMValueRef instruction) {
  for (LLVMDbgRecordRef r = LLVMGetFirstDbgRecord(instruction); r;
       r = LLVMGetNextDbgRecord(r))
    if (LLVMDbgRecordGetKind(r) == LLVMDbgRecordDeclare)
      add_variable(d, LLVMDbgVariableRecordGetValue(r, 0),
                   LLVMDbgVariableRecordGetVariable(r));
}

#else

/* Before 22 the records that are new in 19 cannot be read, but can become calls
 * again (not in 21). */
static void open_module(const struct unit *u) {
#if LLVM_VERSION_MAJOR >= 19
  LLVMSetIsNewDbgInfoFormat(u->module, false);
#else
  (void)u;
#endif
}

static void add_locals(struct debug *d, LLVMValueRef instruction) {
  if (!LLVMIsADbgDeclareInst(instruction))
    return;
  LLVMValueRef place = LLVMGetOperand(instruction, 0);
  if (LLVMGetMDNodeNumOperands(place)) /* it was not optimised away */
    add_variable(d, LLVMGetOperand(place, 0),
                 as_node(LLVMGetOperand(instruction, 1)));
}

#endif

/* ---- all of it ----------------------------------------------------------- */

struct debug *debug_open(struct unit *u) {
  struct debug *d = calloc(1, sizeof *d);
  ensure(d); /* out of memory */
  d->unit = u;
  open_module(u);
  for (LLVMValueRef g = LLVMGetFirstGlobal(u->module); g;
       g = LLVMGetNextGlobal(g))
    add_global(d, g);
  return d;
}

void debug_add_function(struct debug *d, LLVMValueRef function) {
  LLVMMetadataRef node = LLVMGetSubprogram(function);
  if (!node)
    return;
  walk(d, node);
  for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block;
       block = LLVMGetNextBasicBlock(block))
    for (LLVMValueRef i = LLVMGetFirstInstruction(block); i;
         i = LLVMGetNextInstruction(i))
      add_locals(d, i);
}

static void free_type(struct type *type) {
  while (type) {
    struct type *row = type->row;
    VEC_FREE(type->members);
    free(type);
    type = row;
  }
}

void debug_close(struct debug *d) {
  if (!d)
    return;
  for (size_t i = 0; i < d->types.entries.size; i++)
    free_type(d->types.entries.at[i].value);
  map_free(&d->variables);
  map_free(&d->types);
  map_free(&d->records);
  map_free(&d->seen);
  free(d);
}
