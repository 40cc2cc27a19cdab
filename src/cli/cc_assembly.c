/* No hook stands before what inline assembly reads and writes, nor before
 * accesses of unusual sizes.  An object says which functions contain such, and
 * the runtime refuses to check the program unless the user allows them.
 *
 * By the rules of inline assembly, memory is touched only where an operand lies
 * in memory ('*' in LLVM's constraints) or memory is clobbered.  Barriers and
 * pauses clobber it without touching it: they are let through.
 */
#define _GNU_SOURCE
#include "cli/cc_assembly.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/complain.h"
#include "cli/words.h"
#include "util/vec.h"

/* What the user allows, and what a message shows. */
struct place {
  const char *name; /* of the function; NULL: nowhere */
  const char *where;
};

/* Stands for the name where there is no function. */
#define UNNAMED "assembly"

/* ---- the text ----------------------------------------------------------- */

/* Where the definition of metadata !number begins, or NULL. */
static const char *metadata(const char *module, int number) {
  char *start = text("\n!%d = ", number);
  const char *found = strstr(module, start);
  free(start);
  return found;
}

/* The text after `field` in one line, or NULL. */
static const char *field(const char *line, const char *name) {
  size_t length = line ? strcspn(line + 1, "\n") + 1 : 0;
  const char *found = line ? memmem(line, length, name, strlen(name)) : NULL;
  return found ? found + strlen(name) : NULL;
}

static const char *follow(const char *module, const char *line,
                          const char *name) {
  const char *number = field(line, name);
  return number ? metadata(module, atoi(number)) : NULL;
}

/* A string of one line of metadata, without its quotes; empty if not there. */
static char *string_field(const char *line, const char *name) {
  const char *value = field(line, name);
  return text("%.*s", value ? (int)strcspn(value, "\"\n") : 0,
              value ? value : "");
}

/* The function and "file:line" of an instruction, by its debug information. */
static struct place place_of(const char *module, const char *instruction) {
  const char *location = follow(module, instruction, "!dbg !");
  const char *scope = follow(module, location, "scope: !");
  const char *line = field(location, "line: ");
  char *file = string_field(follow(module, scope, "file: !"), "filename: \"");
  while (scope && !field(scope, "!DISubprogram("))
    scope = follow(module, scope, "scope: !"); /* out of inner blocks */
  char *function = string_field(scope, "name: \"");
  if (!*function || !line)
    return (struct place){UNNAMED, "an unknown place"};
  const char *slash = strrchr(file, '/');
  return (struct place){function,
                        text("%s:%d", slash ? slash + 1 : file, atoi(line))};
}

/* ---- what is harmless --------------------------------------------------- */

/* A word of a barrier or a pause.  Adding zero to the top of the stack is how a
 * barrier was written for old processors. */
static bool is_barrier_word(const char *word, size_t length) {
  static const char *const words[] = {
      "pause",  "nop",     "rep",      "mfence",   "lfence", "sfence", "yield",
      "isb",    "dmb",     "dsb",      "sy",       "ish",    "ishld",  "ishst",
      "lock",   "addl",    "addq",     "orl",      "orq",    "$$0",    "$$0x0",
      "(%rsp)", "0(%rsp)", "-4(%rsp)", "-8(%rsp)", NULL};
  for (const char *const *known = words; *known; known++)
    if (strlen(*known) == length && !memcmp(*known, word, length))
      return true;
  return false;
}

/* LLVM writes a newline as \0A and a tab as \09. */
static size_t separator(const char *at) {
  if (isspace((unsigned char)*at) || *at == ';' || *at == ',')
    return 1;
  return starts_with(at, "\\0A") || starts_with(at, "\\09") ? 3 : 0;
}

static bool is_barrier(const char *at, const char *end) {
  while (at < end) {
    const char *word = at;
    while (at < end && !separator(at))
      at++;
    if (at > word && !is_barrier_word(word, (size_t)(at - word)))
      return false;
    if (at < end)
      at += separator(at);
  }
  return true;
}

/* Inside a string of LLVM's a quote is written \22. */
static bool touches_memory(const char *assembly, const char *line_end) {
  const char *code = memchr(assembly, '"', (size_t)(line_end - assembly));
  const char *code_end = code ? strchr(code + 1, '"') : NULL;
  const char *rules = code_end ? strchr(code_end + 1, '"') : NULL;
  const char *rules_end = rules ? strchr(rules + 1, '"') : NULL;
  if (!rules_end || rules_end > line_end)
    return true; /* not understood: better refused */
  size_t length = (size_t)(rules_end - rules);
  return (memchr(rules, '*', length) || memmem(rules, length, "{memory}", 8)) &&
         !is_barrier(code + 1, code_end);
}

/* Outside of functions: directives are harmless, instructions are not seen. */
static bool is_directive(const char *code) {
  while (separator(code))
    code += separator(code);
  return *code == '.' || *code == '"' || *code == '#';
}

/* ---- accesses without a hook --------------------------------------------- */

static unsigned bits_of(const char *type) {
  unsigned bits = 64; /* pointers, double */
  if (sscanf(type, "i%u", &bits) == 1)
    return bits;
  if (starts_with(type, "x86_fp80"))
    return 80;
  return starts_with(type, "float")  ? 32
         : starts_with(type, "half") ? 16
                                     : bits;
}

/* The compiler puts hooks before accesses of 1, 2, 4, 8 and 16 bytes, and is
 * silent about others: long double, bit-fields of 3 bytes, wide vectors. */
static bool has_hook(const char *type) {
  unsigned elements = 1;
  int skip = 0;
  if (*type == '{' || *type == '[')
    return false;
  if (sscanf(type, "<%u x %n", &elements, &skip) == 1)
    type += skip;
  unsigned bytes = (elements * bits_of(type) + 7) / 8;
  return bytes && bytes <= 16 && !(bytes & (bytes - 1));
}

/* The type that a load or store in this line moves, or NULL. */
static const char *moved_type(const char *line, const char *end) {
  const char *at = line + strspn(line, " ");
  if (starts_with(at, "store ")) {
    at += 6;
  } else {
    at = memmem(line, (size_t)(end - line), " = load ", 8);
    at = at ? at + 8 : NULL;
  }
  if (at && starts_with(at, "volatile "))
    at += 9;
  return at && !starts_with(at, "atomic ") ? at : NULL;
}

/* ---- all of a module ---------------------------------------------------- */

/* Does the line touch memory without hooks? */
static struct place look_at_line(const char *module, const char *line,
                                 const char *end) {
  static const char outside[] = "module asm \"";
  const struct place nowhere = {NULL, NULL};
  if (starts_with(line, outside))
    return is_directive(line + strlen(outside))
               ? nowhere
               : (struct place){UNNAMED, "file scope"};
  if (*line != ' ')
    return nowhere; /* a constant or metadata */
  const char *type = moved_type(line, end);
  if (type)
    return has_hook(type) ? nowhere : place_of(module, line);
  const char *call = memmem(line, (size_t)(end - line), "call", 4);
  const char *assembly =
      call ? memmem(call, (size_t)(end - call), " asm ", 5) : NULL;
  return assembly && touches_memory(assembly, end) ? place_of(module, line)
                                                   : nowhere;
}

/* Name and place alternate; one place for each name is enough. */
static struct words find_places(const char *module) {
  struct words places = {0};
  for (const char *line = module; *line;) {
    const char *end = strchrnul(line, '\n');
    struct place place = look_at_line(module, line, end);
    if (place.name && !words_contain(&places, place.name))
      words_add_list(&places, place.name, place.where, NULL);
    line = *end ? end + 1 : end;
  }
  return places;
}

static char *read_text(const char *path) {
  FILE *file = fopen(path, "r");
  VEC(char) module = {0};
  for (size_t got = file != NULL; got; module.size += got) {
    VEC_RESERVE(module, 65537);
    got = fread(module.at + module.size, 1, 65536, file);
  }
  if (!file || ferror(file))
    return NULL;
  fclose(file);
  module.at[module.size] = 0;
  return module.at;
}

/* The quotes of the assembler's strings stand inside a string of LLVM's. */
static bool append(const char *path, const struct words *places) {
  FILE *file = fopen(path, "a");
  if (!file)
    return false;
  fputs("\nmodule asm \".pushsection " CC_ASSEMBLY_SECTION
        ", \\22a\\22, %progbits\"\n",
        file);
  for (size_t i = 0; i < places->size; i++)
    fprintf(file, "module asm \".asciz \\22%s\\22\"\n", places->at[i]);
  fputs("module asm \".popsection\"\n", file);
  return fclose(file) == 0;
}

int cc_assembly_note(const char *path) {
  char *module = read_text(path);
  if (!module)
    return complain("cc: cannot read %s: %s", path, strerror(errno));
  struct words places = find_places(module);
  free(module);
  if (places.size && !append(path, &places))
    return complain("cc: cannot write %s: %s", path, strerror(errno));
  return 0;
}
