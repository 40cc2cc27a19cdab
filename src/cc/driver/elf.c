#include "cc/driver/elf.h"

#include <fcntl.h>
#include <gelf.h>
#include <string.h>
#include <unistd.h>

#include "core/hook.h"

static void note_symbol(struct elf_symbols *symbols, const char *name,
                        const GElf_Sym *symbol) {
  int type = GELF_ST_TYPE(symbol->st_info);
  if (GELF_ST_BIND(symbol->st_info) == STB_LOCAL || !name || !*name)
    return;
  if (symbol->st_shndx != SHN_UNDEF) {
    word_list_add(&symbols->defined, strdup(name));
    return;
  }
  name = strdup(name);
  word_list_add(&symbols->undefined, name);
  if (type == STT_FUNC || type == STT_GNU_IFUNC)
    word_list_add(&symbols->undefined_functions, name);
}

static void read_table(Elf *elf, Elf_Scn *section, const GElf_Shdr *header,
                       struct elf_symbols *symbols) {
  Elf_Data *data = elf_getdata(section, NULL);
  size_t count = header->sh_entsize ? header->sh_size / header->sh_entsize : 0;
  for (size_t i = 0; data && i < count; i++) {
    GElf_Sym symbol;
    if (gelf_getsym(data, (int)i, &symbol))
      note_symbol(symbols, elf_strptr(elf, header->sh_link, symbol.st_name),
                  &symbol);
  }
}

static void read_object(Elf *elf, struct elf_symbols *symbols) {
  GElf_Ehdr file;
  if (elf_kind(elf) != ELF_K_ELF || !gelf_getehdr(elf, &file))
    return;
  symbols->kind = file.e_type == ET_REL ? ELF_OBJECT : ELF_LINKED;
  size_t names = 0;
  elf_getshdrstrndx(elf, &names);
  unsigned wanted = file.e_type == ET_REL ? SHT_SYMTAB : SHT_DYNSYM;
  for (Elf_Scn *section = NULL; (section = elf_nextscn(elf, section));) {
    GElf_Shdr header;
    if (!gelf_getshdr(section, &header))
      continue;
    if (header.sh_flags & SHF_EXECINSTR && header.sh_size > 0)
      symbols->has_code = true;
    const char *name = elf_strptr(elf, names, header.sh_name);
    if (name && !strcmp(name, HOOK_REFUSED_SECTION))
      symbols->has_refused = true;
    if (header.sh_type == wanted)
      read_table(elf, section, &header, symbols);
  }
}

static void read_archive(int file, Elf *archive, const char *member,
                         struct elf_symbols *symbols) {
  Elf_Cmd command = ELF_C_READ;
  for (Elf *elf; (elf = elf_begin(file, command, archive));) {
    Elf_Arhdr *header = elf_getarhdr(elf);
    if (header && (!member || !strcmp(header->ar_name, member)))
      read_object(elf, symbols);
    command = elf_next(elf);
    elf_end(elf);
  }
  if (!member)
    symbols->kind = ELF_ARCHIVE;
}

struct elf_symbols elf_symbols_read(const char *path, const char *member) {
  struct elf_symbols symbols = {0};
  elf_version(EV_CURRENT);
  int file = open(path, O_RDONLY | O_CLOEXEC);
  Elf *elf = file < 0 ? NULL : elf_begin(file, ELF_C_READ, NULL);
  if (elf && elf_kind(elf) == ELF_K_AR)
    read_archive(file, elf, member, &symbols);
  else if (elf)
    read_object(elf, &symbols);
  if (elf)
    elf_end(elf);
  if (file >= 0)
    close(file);
  return symbols;
}
