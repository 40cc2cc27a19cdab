/* Types: from bytes of an object to the member or element that they are. */
#include <dwarf.h>
#include <inttypes.h>
#include <string.h>

#include "report/dwarf.h"

bool datatype_of(Dwarf_Die *die, Dwarf_Die *type) {
  Dwarf_Attribute attribute;
  return dwarf_attr_integrate(die, DW_AT_type, &attribute) &&
         dwarf_formref_die(&attribute, type);
}

/* ---- into a variable ----------------------------------------------------- */

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

bool datatype_plain(Dwarf_Die *type) {
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
    if (!datatype_of(type, &inner))
      return false; /* void */
    *type = inner;
  }
}

bool datatype_number(Dwarf_Die *die, unsigned name, uint64_t *value) {
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
    if (datatype_number(&child, DW_AT_count, &bound))
      lengths[count++] = bound;
    else if (datatype_number(&child, DW_AT_upper_bound, &bound))
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
  if (!count || !datatype_of(&part->type, &element) ||
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

/* More than any object has. */
#define OPEN_BITS ((uint64_t)1 << 60)

/* An array without a length, as the last member of a struct. */
static bool is_open(Dwarf_Die *member_type) {
  uint64_t lengths[DIMENSIONS];
  Dwarf_Die type = *member_type;
  return datatype_plain(&type) && dwarf_tag(&type) == DW_TAG_array_type &&
         dimensions(&type, lengths) && !lengths[0];
}

static bool member_read(Dwarf_Die *die, struct variable_member *member) {
  uint64_t offset = 0, bits, storage, high;
  Dwarf_Word size;
  member->die = *die;
  if (!datatype_of(die, &member->type))
    return false;
  datatype_number(die, DW_AT_data_member_location, &offset);
  member->start = 8 * offset;
  if (is_open(&member->type)) {
    member->length = OPEN_BITS;
    member->bits = false;
    return true;
  }
  if (dwarf_aggregate_size(&member->type, &size))
    return false;
  member->length = 8 * size;
  member->bits = datatype_number(die, DW_AT_bit_size, &bits);
  if (!member->bits)
    return true;
  member->length = bits;
  if (datatype_number(die, DW_AT_data_bit_offset, &offset)) {
    member->start = offset;
  } else if (datatype_number(die, DW_AT_bit_offset, &high)) {
    /* DWARF 2 counts from the storage unit's highest bit. */
    if (!datatype_number(die, DW_AT_byte_size, &storage))
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

static bool is_hinted(const struct variable_part *part, Dwarf_Die *member) {
  const char *name = dwarf_diename(member);
  return part->hint && name && !strcmp(part->hint, name);
}

/* The member that holds the bytes: of a union that of the hint, else the first
 * that has just their size, else the first. */
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
    if (rank > 1 && is_hinted(part, &child)) {
      *best = member;
      return true;
    }
    fields += rank == 1;
    if (rank > best_rank) {
      best_rank = rank;
      *best = member;
    }
  } while (!dwarf_siblingof(&child, &child));
  part->shared = best_rank == 1 && fields > 1;
  return best_rank > 1 || fields == 1;
}

/* From a struct or union to the member that holds all the bytes.  Members with
 * reserved names are the implementation's: the search ends above them. */
static bool into_member(struct variable_part *part) {
  struct variable_member member;
  Dwarf_Word total;
  if (dwarf_tag(&part->type) == DW_TAG_structure_type &&
      !dwarf_aggregate_size(&part->type, &total) && part->size >= total &&
      (total > 8 || part->whole))
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
  if (member.bits) {
    part->first_bit = (int)(member.start - 8 * part->offset);
    part->bit_count = (unsigned)member.length;
  }
  part->offset = member.bits ? 0 : part->offset - member.start / 8;
  return true;
}

bool datatype_descend(struct variable_part *part) {
  for (;;) {
    if (!datatype_plain(&part->type))
      return false;
    if (part->bits)
      return true;
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

/* ---- types by name ------------------------------------------------------- */

static bool is_named_type(Dwarf_Die *die) {
  switch (dwarf_tag(die)) {
  case DW_TAG_structure_type:
  case DW_TAG_union_type:
  case DW_TAG_typedef:
  case DW_TAG_base_type:
  case DW_TAG_enumeration_type:
    return dwarf_diename(die) && !dwarf_hasattr(die, DW_AT_declaration);
  default:
    return false;
  }
}

static bool note_types(struct source_lines *source, Dwarf_Die *unit,
                       void *context) {
  Dwarf_Die die;
  (void)context;
  if (dwarf_child(unit, &die))
    return false;
  do {
    if (is_named_type(&die))
      VEC_PUSH(source->types,
               ((struct source_type){.die = die, .name = dwarf_diename(&die)}));
  } while (!dwarf_siblingof(&die, &die));
  return false;
}

/* All of them, once: pointers into the list must stay valid. */
static void find_types(struct source_lines *source) {
  if (source->types_known)
    return;
  source->types_known = true;
  source_each_unit(source, note_types, 0);
}

/* Of types with the same name that of the code's own unit. */
const struct source_type *source_type_named(struct source_lines *source,
                                            const char *name, uint64_t pc) {
  struct source_type *found = 0;
  Dwarf_Addr bias;
  Dwarf_Die *unit = source_unit_of(source, pc, &bias);
  find_types(source);
  for (size_t i = 0; i < source->types.size; i++) {
    struct source_type *type = &source->types.at[i];
    if (strcmp(type->name, name) ||
        (found && (!unit || type->die.cu != unit->cu)))
      continue;
    found = type;
    if (unit && type->die.cu == unit->cu)
      break;
  }
  return found;
}

uint64_t source_type_size(const struct source_type *type) {
  Dwarf_Die die = type->die;
  Dwarf_Word size;
  return dwarf_aggregate_size(&die, &size) ? 0 : size;
}

bool source_type_is_open(const struct source_type *type) {
  Dwarf_Die record = type->die, child;
  struct variable_member member;
  bool open = false;
  if (!datatype_plain(&record) || dwarf_tag(&record) != DW_TAG_structure_type ||
      dwarf_child(&record, &child))
    return false;
  do
    if (dwarf_tag(&child) == DW_TAG_member)
      open = member_read(&child, &member) && member.length == OPEN_BITS;
  while (!dwarf_siblingof(&child, &child));
  return open;
}

const char *source_type_name(const struct source_type *type) {
  return type->name;
}

static const struct source_type *keep_type(struct source_lines *source,
                                           Dwarf_Die *die) {
  struct source_type *kept = source_keep(source, sizeof *kept);
  kept->die = *die;
  kept->name = dwarf_diename(die) ? dwarf_diename(die) : "";
  return kept;
}

bool datatype_bit_field(struct variable_part *part, Dwarf_Die *member,
                        struct variable_part *field) {
  struct variable_member found;
  if (dwarf_tag(member) != DW_TAG_member || !member_read(member, &found) ||
      !found.bits || !member_rank(part, &found))
    return false;
  *field =
      (struct variable_part){.type = found.type,
                             .first_bit = (int)(found.start - 8 * part->offset),
                             .bit_count = (unsigned)found.length};
  return datatype_plain(&field->type);
}

/* "{ready,level}" */
static void name_fields(struct variable_part *part) {
  Dwarf_Die child;
  struct variable_part field;
  const char *before = "{";
  if (dwarf_child(&part->type, &child))
    return;
  if (part->name.size)
    text_print(&part->name, ".");
  do {
    if (!dwarf_diename(&child) || !datatype_bit_field(part, &child, &field))
      continue;
    text_print(&part->name, "%s%s", before, dwarf_diename(&child));
    before = ",";
  } while (!dwarf_siblingof(&child, &child));
  text_print(&part->name, "}");
}

void source_part(struct source_lines *source, const struct source_type *type,
                 uint64_t offset, uint64_t size, const char *hint,
                 struct source_part *out) {
  struct variable_part part = {
      .type = type->die, .offset = offset, .size = size, .hint = hint};
  Dwarf_Word whole;
  *out = (struct source_part){0};
  text_print(&part.name, "%s", "");
  if (datatype_descend(&part) &&
      (part.bits || (!dwarf_aggregate_size(&part.type, &whole) &&
                     whole == size && !part.offset))) {
    out->type = keep_type(source, &part.type);
    out->first_bit = part.first_bit;
    out->bit_count = part.bit_count;
  }
  if (part.shared) {
    out->shared = keep_type(source, &part.type);
    out->offset = part.offset;
    name_fields(&part);
  }
  out->exact = out->type || out->shared || !part.offset;
  out->path = texts_copy(&source->texts, part.name.at, part.name.size);
  VEC_FREE(part.name);
}

/* ---- local variables ----------------------------------------------------- */

static bool is_scope(Dwarf_Die *die) {
  return dwarf_tag(die) == DW_TAG_lexical_block;
}

static bool find_local(Dwarf_Die *scope, const char *name, uint64_t size,
                       Dwarf_Die *type) {
  Dwarf_Die die;
  Dwarf_Word whole;
  if (dwarf_child(scope, &die))
    return false;
  do {
    int tag = dwarf_tag(&die);
    const char *own = dwarf_diename(&die);
    if ((tag == DW_TAG_variable || tag == DW_TAG_formal_parameter) && own &&
        !strcmp(own, name) && datatype_of(&die, type) &&
        !dwarf_aggregate_size(type, &whole) && whole == size)
      return true;
    if (is_scope(&die) && find_local(&die, name, size, type))
      return true;
  } while (!dwarf_siblingof(&die, &die));
  return false;
}

struct wanted_local {
  const char *function, *name;
  uint64_t size;
  Dwarf_Die type;
  bool found;
};

static int look_in_function(Dwarf_Die *function, void *context) {
  struct wanted_local *wanted = context;
  const char *name = dwarf_diename(function);
  if (!name || strcmp(name, wanted->function))
    return DWARF_CB_OK;
  wanted->found =
      find_local(function, wanted->name, wanted->size, &wanted->type);
  return wanted->found ? DWARF_CB_ABORT : DWARF_CB_OK;
}

static bool look_in_unit(struct source_lines *source, Dwarf_Die *unit,
                         void *context) {
  struct wanted_local *wanted = context;
  (void)source;
  dwarf_getfuncs(unit, look_in_function, wanted, 0);
  return wanted->found;
}

const struct source_type *source_type_of_local(struct source_lines *source,
                                               const char *function,
                                               const char *name,
                                               uint64_t size) {
  struct wanted_local wanted = {
      .function = function, .name = name, .size = size};
  source_each_unit(source, look_in_unit, &wanted);
  return wanted.found ? keep_type(source, &wanted.type) : 0;
}
