/* Data: from an address to a variable's name, and from bytes to a value. */
#include <dwarf.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "report/dwarf.h"

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

/* Inside a function, static variables have its name before theirs. */
static void note_variable(struct source_lines *source, struct globals *globals,
                          Dwarf_Die *die, Dwarf_Addr bias,
                          const char *function) {
  Dwarf_Addr address;
  Dwarf_Word size;
  struct global global;
  const char *name = dwarf_diename(die);
  if (!name || !fixed_address(die, &address) ||
      !datatype_of(die, &global.type) ||
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

static const struct global *global_at(struct source_lines *source,
                                      uint64_t address) {
  Dwfl_Module *module = source_module_of(source, address);
  return module ? find_global(globals_of(source, module), address) : 0;
}

const char *source_global_part(struct source_lines *source, uint64_t address,
                               uint64_t size, const char *hint,
                               struct source_part *part) {
  const struct global *global = global_at(source, address);
  if (!global)
    return 0;
  struct source_type type = {.die = global->type, .name = ""};
  source_part(source, &type, address - global->start, size ? size : 1, hint,
              part);
  if (!*part->path)
    return global->name;
  return texts_format(&source->texts, "%s%s%s", global->name,
                      *part->path == '[' ? "" : ".", part->path);
}

const char *source_pointed(struct source_lines *source, uint64_t address,
                           uint64_t size) {
  const struct global *global = global_at(source, address);
  if (!global)
    return source_variable(source, address, size);
  struct variable_part part = {.type = global->type,
                               .offset = address - global->start,
                               .size = size,
                               .whole = true};
  text_print(&part.name, "%s", global->name);
  datatype_descend(&part);
  const char *name = texts_copy(&source->texts, part.name.at, part.name.size);
  VEC_FREE(part.name);
  return name;
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
  if (datatype_descend(&part) &&
      (part.bits || (!dwarf_aggregate_size(&part.type, &whole) &&
                     whole == size && !part.offset))) {
    datum->typed = true;
    datum->type = part.type;
    datum->first_bit = part.first_bit;
    datum->bit_count = part.bit_count;
  }
  datum->name = texts_copy(&source->texts, part.name.at, part.name.size);
  VEC_FREE(part.name);
}

const struct named_bytes *source_datum(struct source_lines *source,
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
  return source_datum(source, address, size ? size : 1)->name;
}
