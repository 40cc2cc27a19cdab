/* Calls of library functions: what the source calls their arguments.
 *
 * The instrumenter lists them (HOOK_CALLS_SECTION in core/hook.h) by line and
 * column; debug information knows both of a return address. */
#include <dwarf.h>
#include <stdlib.h>
#include <string.h>

#include "core/hook.h"
#include "report/dwarf.h"

/* ---- the list ------------------------------------------------------------ */

static const char *base_name(const char *path) {
  const char *slash = strrchr(path, '/');
  return slash ? slash + 1 : path;
}

/* Cuts the next part off a text with tabs between its parts. */
static const char *next_part(char **at) {
  char *part = *at, *tab = part ? strchr(part, '\t') : 0;
  *at = tab ? tab + 1 : 0;
  if (tab)
    *tab = 0;
  return part ? part : "";
}

static void note_call(struct source_lines *source, const char *text) {
  char *at = texts_copy(&source->texts, text, strlen(text));
  struct listed_call call = {0};
  char *end;
  call.line = (unsigned)strtoul(next_part(&at), &end, 10);
  call.column = *end ? (unsigned)strtoul(end + 1, 0, 10) : 0;
  call.file = base_name(next_part(&at));
  call.call.function = next_part(&at);
  call.call.result = next_part(&at);
  for (unsigned i = 0; i < HOOK_CALL_ARGUMENTS; i++) {
    call.call.argument[i].object = next_part(&at);
    call.call.argument[i].type = next_part(&at);
  }
  VEC_PUSH(source->calls, call);
}

static void note_section(struct source_lines *source, Elf_Scn *section) {
  Elf_Data *data = elf_getdata(section, 0);
  const char *at = data ? data->d_buf : 0;
  const char *end = at ? at + data->d_size : 0;
  while (at && at < end && memchr(at, 0, (size_t)(end - at))) {
    if (*at)
      note_call(source, at);
    at += strlen(at) + 1;
  }
}

/* The sections of a module that the runtime and the instrumenter have named.
 * Libraries of the system have none of them, and what is known of these lies
 * elsewhere, megabytes of it, compressed. */
static int note_module(Dwfl_Module *module, void **data, const char *name,
                       Dwarf_Addr start, void *context) {
  struct source_lines *source = context;
  GElf_Addr bias;
  size_t names;
  bool own = false;
  Elf *elf = dwfl_module_getelf(module, &bias);
  (void)data, (void)name, (void)start;
  if (!elf || elf_getshdrstrndx(elf, &names))
    return DWARF_CB_OK;
  for (Elf_Scn *section = 0; (section = elf_nextscn(elf, section));) {
    GElf_Shdr header;
    const char *title = gelf_getshdr(section, &header)
                            ? elf_strptr(elf, names, header.sh_name)
                            : 0;
    if (!title)
      continue;
    own |= !strncmp(title, "heddle_", 7) || !strcmp(title, ".debug_info");
    if (!strcmp(title, HOOK_CALLS_SECTION))
      note_section(source, section);
    if (!strcmp(title, "heddle_text")) {
      source->runtime = bias + header.sh_addr;
      source->runtime_size = header.sh_size;
    }
  }
  if (own)
    VEC_PUSH(source->own, module);
  return DWARF_CB_OK;
}

static void find_sections(struct source_lines *source) {
  if (source->sections_known)
    return;
  source->sections_known = true;
  source_module_of(source, 0); /* all modules are there */
  dwfl_getmodules(source->dwfl, note_module, source, 0);
}

/* ---- questions ----------------------------------------------------------- */

bool source_each_unit(struct source_lines *source,
                      bool (*ask)(struct source_lines *, Dwarf_Die *, void *),
                      void *context) {
  find_sections(source);
  for (size_t i = 0; i < source->own.size; i++) {
    Dwarf_Addr bias;
    Dwarf_Die *unit = 0;
    while ((unit = dwfl_module_nextcu(source->own.at[i], unit, &bias)))
      if (ask(source, unit, context))
        return true;
  }
  return false;
}

bool source_is_runtime(struct source_lines *source, uint64_t pc) {
  find_sections(source);
  return pc - source->runtime < source->runtime_size;
}

/* The column of the code before a return address, or 0. */
static unsigned column_of(struct source_lines *source, uint64_t pc) {
  Dwarf_Addr bias = 0;
  Dwarf_Die *unit = source_unit_of(source, pc, &bias);
  Dwarf_Line *line = unit ? dwarf_getsrc_die(unit, pc - 1 - bias) : 0;
  int column = 0;
  return line && !dwarf_linecol(line, &column) ? (unsigned)column : 0;
}

const struct source_call *source_call(struct source_lines *source,
                                      uint64_t pc) {
  struct source_place place = source_place(source, pc);
  find_sections(source);
  unsigned column =
      place.file && source->calls.size ? column_of(source, pc) : 0;
  for (size_t i = 0; i < source->calls.size; i++) {
    const struct listed_call *call = &source->calls.at[i];
    if (call->line == place.line && call->column == column && column &&
        !strcmp(call->file, base_name(place.file)))
      return &call->call;
  }
  return 0;
}
