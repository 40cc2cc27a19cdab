/* What heddle cannot see must not go unnoticed: a function of a library that
 * the runtime does not know, and code that was not compiled by `heddle cc`.
 * Both are found out here.  The functions get stubs (see external.h), the
 * code is named in the program, and the runtime refuses them by name.
 *
 * For a few objects it is enough to look at their symbols.  In general only
 * the linker knows what takes part, so it is asked: a trial link without the
 * runtime tells which files were taken, and its result which functions come
 * from libraries.  Errors are left to the final link to print.
 */
#include "cc/driver/cc_link.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cc/driver/cc_linker.h"
#include "cc/driver/cc_program.h"
#include "cc/driver/cc_stubs.h"
#include "host/complain.h"
#include "cc/driver/elf.h"
#include "host/path.h"
#include "core/hook.h"
#include "util/vec.h"

/* Functions that compute a value from their arguments and touch nothing else,
 * what starts and ends a program, and variables. */
static const char *const harmless[] = {
#define HARMLESS(name) #name,
#include "cc/driver/harmless.def"
#undef HARMLESS
    NULL,
};

struct linking {
  const struct cc_arguments *job;
  const struct cc_tools *tools;
  char *const *objects;
  const char *scratch;
  struct word_list runtime; /* what the runtime defines; sorted */
  struct word_list known;   /* the same, and what is harmless; sorted */
  struct word_list unknown; /* functions that need a stub */
  struct word_list unseen;  /* files with code that was not instrumented */
  struct word_list called;  /* of what libc brings, what the program names */
  bool has_main;
  bool self_contained; /* objects and runtime need no function of a library */
  bool calls_libm;     /* by way of the runtime */
  struct cc_link_command command; /* the final link */
};

static void find_known(struct linking *l) {
  l->runtime = elf_symbols_read(l->tools->library, NULL).defined;
  word_list_sort(&l->runtime);
  word_list_add_all(&l->known, &l->runtime);
  for (const char *const *name = harmless; *name; name++)
    word_list_add(&l->known, *name);
  word_list_sort(&l->known);
}

/* The user's name for an object that was made here from an input. */
static const char *name_of(const struct linking *l, const char *object) {
  for (size_t i = 0; i < l->job->input_count; i++)
    if (!strcmp(l->objects[i], object))
      return path_base(l->job->inputs[i].path);
  return path_base(object);
}

/* An input of the link that is no shared library. */
static void look_at_object(struct linking *l, const char *path,
                           const struct elf_symbols *symbols) {
  if (symbols->kind == ELF_OBJECT && symbols->has_code &&
      !word_list_contains(&symbols->undefined, HOOK_MARK))
    word_list_add_once(&l->unseen, name_of(l, path));
}

/* ---- the short way: objects only ---------------------------------------- */

/* Can this word of the link bring in code that is not known? */
static bool word_is_plain(const char *word) {
  static const char *const plain[] = {
      "-pthread", "-lpthread", "-lm",     "-ldl", "-lrt",      "-lc",
      "-shared",  "-pie",      "-no-pie", "-v",   "-rdynamic", NULL};
  return one_of(word, plain) || starts_with(word, "-m") ||
         starts_with(word, "-W") || starts_with(word, "-L/") ||
         (starts_with(word, "-f") && !starts_with(word, "-fopenmp"));
}

/* Functions of libm that the runtime has, and calls there.  They alone are no
 * reason for the linker to bring in libm. */
static void look_for_libm(struct linking *l, const char *name) {
  static const char *const passed_on[] = {
      "sincos",  "sincosf",  "sincosl",   "remquo",    "remquof",
      "remquol", "lgamma_r", "lgammaf_r", "lgammal_r", "nan",
      "nanf",    "nanl",     NULL};
  l->calls_libm = l->calls_libm || one_of(name, passed_on);
}

static bool are_known(struct linking *l, const struct word_list *defined,
                      const struct word_list *undefined) {
  bool self_contained = true;
  for (size_t i = 0; i < undefined->size; i++) {
    const char *name = undefined->at[i];
    look_for_libm(l, name);
    if (word_list_find(&l->runtime, name) || word_list_find(defined, name))
      continue;
    if (!word_list_find(&l->known, name))
      return false;
    self_contained = false;
  }
  l->self_contained = self_contained;
  return true;
}

/* False if the linker must be asked. */
static bool objects_tell_all(struct linking *l) {
  const struct cc_arguments *job = l->job;
  struct word_list defined = {0}, undefined = {0};
  for (size_t i = 0; i < job->item_count; i++) {
    if (job->items[i].word) {
      if (!word_is_plain(job->items[i].word))
        return false;
      continue;
    }
    const char *path = l->objects[job->items[i].input];
    struct elf_symbols symbols = elf_symbols_read(path, NULL);
    if (symbols.kind != ELF_OBJECT)
      return false;
    look_at_object(l, path, &symbols);
    l->has_main = l->has_main || word_list_contains(&symbols.defined, "main");
    word_list_add_all(&defined, &symbols.defined);
    word_list_add_all(&undefined, &symbols.undefined);
  }
  word_list_sort(&defined);
  return are_known(l, &defined, &undefined);
}

/* ---- asking the linker -------------------------------------------------- */

static void add_items(const struct linking *l,
                      struct cc_link_command *command) {
  for (size_t i = 0; i < l->job->item_count; i++) {
    const struct cc_item *item = &l->job->items[i];
    if (item->word)
      word_list_add(&command->words, item->word);
    else
      cc_linker_add_file(command, l->objects[item->input]);
  }
}

/* The compiler's own parts, which it adds to every program. */
static bool is_part_of_compiler(const char *path) {
  static const char *const parts[] = {
      "libgcc.a", "libgcc_eh.a", "libc_nonshared.a", "Scrt1.o",
      "crt1.o",   "gcrt1.o",     "rcrt1.o",          "crti.o",
      "crtn.o",   "crtbegin.o",  "crtbeginS.o",      "crtbeginT.o",
      "crtend.o", "crtendS.o",   "crtfastmath.o",    NULL};
  const char *name = path_base(path);
  return one_of(name, parts) || starts_with(name, "libclang_rt.") ||
         starts_with(name, "clang_rt.");
}

/* What atexit, at_quick_exit and pthread_atfork call: those of libc are linked
 * with each program that uses them, before the runtime's take their place. */
static const char *const brought[] = {"__cxa_atexit", "__cxa_at_quick_exit",
                                      "__register_atfork", NULL};

static void look_for_brought(struct linking *l,
                             const struct elf_symbols *symbols) {
  for (const char *const *name = brought; *name; name++)
    if (word_list_contains(&symbols->undefined, *name))
      word_list_add_once(&l->called, *name);
}

/* A shared library that was made by `heddle cc` is known, and has its own
 * stubs; that it contains unseen code it says by a name or a section. */
static void look_at_library(struct linking *l, const char *path,
                            const struct elf_symbols *symbols,
                            struct word_list *provided) {
  if (!word_list_contains(&symbols->undefined, HOOK_MARK))
    return;
  word_list_add_all(provided, &symbols->defined);
  if (symbols->has_refused ||
      word_list_contains(&symbols->defined, "heddle_unseen"))
    word_list_add_once(&l->unseen, path_base(path));
}

/* Splits "libx.a(y.o)" or "(libx.a)y.o" in place. */
static const char *split_member(char **path) {
  char *open = strrchr(*path, '('), *close = strrchr(*path, ')');
  if (!open || !close || close < open)
    return NULL;
  *open = *close = 0;
  if (open != *path)
    return open + 1;
  *path = open + 1;
  return close + 1;
}

/* One line of the linker's list of files. */
static void look_at_file(struct linking *l, char *line,
                         struct word_list *provided) {
  const char *member = split_member(&line);
  if (is_part_of_compiler(line) || (!member && ends_with(line, ".a")))
    return;
  struct elf_symbols symbols = elf_symbols_read(line, member);
  l->has_main = l->has_main || word_list_contains(&symbols.defined, "main");
  look_for_brought(l, &symbols);
  if (symbols.kind == ELF_OBJECT)
    look_at_object(l, line, &symbols);
  else if (symbols.kind == ELF_LINKED)
    look_at_library(l, line, &symbols, provided);
}

/* False if the trial failed: then the final link will. */
static bool ask_linker(struct linking *l) {
  struct cc_link_command command = {0};
  struct word_list provided = {0};
  char *trial = text_format("%s/trial", l->scratch), *files = NULL;
  add_items(l, &command);
  word_list_add(&command.words, "-lm"); /* each program gets it in the end */
  /* Twice: ld then also names the members of archives. */
  word_list_add_each(&command.words, "-Wl,--trace,--trace",
                     "-Wl,--unresolved-symbols=ignore-all", "-o", NULL);
  cc_linker_add_file(&command, trial);
  if (!cc_linker_list(l->tools, &command, &files))
    return false;
  l->unseen.size = 0;
  for (char *line = strtok(files, "\n"); line; line = strtok(NULL, "\n"))
    look_at_file(l, line, &provided);
  word_list_sort(&provided);
  struct word_list functions =
      elf_symbols_read(trial, NULL).undefined_functions;
  for (size_t i = 0; i < functions.size; i++) {
    const char *name = functions.at[i];
    look_for_libm(l, name);
    if (one_of(name, brought) && !word_list_contains(&l->called, name))
      continue;
    if (!word_list_find(&l->known, name) && !word_list_find(&provided, name))
      word_list_add_once(&l->unknown, name);
  }
  return true;
}

/* ---- the link itself ---------------------------------------------------- */

/* Instrumented libraries find the runtime in the executable.  Each name is
 * given: the linker would compare a pattern with every symbol that it has. */
static void add_exports(const struct word_list *runtime,
                        struct word_list *words) {
  static const char *const exported[] = {"heddle_", "__VERIFIER_", NULL};
  for (size_t i = 0; i < runtime->size; i++)
    if (starts_with_one_of(runtime->at[i], exported))
      word_list_add(
          words, text_format("-Wl,--export-dynamic-symbol=%s", runtime->at[i]));
}

/* The runtime comes first: its definitions stand in front of libc's, and main
 * may lie in an archive behind it. */
static int link_program(struct linking *l, const char *stubs) {
  const struct cc_arguments *job = l->job;
  struct word_list *words = &l->command.words;
  if (!job->no_runtime)
    word_list_add(words, l->tools->library);
  add_items(l, &l->command);
  if (stubs)
    cc_linker_add_file(&l->command, stubs);
  if (!job->no_runtime) {
    word_list_add(words, "-Wl,--wrap=main");
    add_exports(&l->runtime, words);
    word_list_add_each(words, "-ldl", "-lpthread", NULL);
    if (l->calls_libm)
      word_list_add(words, "-Wl,--no-as-needed");
    if (!l->self_contained || l->calls_libm)
      word_list_add(words, "-lm"); /* its many symbols take the linker long */
  } else if (!job->relocatable) {
    word_list_add(words, "-Wl,-z,undefs"); /* the executable has the hooks */
  }
  word_list_add(words, "-o");
  cc_linker_add_file(&l->command, job->output ? job->output : "a.out");
  return cc_linker_run(l->tools, &l->command);
}

static int analyse_and_link(struct linking *l) {
  if (l->job->relocatable)
    return link_program(l, NULL);
  find_known(l);
  bool analysed = objects_tell_all(l) || ask_linker(l);
  char *stubs = NULL;
  if (analysed && !l->has_main && !l->job->no_runtime)
    return complain("cc: there is no main: none of the files defines it");
  if (analysed && (l->unknown.size || l->unseen.size)) {
    stubs = cc_stubs_make(&l->unknown, &l->unseen, l->tools, l->scratch);
    if (!stubs)
      return 1;
  }
  int code = link_program(l, stubs);
  if (code == 0 && !analysed)
    return complain("cc: could not find out which functions the program uses; "
                    "does its linker know --trace and --unresolved-symbols?");
  return code;
}

int cc_link(const struct cc_arguments *job, const struct cc_tools *tools,
            char *const objects[], const char *scratch) {
  struct linking l = {
      .job = job, .tools = tools, .objects = objects, .scratch = scratch};
  struct cc_program program = cc_program_begin(job, tools, objects);
  if (cc_program_reuse(&program))
    return 0;
  if (program.keepable)
    l.command.list = text_format("%s/opened.d", scratch);
  int code = analyse_and_link(&l);
  if (code == 0)
    cc_program_keep(&program, &l.command);
  return code;
}
