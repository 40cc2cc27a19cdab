/* Values: bytes as their type prints them. */
#include <dwarf.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report/dwarf.h"

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
  datatype_number(type, DW_AT_encoding, &encoding);
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

/* A pointer to something of the given size; `record`: to a struct. */
static const char *pointer_text(struct source_lines *source, uint64_t value,
                                uint64_t size, bool record) {
  if (!value)
    return "NULL";
  const char *name = source_function(source, value);
  if (name)
    return name;
  name = record ? source_pointed(source, value, size)
                : source_variable(source, value, size);
  if (name)
    return texts_format(&source->texts, "&%s", name);
  if (source->namer)
    name = source->namer(source->namer_context, value, size);
  if (name)
    return name;
  return texts_format(&source->texts, "0x%" PRIx64, value);
}

/* The size of what a pointer points to, 1 if that is nothing in particular. */
static uint64_t pointed_size(Dwarf_Die *pointer) {
  Dwarf_Die target;
  Dwarf_Word size;
  bool known = datatype_of(pointer, &target) &&
               !dwarf_aggregate_size(&target, &size) && size;
  return known ? size : 1;
}

/* Small numbers are decimal; large ones are probably addresses. */
static const char *raw_text(struct source_lines *source, uint64_t size,
                            uint64_t value) {
  int64_t number = sign_extend(value, size);
  if (number > -0x80000000ll && number <= 0xffffffffll)
    return texts_format(&source->texts, "%" PRId64, number);
  return pointer_text(source, value, 1, false);
}

/* ---- texts in the program ------------------------------------------------ */

/* The bytes of the program's file from an address on that the program cannot
 * change; NULL if there are none. */
static const char *constant_bytes(struct source_lines *source, uint64_t address,
                                  size_t *size) {
  GElf_Addr bias;
  Dwfl_Module *module = source_module_of(source, address);
  Elf *elf = module ? dwfl_module_getelf(module, &bias) : 0;
  for (Elf_Scn *s = 0; elf && (s = elf_nextscn(elf, s));) {
    GElf_Shdr header;
    if (!gelf_getshdr(s, &header) || header.sh_type != SHT_PROGBITS ||
        header.sh_flags & SHF_WRITE || !(header.sh_flags & SHF_ALLOC) ||
        address - bias - header.sh_addr >= header.sh_size)
      continue;
    Elf_Data *data = elf_getdata(s, 0);
    size_t at = address - bias - header.sh_addr;
    *size = data && data->d_size > at ? data->d_size - at : 0;
    return *size ? (const char *)data->d_buf + at : 0;
  }
  return 0;
}

/* "bob", in quotes; NULL if there is no such text. */
static const char *literal_text(struct source_lines *source, uint64_t address) {
  enum { SHOWN = 40 };
  size_t size = 0, length = 0;
  const char *bytes = constant_bytes(source, address, &size);
  while (length < size && length < SHOWN && bytes[length] >= ' ' &&
         bytes[length] <= '~' && bytes[length] != '"' && bytes[length] != '\\')
    length++;
  if (!length || length == size || (length < SHOWN && bytes[length]))
    return 0;
  return texts_format(&source->texts, "\"%.*s\"%s", (int)length, bytes,
                      bytes[length] ? "..." : "");
}

/* Does the pointer lead to characters? */
static bool is_text_pointer(Dwarf_Die *pointer) {
  Dwarf_Die target;
  uint64_t encoding = 0;
  return datatype_of(pointer, &target) && datatype_plain(&target) &&
         dwarf_tag(&target) == DW_TAG_base_type &&
         datatype_number(&target, DW_AT_encoding, &encoding) &&
         (encoding == DW_ATE_signed_char || encoding == DW_ATE_unsigned_char);
}

static bool is_record_pointer(Dwarf_Die *pointer) {
  Dwarf_Die target;
  return datatype_of(pointer, &target) && datatype_plain(&target) &&
         dwarf_tag(&target) == DW_TAG_structure_type;
}

/* The bits of a bit field, its sign being that of its type. */
static uint64_t extract(Dwarf_Die type, int first, unsigned count,
                        uint64_t value) {
  uint64_t encoding = DW_ATE_unsigned;
  if (first < 0 || count == 0 || first + (int)count > 64)
    return value;
  unsigned shift = 64 - count;
  value = value >> first << shift;
  datatype_number(&type, DW_AT_encoding, &encoding);
  return encoding == DW_ATE_signed ? (uint64_t)((int64_t)value >> shift)
                                   : value >> shift;
}

static const char *typed_text(struct source_lines *source, Dwarf_Die type,
                              uint64_t size, uint64_t value) {
  switch (dwarf_tag(&type)) {
  case DW_TAG_base_type:
    return base_text(source, &type, size, value);
  case DW_TAG_enumeration_type:
    return enum_text(source, &type, size, value);
  case DW_TAG_pointer_type: {
    const char *literal =
        is_text_pointer(&type) ? literal_text(source, value) : 0;
    return literal ? literal
                   : pointer_text(source, value, pointed_size(&type),
                                  is_record_pointer(&type));
  }
  default:
    return 0;
  }
}

/* In opaque types only what another part of the program knows has a name: the
 * thread that a pthread_t stands for. */
static const char *opaque_text(struct source_lines *source, uint64_t size,
                               uint64_t value) {
  return size == 8 && source->namer
             ? source->namer(source->namer_context, value, 1)
             : 0;
}

const char *source_value(struct source_lines *source, uint64_t address,
                         uint64_t size, uint64_t value) {
  if (!size || size > 8)
    return 0;
  value = cut(value, size);
  const struct named_bytes *datum =
      address ? source_datum(source, address, size) : 0;
  if (!datum || !datum->name)
    return raw_text(source, size, value);
  if (!datum->typed)
    return opaque_text(source, size, value);
  if (datum->bit_count) {
    value = extract(datum->type, datum->first_bit, datum->bit_count, value);
    size = 8;
  }
  return typed_text(source, datum->type, size, value);
}

/* "{1,5}": all bit fields in the bytes. */
static const char *fields_text(struct source_lines *source,
                               const struct source_part *part, uint64_t size,
                               uint64_t value) {
  struct variable_part bytes = {
      .type = part->shared->die, .offset = part->offset, .size = size};
  struct variable_part field;
  struct text text = {0};
  Dwarf_Die child;
  if (dwarf_child(&bytes.type, &child))
    return 0;
  do {
    if (!dwarf_diename(&child) || !datatype_bit_field(&bytes, &child, &field))
      continue;
    uint64_t bits =
        extract(field.type, field.first_bit, field.bit_count, value);
    const char *one = typed_text(source, field.type, 8, bits);
    text_print(&text, "%s%s", text.size ? "," : "{", one ? one : "?");
  } while (!dwarf_siblingof(&child, &child));
  text_print(&text, "}");
  const char *made = texts_copy(&source->texts, text.at, text.size);
  VEC_FREE(text);
  return made;
}

const char *source_part_value(struct source_lines *source,
                              const struct source_part *part, uint64_t size,
                              uint64_t value) {
  if (!size || size > 8)
    return 0;
  value = cut(value, size);
  if (part->shared)
    return fields_text(source, part, size, value);
  if (!part->type)
    return opaque_text(source, size, value);
  if (part->bit_count) {
    value = extract(part->type->die, part->first_bit, part->bit_count, value);
    size = 8;
  }
  return typed_text(source, part->type->die, size, value);
}
