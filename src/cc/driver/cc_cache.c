/* An object is made anew unless it is certain that it would be the same.  What
 * it depends on:
 *
 *  - the compiler, heddle and the environment (cc_identity.c), the options, the
 *    name of the source and the current folder, which debug information names:
 *    these are the key;
 *  - the contents of the source and of all headers, which clang lists in a
 *    dependency file (-MD), and that no other header has come to stand in front
 *    of one of them (cc_search.c): these are the manifest.
 *
 * Compilations that may depend on anything else are not kept: those with an
 * option that is not listed here, and sources in which __DATE__ and its like
 * stand.
 *
 * With the object its warnings are kept, to be printed again, and the list of
 * files, from which a dependency file is written if one is wanted.
 */
#define _GNU_SOURCE
#include "cc/driver/cc_cache.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "cc/driver/cache.h"
#include "cc/driver/cc_compile.h"
#include "cc/driver/cc_depend.h"
#include "cc/driver/cc_identity.h"
#include "cc/driver/cc_search.h"
#include "host/file.h"
#include "cc/driver/manifest.h"
#include "cc/driver/pack.h"
#include "host/process.h"

struct compiling {
  const struct cc_arguments *job;
  const struct cc_tools *tools;
  const struct cc_input *input;
  const char *output;
  const char *scratch;
  struct cc_depend depend; /* what the user wants */
  struct word_list look;   /* options for messages on a terminal */
  struct cc_search search;
  struct digest key;
};

/* The parts of an entry. */
enum { LOOK, MESSAGES, FILES, OBJECT, PARTS };

/* ---- what can be kept --------------------------------------------------- */

/* False if a source, or the value of a macro, may depend on more than the files
 * that clang lists. */
static bool text_is_plain(const char *source) {
  static const char *const words[] = {
      "__DATE__", "__TIME__",    "__TIMESTAMP__",  ".incbin",
      ".include", "__has_embed", "GCC dependency", NULL};
  for (size_t i = 0; words[i]; i++)
    if (strstr(source, words[i]))
      return false;
  for (const char *at = source; (at = strstr(at, "embed")); at++) {
    const char *before = at;
    while (before > source && (before[-1] == ' ' || before[-1] == '\t'))
      before--;
    if (before > source && before[-1] == '#')
      return false;
  }
  return true;
}

/* Options of the form -fNAME=VALUE name files, often enough: only these do not.
 */
static bool is_plain_value(const char *word) {
  static const char *const plain[] = {"-falign-",
                                      "-fcf-protection=",
                                      "-fdebug-prefix-map=",
                                      "-fdiagnostics-",
                                      "-fexcess-precision=",
                                      "-ffile-prefix-map=",
                                      "-ffp-",
                                      "-fmacro-prefix-map=",
                                      "-fmax-errors=",
                                      "-fmessage-length=",
                                      "-fpatchable-function-entry=",
                                      "-fstack-protector",
                                      "-fstrict-flex-arrays=",
                                      "-ftrivial-auto-var-init=",
                                      "-fvisibility=",
                                      "-fzero-call-used-regs=",
                                      "-ferror-limit=",
                                      NULL};
  return starts_with_one_of(word, plain);
}

/* Options that are fully accounted for by the key and the manifest. */
static bool is_plain_option(const char *word) {
  static const char *const plain[] = {
      "-w",     "-ansi",      "-pedantic",        "-pthread", "-nostdinc",
      "-undef", "-trigraphs", "-pedantic-errors", NULL};
  static const char *const beginnings[] = {"-D", "-U", "-I",    "-W", "-f",
                                           "-g", "-m", "-std=", NULL};
  static const char *const others[] = {"-Wp,",        "-Wa,",
                                       "-Wl,",        "-mllvm",
                                       "-fmodule",    "-fsave-",
                                       "-fapi",       "-fstack-usage",
                                       "-fbuild",     "-fcrash",
                                       "-fthinlto",   "-fembed",
                                       "-fopenmp",    "-fimplicit-module",
                                       "-fproc-stat", "-ftime",
                                       "-frecord",    "-grecord",
                                       "-foffload",   "-fno-integrated-as",
                                       NULL};
  if (ends_with(word, "=native")) /* folders can be shared by machines */
    return false;
  if (starts_with(word, "-f") && strchr(word, '='))
    return is_plain_value(word);
  return one_of(word, plain) || (starts_with_one_of(word, beginnings) &&
                                 !starts_with_one_of(word, others));
}

/* The same for options whose argument is the next word. */
static bool is_plain_pair(const char *word) {
  static const char *const plain[] = {"-D",       "-U",       "-I",
                                      "-isystem", "-iquote",  "-idirafter",
                                      "-include", "-imacros", NULL};
  return one_of(word, plain);
}

static bool all_plain(const struct word_list *words) {
  for (size_t i = 0; i < words->size; i++) {
    bool pair = is_plain_pair(words->at[i]);
    if (!pair && !is_plain_option(words->at[i]))
      return false;
    i += pair;
    if (i < words->size &&
        (!text_is_plain(words->at[i]) || ends_with(words->at[i], ".hmap")))
      return false;
  }
  return true;
}

static bool can_be_kept(const struct compiling *c) {
  const char *path = c->input->path;
  if (c->input->language != CC_C && c->input->language != CC_PREPROCESSED)
    return false;
  return cache_on() && strcmp(path, "-") && !file_is_special(path) &&
         strcmp(c->output, "-") && !file_is_special(c->output) &&
         !c->depend.unusual && all_plain(&c->job->front) &&
         all_plain(&c->job->back);
}

/* ---- the key ------------------------------------------------------------ */

static bool make_key(struct compiling *c) {
  struct digest identity;
  char *here = getcwd(NULL, 0);
  if (!here || !cc_identity(c->tools, &identity))
    return false;
  c->key = digest_of("object");
  digest_add(&c->key, &identity, sizeof identity);
  digest_add_text(&c->key, here);
  digest_add_text(&c->key, getenv("PWD")); /* clang prefers it */
  digest_add_text(&c->key, c->job->action == CC_ASSEMBLY ? "-S" : "-c");
  digest_add_text(&c->key, cc_language_name(c->input->language));
  digest_add_words(&c->key, &c->job->front);
  digest_add_words(&c->key, &c->job->back);
  digest_add_words(&c->key, &c->search.user);
  digest_add_words(&c->key, &c->search.system);
  digest_add_text(&c->key, c->input->path);
  free(here);
  return cc_identity_add_clang(&c->key, c->search.compiler) &&
         digest_add_contents(&c->key, c->input->path);
}

/* ---- messages ----------------------------------------------------------- */

static unsigned columns(void) {
  const char *said = getenv("COLUMNS");
  struct winsize size;
  if (said && atoi(said) > 0)
    return (unsigned)atoi(said);
  return ioctl(2, TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
}

/* Clang writes its messages into a pipe, and must lay them out for the user's
 * terminal. */
static void find_look(struct compiling *c) {
  const char *terminal = getenv("TERM");
  if (!isatty(2))
    return;
  if (terminal && *terminal && strcmp(terminal, "dumb"))
    word_list_add(&c->look, "-fcolor-diagnostics");
  word_list_add(&c->look, text_format("-fmessage-length=%u", columns()));
}

static bool same_look(const struct compiling *c,
                      const struct cache_part *kept) {
  struct cache_part now = pack_words(&c->look);
  bool same = now.size == kept->size &&
              (!now.size || !memcmp(now.at, kept->at, now.size));
  free(now.at);
  return same;
}

/* ---- dependency files --------------------------------------------------- */

/* From the list of all files that were read. */
static bool write_depend(const struct compiling *c,
                         const struct word_list *read) {
  struct word_list named = {0};
  if (!c->depend.wanted)
    return true;
  for (size_t i = 0; i < read->size; i++)
    if (!c->depend.user_only || !cc_search_is_system(&c->search, read->at[i]))
      word_list_add(&named, read->at[i]);
  return cc_depend_write(&c->depend, &named);
}

/* ---- reusing ------------------------------------------------------------ */

/* True if all is as if clang had run. */
static bool reuse(const struct compiling *c) {
  struct cache_part parts[PARTS];
  struct digest result;
  if (!manifest_find(&c->key, &result) || !cache_get(&result, parts, PARTS))
    return false;
  if (parts[MESSAGES].size && !same_look(c, &parts[LOOK]))
    return false;
  struct word_list read = {0};
  unpack_words(&parts[FILES], &read);
  if (!file_write(c->output, parts[OBJECT].at, parts[OBJECT].size, 0666) ||
      !write_depend(c, &read))
    return false;
  fwrite(parts[MESSAGES].at, 1, parts[MESSAGES].size, stderr);
  return true;
}

/* ---- keeping ------------------------------------------------------------ */

static bool follows_define(const char *source, const char *at) {
  static const char define[] = "define";
  while (at > source && (at[-1] == ' ' || at[-1] == '\t'))
    at--;
  size_t length = strlen(define);
  return (size_t)(at - source) >= length &&
         !strncmp(at - length, define, length);
}

/* Notes the headers that a source asks for with __has_include, which may not
 * exist yet.  False if a name cannot be read. */
static bool note_questions(const char *source, struct word_list *wanted) {
  static const char question[] = "__has_include";
  for (const char *at = source; (at = strstr(at, question));) {
    bool defined = follows_define(source, at);
    at += strlen(question);
    at += starts_with(at, "_next") ? strlen("_next") : 0;
    at += strspn(at, " \t");
    if (*at != '(' || defined)
      continue; /* it is only mentioned */
    at += 1 + strspn(at + 1, " \t");
    size_t length = strcspn(at + 1, *at == '<' ? ">\n" : "\"\n");
    if (*at != '<' && *at != '"')
      return false;
    word_list_add(wanted, text_format("%.*s", (int)length, at + 1));
  }
  return true;
}

/* False if one of the files is not to be trusted. */
static bool look_into(const struct word_list *read, struct word_list *wanted) {
  for (size_t i = 0; i < read->size; i++) {
    size_t size;
    char *source = file_read(read->at[i], &size);
    bool plain = source && strlen(source) == size && text_is_plain(source) &&
                 note_questions(source, wanted);
    free(source);
    if (!plain)
      return false;
  }
  return true;
}

/* Clang would prefer a precompiled header to one named by -include. */
static void note_precompiled(const struct word_list *options,
                             struct word_list *wanted) {
  for (size_t i = 0; i + 1 < options->size; i++)
    if (!strcmp(options->at[i], "-include"))
      word_list_add_each(wanted, text_format("%s.pch", options->at[i + 1]),
                         text_format("%s.gch", options->at[i + 1]), NULL);
}

static void keep(const struct compiling *c, const struct word_list *read,
                 struct timespec start, const struct text *messages) {
  struct manifest depends = {.contents = *read};
  struct word_list wanted = {0};
  struct digest result;
  struct cache_part parts[PARTS] = {
      [LOOK] = pack_words(&c->look),
      [MESSAGES] = {messages->at, messages->size},
      [FILES] = pack_words(read),
  };
  if (!look_into(read, &wanted))
    return;
  note_precompiled(&c->job->front, &wanted);
  cc_search_absent(&c->search, read, &wanted, &depends.absent);
  parts[OBJECT].at = file_read(c->output, &parts[OBJECT].size);
  if (parts[OBJECT].at && manifest_keep(&c->key, &depends, start, &result))
    cache_put(&result, parts, PARTS);
}

/* Compiles with clang's list of files going to a file of ours. */
static int compile(const struct compiling *c, const char *list,
                   struct text *messages) {
  struct cc_arguments job = *c->job;
  job.front = (struct word_list){0};
  word_list_add_all(&job.front, &c->look);
  word_list_add_all(&job.front, &c->job->front); /* behind: the user wins */
  job.depend_wanted = false;
  job.depend = (struct word_list){0};
  word_list_add_each(&job.depend, "-MD", "-MF", list, "-MT", CC_DEPEND_TARGET,
                     NULL);
  process_keep_errors(messages);
  int code = cc_compile(&job, c->tools, c->input, c->output, c->scratch);
  process_keep_errors(NULL);
  return code;
}

static int compile_and_keep(const struct compiling *c) {
  struct timespec start = manifest_start();
  struct text messages = {0};
  struct word_list read = {0};
  char *list = text_format("%s/read.d", c->scratch);
  int code = compile(c, list, &messages);
  bool listed = cc_depend_read(list, &read);
  unlink(list);
  if (listed && !write_depend(c, &read) && code == 0)
    code = 1;
  if (listed && code == 0)
    keep(c, &read, start, &messages);
  return code;
}

int cc_cache_compile(const struct cc_arguments *job,
                     const struct cc_tools *tools, const struct cc_input *input,
                     const char *output, const char *scratch) {
  struct compiling c = {.job = job,
                        .tools = tools,
                        .input = input,
                        .output = output,
                        .scratch = scratch};
  c.depend = cc_depend_wanted(job, input);
  if (!can_be_kept(&c) || !cc_search_find(job, tools, &c.search) ||
      !make_key(&c))
    return cc_compile(job, tools, input, output, scratch);
  find_look(&c);
  return reuse(&c) ? 0 : compile_and_keep(&c);
}
