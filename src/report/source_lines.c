/* Places: functions, files and lines of code addresses. */
#include "report/source_lines.h"

#include <dwarf.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "report/dwarf.h"
#include "util/ensure.h"

/* Debug information is the program's own or lies beside it; nothing is
 * fetched from anywhere. */
static const Dwfl_Callbacks callbacks = {
    .find_elf = dwfl_build_id_find_elf,
    .find_debuginfo = dwfl_standard_find_debuginfo,
    .section_address = dwfl_offline_section_address,
};

/* The name by which the user came to a folder, through a link perhaps. */
static char *alias_of(const char *directory) {
  const char *name = getenv("PWD");
  struct stat a, b;
  bool same = name && *name == '/' && !stat(name, &a) && !stat(directory, &b) &&
              a.st_dev == b.st_dev && a.st_ino == b.st_ino;
  return same ? strdup(name) : 0;
}

struct source_lines *source_open(const char *directory) {
  unsetenv("DEBUGINFOD_URLS");
  struct source_lines *source = calloc(1, sizeof *source);
  ensure(source);
  source->directory = strdup(directory);
  source->alias = alias_of(directory);
  source->dwfl = dwfl_begin(&callbacks);
  ensure(source->directory && source->dwfl);
  dwfl_report_begin(source->dwfl);
  return source;
}

void source_close(struct source_lines *source) {
  if (!source)
    return;
  dwfl_end(source->dwfl);
  for (size_t i = 0; i < source->modules.size; i++)
    VEC_FREE(source->modules.at[i].sorted);
  VEC_FREE(source->modules);
  for (size_t i = 0; i < source->owned.size; i++)
    free(source->owned.at[i]);
  VEC_FREE(source->owned);
  VEC_FREE(source->types);
  VEC_FREE(source->calls);
  VEC_FREE(source->own);
  memo_free(&source->places);
  memo_free(&source->functions);
  memo_free(&source->data);
  texts_free(&source->texts);
  free(source->directory);
  free(source->alias);
  free(source);
}

void *source_keep(struct source_lines *source, size_t size) {
  void *made = calloc(1, size);
  ensure(made);
  VEC_PUSH(source->owned, made);
  return made;
}

/* A module that cannot be read (the kernel's own, say) has no places. */
void source_module(struct source_lines *source, const char *path,
                   uint64_t bias) {
  ensure(!source->reported);
  dwfl_report_elf(source->dwfl, path, path, -1, bias, true);
}

Dwfl_Module *source_module_of(struct source_lines *source, uint64_t address) {
  if (!source->reported)
    dwfl_report_end(source->dwfl, 0, 0);
  source->reported = true;
  return dwfl_addrmodule(source->dwfl, address);
}

/* ---- files --------------------------------------------------------------- */

/* The name without the directory, if it lies in it, and without "./". */
static const char *shorten(const char *file, const char *directory) {
  size_t length = strlen(directory);
  if (!strncmp(file, directory, length) && file[length] == '/')
    file += length + 1;
  while (!strncmp(file, "./", 2))
    file += 2;
  return file;
}

const char *source_file(struct source_lines *source, const char *file) {
  const char *name = shorten(file, source->directory);
  return source->alias ? shorten(name, source->alias) : name;
}

/* ---- functions and lines ------------------------------------------------- */

/* The compilation unit of an address.  Asked of each unit, since tables of
 * address ranges are written by some compilers only, and a program may come
 * from several. */
static Dwarf_Die *unit_of(Dwfl_Module *module, Dwarf_Addr address,
                          Dwarf_Addr *bias) {
  Dwarf_Die *unit = 0;
  while ((unit = dwfl_module_nextcu(module, unit, bias)))
    if (dwarf_haspc(unit, address - *bias) > 0)
      return unit;
  return 0;
}

Dwarf_Die *source_unit_of(struct source_lines *source, uint64_t pc,
                          Dwarf_Addr *bias) {
  Dwfl_Module *module = pc ? source_module_of(source, pc - 1) : 0;
  return module ? unit_of(module, pc - 1, bias) : 0;
}

void source_name_by(struct source_lines *source, source_namer namer,
                    void *context) {
  source->namer = namer;
  source->namer_context = context;
}

static bool is_function(Dwarf_Die *die) {
  int tag = dwarf_tag(die);
  return tag == DW_TAG_subprogram || tag == DW_TAG_inlined_subroutine;
}

/* The innermost function around the address, inlined ones included. */
static const char *function_around(Dwarf_Die *unit, Dwarf_Addr address) {
  Dwarf_Die *scopes = 0;
  const char *name = 0;
  int count = dwarf_getscopes(unit, address, &scopes);
  for (int i = 0; i < count && !name; i++)
    if (is_function(&scopes[i]))
      name = dwarf_diename(&scopes[i]);
  free(scopes);
  return name;
}

static void find_line(struct source_lines *source, Dwarf_Die *unit,
                      Dwarf_Addr address, struct source_place *place) {
  Dwarf_Line *line = dwarf_getsrc_die(unit, address);
  int number;
  const char *file = line ? dwarf_linesrc(line, 0, 0) : 0;
  if (!file || dwarf_lineno(line, &number))
    return;
  place->file = source_file(source, file);
  place->line = (unsigned)number;
}

static struct source_place look_up(struct source_lines *source,
                                   uint64_t address) {
  struct source_place place = {0};
  Dwarf_Addr bias;
  Dwfl_Module *module = source_module_of(source, address);
  if (!module)
    return place;
  Dwarf_Die *unit = unit_of(module, address, &bias);
  if (unit) {
    place.function = function_around(unit, address - bias);
    find_line(source, unit, address - bias, &place);
  }
  if (!place.function)
    place.function = dwfl_module_addrname(module, address);
  return place;
}

/* A return address may be the first of the next line, or of the next
 * function: the call lies before it. */
struct source_place source_place(struct source_lines *source, uint64_t pc) {
  if (!pc)
    return (struct source_place){0};
  struct source_place *known = memo_get(&source->places, pc, 0);
  if (!known) {
    known = source_keep(source, sizeof *known);
    *known = look_up(source, pc - 1);
    memo_put(&source->places, pc, 0, known);
  }
  return *known;
}

/* ---- code in place of calls ---------------------------------------------- */

/* Where the call was that the function's code stands for. */
static void find_call(struct source_lines *source, Dwarf_Die *inlined,
                      struct source_place *place) {
  Dwarf_Attribute attribute;
  Dwarf_Word line = 0, file = 0;
  Dwarf_Die unit;
  Dwarf_Files *files;
  *place = (struct source_place){0};
  if (dwarf_attr(inlined, DW_AT_call_line, &attribute))
    dwarf_formudata(&attribute, &line);
  if (dwarf_attr(inlined, DW_AT_call_file, &attribute))
    dwarf_formudata(&attribute, &file);
  const char *name =
      dwarf_diecu(inlined, &unit, 0, 0) && !dwarf_getsrcfiles(&unit, &files, 0)
          ? dwarf_filesrc(files, file, 0, 0)
          : 0;
  if (!name || !line)
    return;
  place->file = source_file(source, name);
  place->line = (unsigned)line;
}

/* The innermost of these scopes, and all that lie around it in the code. */
static int scopes_around(Dwarf_Die *unit, Dwarf_Addr address,
                         Dwarf_Die **chain) {
  Dwarf_Die *scopes = 0;
  int count = dwarf_getscopes(unit, address, &scopes);
  count = count > 0 ? dwarf_getscopes_die(&scopes[0], chain) : 0;
  free(scopes);
  return count;
}

size_t source_places(struct source_lines *source, uint64_t pc,
                     struct source_place *to, size_t most) {
  Dwarf_Addr bias = 0;
  Dwarf_Die *unit = source_unit_of(source, pc, &bias), *chain = 0;
  struct source_place place = source_place(source, pc);
  int scopes = unit ? scopes_around(unit, pc - 1 - bias, &chain) : 0;
  size_t count = 0;
  for (int i = 0; i < scopes && count < most; i++) {
    if (!is_function(&chain[i]))
      continue;
    place.function = dwarf_diename(&chain[i]);
    to[count++] = place;
    if (dwarf_tag(&chain[i]) == DW_TAG_subprogram)
      break;
    find_call(source, &chain[i], &place);
  }
  free(chain);
  if (!count && most)
    to[count++] = place;
  return count;
}

static const char *look_up_function(struct source_lines *source,
                                    uint64_t address) {
  Dwfl_Module *module = source_module_of(source, address);
  GElf_Sym symbol;
  GElf_Off offset;
  if (!module)
    return 0;
  const char *name =
      dwfl_module_addrinfo(module, address, &offset, &symbol, 0, 0, 0);
  bool starts = name && !offset && GELF_ST_TYPE(symbol.st_info) == STT_FUNC;
  return starts ? name : 0;
}

/* libdwfl goes through all symbols each time. */
const char *source_function(struct source_lines *source, uint64_t address) {
  const char **known = memo_get(&source->functions, address, 0);
  if (!known) {
    known = source_keep(source, sizeof *known);
    *known = look_up_function(source, address);
    memo_put(&source->functions, address, 0, known);
  }
  return *known;
}
