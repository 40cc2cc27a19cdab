/* Data: from an address to a variable's name, and from bytes to a value. */
#include <dwarf.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report/dwarf.h"

/* What is known of some bytes. */
struct named_bytes {
  const char *name; /* NULL: no variable */
  bool typed;       /* the bytes are one scalar of this type */
  Dwarf_Die type;
};

/* ---- all variables of a module ------------------------------------------- */

/* The address that a location expression consists of. */
static bool fixed_address(Dwarf_Die *die, Dwarf_Addr *address) {
  Dwarf_Attribute attribute, indirect;
  Dwarf_Op *ops;
  size_t count;
  if (!dwarf_attr_integrate(die, DW_AT_location, &attribute) ||
      dwarf_getlocation(&attribute, &ops, &count) || count != 1)
    return false;
  if (ops[0].atom == DW_OP_addr) {
    *address = ops[0].number;
    return true;
  }
  if (ops[0].atom != DW_OP_addrx && ops[0].atom != DW_OP_GNU_addr_index)
    return false;
  return !dwarf_getlocation_attr(&attribute, ops, &indirect) &&
         !dwarf_formaddr(&indirect, address);
}

static bool type_of(Dwarf_Die *die, Dwarf_Die *type) {
  Dwarf_Attribute attribute;
  return dwarf_attr_integrate(die, DW_AT_type, &attribute) &&
         dwarf_formref_die(&attribute, type);
}

/* Inside a function, static variables have its name before theirs. */
static void note_variable(struct source_lines *source, struct globals *globals,
                          Dwarf_Die *die, Dwarf_Addr bias,
                          const char *function) {
  Dwarf_Addr address;
  Dwarf_Word size;
  struct global global;
  const char *name = dwarf_diename(die);
  if (!name || !fixed_address(die, &address) || !type_of(die, &global.type) ||
      dwarf_aggregate_size(&global.type, &size) || !size)
    return;
  global.start = address + bias;
  global.size = size;
  global.name =
      function ? texts_format(&source->texts, "%s::%s", function, name) : name;
  VEC_PUSH(globals->sorted, global);
}

static void walk(struct source_lines *source, struct globals *globals,
                 Dwarf_Die *parent, Dwarf_Addr bias, const char *function) {
  Dwarf_Die die;
  if (dwarf_child(parent, &die))
    return;
  do {
    switch (dwarf_tag(&die)) {
    case DW_TAG_variable:
      note_variable(source, globals, &die, bias, function);
      break;
    case DW_TAG_subprogram:
      walk(source, globals, &die, bias, dwarf_diename(&die));
      break;
    case DW_TAG_lexical_block:
      walk(source, globals, &die, bias, function);
      break;
    default:
      break;
    }
  } while (!dwarf_siblingof(&die, &die));
}

static int by_start(const void *a, const void *b) {
  const struct global *x = a, *y = b;
  return x->start < y->start ? -1 : x->start > y->start;
}

static struct globals *globals_of(struct source_lines *source,
                                  Dwfl_Module *module) {
  for (size_t i = 0; i < source->modules.size; i++)
    if (source->modules.at[i].module == module)
      return &source->modules.at[i];
  VEC_PUSH(source->modules, (struct globals){.module = module});
  struct globals *globals = &VEC_TOP(source->modules);
  Dwarf_Addr bias;
  Dwarf_Die *unit = 0;
  while ((unit = dwfl_module_nextcu(module, unit, &bias)))
    walk(source, globals, unit, bias, 0);
  if (globals->sorted.size)
    qsort(globals->sorted.at, globals->sorted.size, sizeof(struct global),
          by_start);
  return globals;
}

/* The last variable that starts at or before the address, if it reaches it. */
static const struct global *find_global(const struct globals *globals,
                                        uint64_t address) {
  size_t low = 0, high = globals->sorted.size;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (globals->sorted.at[middle].start <= address)
      low = middle + 1;
    else
      high = middle;
  }
  const struct global *found = low ? &globals->sorted.at[low - 1] : 0;
  return found && address - found->start < found->size ? found : 0;
}

/* ---- into a variable ----------------------------------------------------- */

/* A part of a variable on the way down to the bytes asked for. */
struct variable_part {
  Dwarf_Die type;
  uint64_t offset; /* of the bytes asked for, in the part */
  uint64_t size;   /* of the bytes asked for */
  bool bits;       /* a bit field: the bytes hold more than it */
  struct text name;
};

/* Types whose members are not named: a mutex is a mutex. */
static bool is_opaque(const char *name) {
  static const char *const names[] = {"sem_t", "mtx_t",     "cnd_t", "thrd_t",
                                      "tss_t", "once_flag", "FILE"};
  if (!name)
    return false;
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (!strcmp(name, names[i]))
      return true;
  return !strncmp(name, "pthread_", 8);
}

/* Takes typedefs and qualifiers off; false if an opaque one is among them. */
static bool peel(Dwarf_Die *type) {
  for (;;) {
    switch (dwarf_tag(type)) {
    case DW_TAG_typedef:
      if (is_opaque(dwarf_diename(type)))
        return false;
      break;
    case DW_TAG_const_type:
    case DW_TAG_volatile_type:
    case DW_TAG_restrict_type:
    case DW_TAG_atomic_type:
      break;
    default:
      return true;
    }
    Dwarf_Die inner;
    if (!type_of(type, &inner))
      return false; /* void */
    *type = inner;
  }
}

static bool number_of(Dwarf_Die *die, unsigned name, uint64_t *value) {
  Dwarf_Attribute attribute;
  Dwarf_Word word;
  if (!dwarf_attr_integrate(die, name, &attribute) ||
      dwarf_formudata(&attribute, &word))
    return false;
  *value = word;
  return true;
}

enum { DIMENSIONS = 16 };

/* The lengths of an array's dimensions; 0 if there are too many. */
static size_t dimensions(Dwarf_Die *array, uint64_t lengths[DIMENSIONS]) {
  Dwarf_Die child;
  size_t count = 0;
  if (dwarf_child(array, &child))
    return 0;
  do {
    uint64_t bound;
    if (dwarf_tag(&child) != DW_TAG_subrange_type)
      continue;
    if (count == DIMENSIONS)
      return 0;
    if (number_of(&child, DW_AT_count, &bound))
      lengths[count++] = bound;
    else if (number_of(&child, DW_AT_upper_bound, &bound))
      lengths[count++] = bound + 1;
    else
      lengths[count++] = 0; /* unknown: only the first may be */
  } while (!dwarf_siblingof(&child, &child));
  return count;
}

/* Several elements at once: "a[2..4]". */
static void name_range(struct variable_part *part, uint64_t element) {
  uint64_t first = part->offset / element;
  uint64_t last = (part->offset + part->size - 1) / element;
  text_print(&part->name, "[%" PRIu64 "..%" PRIu64 "]", first, last);
}

/* From an array to the element that holds all the bytes. */
static bool into_array(struct variable_part *part) {
  Dwarf_Die element;
  Dwarf_Word size;
  uint64_t lengths[DIMENSIONS], total;
  size_t count = dimensions(&part->type, lengths);
  if (!count || !type_of(&part->type, &element) ||
      dwarf_aggregate_size(&element, &size) || !size)
    return false;
  if (!dwarf_aggregate_size(&part->type, &total) && part->size >= total)
    return false; /* all of it */
  if (part->offset % size + part->size > size) {
    if (count == 1)
      name_range(part, size);
    return false;
  }
  uint64_t index = part->offset / size, indices[DIMENSIONS];
  for (size_t i = count; i-- > 1; index /= lengths[i]) {
    if (!lengths[i])
      return false;
    indices[i] = index % lengths[i];
  }
  indices[0] = index;
  for (size_t i = 0; i < count; i++)
    text_print(&part->name, "[%" PRIu64 "]", indices[i]);
  part->type = element;
  part->offset %= size;
  return true;
}

/* Where a member lies, in bits. */
struct variable_member {
  Dwarf_Die die;
  Dwarf_Die type;
  uint64_t start;
  uint64_t length;
  bool bits;
};

static bool member_read(Dwarf_Die *die, struct variable_member *member) {
  uint64_t offset = 0, bits, storage, high;
  Dwarf_Word size;
  member->die = *die;
  if (!type_of(die, &member->type) ||
      dwarf_aggregate_size(&member->type, &size))
    return false;
  number_of(die, DW_AT_data_member_location, &offset);
  member->start = 8 * offset;
  member->length = 8 * size;
  member->bits = number_of(die, DW_AT_bit_size, &bits);
  if (!member->bits)
    return true;
  member->length = bits;
  if (number_of(die, DW_AT_data_bit_offset, &offset)) {
    member->start = offset;
  } else if (number_of(die, DW_AT_bit_offset, &high)) {
    /* DWARF 2 counts from the storage unit's highest bit. */
    if (!number_of(die, DW_AT_byte_size, &storage))
      storage = size;
    member->start += 8 * storage - high - bits;
  }
  return true;
}

/* How well a member fits the bytes; 0: not at all. */
static int member_rank(const struct variable_part *part,
                       const struct variable_member *member) {
  uint64_t low = 8 * part->offset, high = low + 8 * part->size;
  if (member->bits)
    return member->start < high && low < member->start + member->length;
  if (low < member->start || high > member->start + member->length)
    return 0;
  return member->length == 8 * part->size ? 3 : 2;
}

/* The member that holds the bytes: of a union the first that has just their
 * size, else the first.  Several bit fields in one byte are no answer. */
static bool choose_member(struct variable_part *part,
                          struct variable_member *best) {
  Dwarf_Die child;
  int best_rank = 0, fields = 0;
  if (dwarf_child(&part->type, &child))
    return false;
  do {
    struct variable_member member;
    if (dwarf_tag(&child) != DW_TAG_member || !member_read(&child, &member))
      continue;
    int rank = member_rank(part, &member);
    fields += rank == 1;
    if (rank > best_rank) {
      best_rank = rank;
      *best = member;
    }
  } while (!dwarf_siblingof(&child, &child));
  return best_rank > 1 || fields == 1;
}

/* From a struct or union to the member that holds all the bytes.  Members with
 * reserved names are the implementation's: the search ends above them. */
static bool into_member(struct variable_part *part) {
  struct variable_member member;
  Dwarf_Word total;
  if (dwarf_tag(&part->type) == DW_TAG_structure_type &&
      !dwarf_aggregate_size(&part->type, &total) && part->size >= total &&
      total > 8)
    return false; /* all of it */
  if (!choose_member(part, &member))
    return false;
  const char *name = dwarf_diename(&member.die);
  if (name && !strncmp(name, "__", 2))
    return false;
  if (name)
    text_print(&part->name, "%s%s", part->name.size ? "." : "", name);
  part->type = member.type;
  part->bits = member.bits;
  part->offset = member.bits ? 0 : part->offset - member.start / 8;
  return true;
}

/* Goes down as far as the bytes lie in one part.  True: it is a scalar. */
static bool descend(struct variable_part *part) {
  for (;;) {
    if (part->bits || !peel(&part->type))
      return false;
    switch (dwarf_tag(&part->type)) {
    case DW_TAG_array_type:
      if (!into_array(part))
        return false;
      break;
    case DW_TAG_structure_type:
    case DW_TAG_union_type:
      if (!into_member(part))
        return false;
      break;
    default:
      return true;
    }
  }
}

/* ---- questions ----------------------------------------------------------- */

/* Without debug information, the symbol table's answer. */
static const char *symbol_at(struct source_lines *source, Dwfl_Module *module,
                             uint64_t address) {
  GElf_Sym symbol;
  GElf_Off offset;
  const char *name =
      dwfl_module_addrinfo(module, address, &offset, &symbol, 0, 0, 0);
  if (!name || GELF_ST_TYPE(symbol.st_info) != STT_OBJECT ||
      offset >= symbol.st_size)
    return 0;
  if (!offset)
    return name;
  return texts_format(&source->texts, "%s+%" PRIu64, name, (uint64_t)offset);
}

static void find_datum(struct source_lines *source, uint64_t address,
                       uint64_t size, struct named_bytes *datum) {
  Dwfl_Module *module = source_module_of(source, address);
  if (!module)
    return;
  const struct global *global =
      find_global(globals_of(source, module), address);
  if (!global) {
    datum->name = symbol_at(source, module, address);
    return;
  }
  struct variable_part part = {.type = global->type, .size = size};
  part.offset = address - global->start;
  text_print(&part.name, "%s", global->name);
  Dwarf_Word whole;
  if (descend(&part) && !dwarf_aggregate_size(&part.type, &whole) &&
      whole == size && !part.offset) {
    datum->typed = true;
    datum->type = part.type;
  }
  datum->name = texts_copy(&source->texts, part.name.at, part.name.size);
  VEC_FREE(part.name);
}

static const struct named_bytes *datum_at(struct source_lines *source,
                                          uint64_t address, uint64_t size) {
  struct named_bytes *datum = memo_get(&source->data, address, size);
  if (!datum) {
    datum = source_keep(source, sizeof *datum);
    find_datum(source, address, size, datum);
    memo_put(&source->data, address, size, datum);
  }
  return datum;
}

const char *source_variable(struct source_lines *source, uint64_t address,
                            uint64_t size) {
  return datum_at(source, address, size ? size : 1)->name;
}

/* ---- values -------------------------------------------------------------- */

static int64_t sign_extend(uint64_t value, uint64_t size) {
  unsigned shift = (unsigned)(64 - 8 * size);
  return (int64_t)(value << shift) >> shift;
}

static uint64_t cut(uint64_t value, uint64_t size) {
  return size < 8 ? value & (((uint64_t)1 << 8 * size) - 1) : value;
}

/* As few digits as give the number back. */
static const char *float_text(struct source_lines *source, uint64_t size,
                              uint64_t value) {
  char text[40];
  double number;
  if (size == 4) {
    float single;
    memcpy(&single, &value, sizeof single);
    number = (double)single;
  } else {
    memcpy(&number, &value, sizeof number);
  }
  for (int digits = 1; digits <= 17; digits++) {
    snprintf(text, sizeof text, "%.*g", digits, number);
    double back = strtod(text, 0);
    if (size == 4 ? (float)back == (float)number : back == number)
      break;
  }
  return texts_copy(&source->texts, text, strlen(text));
}

static const char *base_text(struct source_lines *source, Dwarf_Die *type,
                             uint64_t size, uint64_t value) {
  uint64_t encoding = DW_ATE_signed;
  number_of(type, DW_AT_encoding, &encoding);
  switch (encoding) {
  case DW_ATE_boolean:
    return value == 0 ? "false" : value == 1 ? "true" : 0;
  case DW_ATE_float:
    return size == 4 || size == 8 ? float_text(source, size, value) : 0;
  case DW_ATE_signed_char:
  case DW_ATE_unsigned_char:
    if (value >= ' ' && value <= '~')
      return texts_format(&source->texts, "%" PRIu64 " '%c'", value,
                          (char)value);
    if (encoding == DW_ATE_unsigned_char)
      break;
    /* fall through */
  case DW_ATE_signed:
    return texts_format(&source->texts, "%" PRId64, sign_extend(value, size));
  default:
    break;
  }
  return texts_format(&source->texts, "%" PRIu64, value);
}

static const char *enum_text(struct source_lines *source, Dwarf_Die *type,
                             uint64_t size, uint64_t value) {
  Dwarf_Die child;
  int64_t wanted = sign_extend(value, size);
  if (!dwarf_child(type, &child))
    do {
      Dwarf_Attribute attribute;
      Dwarf_Sword number;
      if (dwarf_tag(&child) == DW_TAG_enumerator &&
          dwarf_attr(&child, DW_AT_const_value, &attribute) &&
          !dwarf_formsdata(&attribute, &number) &&
          (number == wanted || (uint64_t)number == value))
        return dwarf_diename(&child);
    } while (!dwarf_siblingof(&child, &child));
  return texts_format(&source->texts, "%" PRId64, wanted);
}

/* A pointer to something of the given size. */
static const char *pointer_text(struct source_lines *source, uint64_t value,
                                uint64_t size) {
  if (!value)
    return "NULL";
  const char *name = source_function(source, value);
  if (name)
    return name;
  name = source_variable(source, value, size);
  if (name)
    return texts_format(&source->texts, "&%s", name);
  return texts_format(&source->texts, "0x%" PRIx64, value);
}

/* The size of what a pointer points to, 1 if that is nothing in particular. */
static uint64_t pointed_size(Dwarf_Die *pointer) {
  Dwarf_Die target;
  Dwarf_Word size;
  bool known = type_of(pointer, &target) &&
               !dwarf_aggregate_size(&target, &size) && size;
  return known ? size : 1;
}

/* Small numbers are decimal; large ones are probably addresses. */
static const char *raw_text(struct source_lines *source, uint64_t size,
                            uint64_t value) {
  int64_t number = sign_extend(value, size);
  if (number > -0x80000000ll && number <= 0xffffffffll)
    return texts_format(&source->texts, "%" PRId64, number);
  return pointer_text(source, value, 1);
}

const char *source_value(struct source_lines *source, uint64_t address,
                         uint64_t size, uint64_t value) {
  if (!size || size > 8)
    return 0;
  value = cut(value, size);
  const struct named_bytes *datum =
      address ? datum_at(source, address, size) : 0;
  if (!datum || !datum->name)
    return raw_text(source, size, value);
  if (!datum->typed)
    return 0;
  Dwarf_Die type = datum->type;
  switch (dwarf_tag(&type)) {
  case DW_TAG_base_type:
    return base_text(source, &type, size, value);
  case DW_TAG_enumeration_type:
    return enum_text(source, &type, size, value);
  case DW_TAG_pointer_type:
    return pointer_text(source, value, pointed_size(&type));
  default:
    return 0;
  }
}
