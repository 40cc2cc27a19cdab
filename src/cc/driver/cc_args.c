#include "cc/driver/cc_args.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host/file.h"
#include "host/complain.h"
#include "util/vec.h"

/* ---- response files ----------------------------------------------------- */

/* One word as GNU tools quote it: quotes group, a backslash takes the next
 * character as it is.  NULL at the end. */
static char *next_word(const char **at) {
  const char *in = *at;
  while (isspace((unsigned char)*in))
    in++;
  if (!*in)
    return NULL;
  char *word = malloc(strlen(in) + 1), *out = word, quote = 0;
  for (; *in && (quote || !isspace((unsigned char)*in)); in++) {
    if (*in == '\\' && in[1])
      *out++ = *++in;
    else if (quote ? *in == quote : *in == '\'' || *in == '"')
      quote = quote ? 0 : *in;
    else
      *out++ = *in;
  }
  *out = 0;
  *at = in;
  return word;
}

/* Files may name files; one that names itself ends at the depth. */
static void expand(struct word_list *all, const char *word, int depth) {
  char *text =
      word[0] == '@' && depth < 20 ? file_read_any(word + 1, NULL) : NULL;
  if (!text) { /* no such file: an input that clang will complain about */
    word_list_add(all, word);
    return;
  }
  const char *at = text;
  for (char *inner; (inner = next_word(&at));)
    expand(all, inner, depth + 1);
  free(text);
}

/* ---- languages ---------------------------------------------------------- */

static const struct {
  const char *name; /* of -x */
  enum cc_language language;
} languages[] = {
    {"c", CC_C},
    {"cpp-output", CC_PREPROCESSED},
    {"assembler", CC_ASSEMBLER},
    {"assembler-with-cpp", CC_ASSEMBLER_CPP},
    {"ir", CC_IR},
    {"c-header", CC_HEADER},
};
#define LANGUAGES (sizeof languages / sizeof *languages)

const char *cc_language_name(enum cc_language language) {
  for (size_t i = 0; i < LANGUAGES; i++)
    if (languages[i].language == language)
      return languages[i].name;
  return "none";
}

static enum cc_language language_named(const char *name) {
  for (size_t i = 0; i < LANGUAGES; i++)
    if (!strcmp(languages[i].name, name))
      return languages[i].language;
  return CC_OTHER;
}

static enum cc_language language_of(const char *path) {
  static const struct {
    const char *suffix;
    enum cc_language language;
  } suffixes[] = {
      {".c", CC_C},
      {".i", CC_PREPROCESSED},
      {".s", CC_ASSEMBLER},
      {".S", CC_ASSEMBLER_CPP},
      {".sx", CC_ASSEMBLER_CPP},
      {".bc", CC_IR},
      {".ll", CC_IR},
      {".h", CC_HEADER},
      {".cc", CC_OTHER},
      {".cpp", CC_OTHER},
      {".cxx", CC_OTHER},
      {".c++", CC_OTHER},
      {".C", CC_OTHER},
      {".cp", CC_OTHER},
      {".CPP", CC_OTHER},
      {".ii", CC_OTHER},
      {".hpp", CC_OTHER},
      {".hh", CC_OTHER},
      {".m", CC_OTHER},
      {".mm", CC_OTHER},
      {".M", CC_OTHER},
      {".cu", CC_OTHER},
      {".cl", CC_OTHER},
  };
  for (size_t i = 0; i < sizeof suffixes / sizeof *suffixes; i++)
    if (ends_with(path, suffixes[i].suffix))
      return suffixes[i].language;
  return CC_LINKED;
}

/* ---- where each option goes --------------------------------------------- */

enum {
  DROP = 0, /* means nothing to heddle, or would spoil the pipeline */
  FRONT = 1,
  BACK = 2,
  LINK = 4,
  ALL = FRONT | BACK | LINK,
  MODE = 8,    /* ends with the front end */
  DEPEND = 16, /* about dependency files */
  PASS = 32,   /* the whole command is clang's */
  REFUSE = 64,
};

enum form {
  EXACT,    /* the word itself */
  PREFIX,   /* the word with anything behind it */
  SEPARATE, /* the word, then its argument */
  EITHER,   /* its argument is behind it or the next word */
};

/* The first rule that fits decides. */
static const struct rule {
  const char *word;
  enum form form;
  int to;
} rules[] = {
    /* Queries. */
    {"-###", EXACT, PASS},
    {"--version", EXACT, PASS},
    {"--help", PREFIX, PASS},
    {"-print-", PREFIX, PASS},
    {"--print-", PREFIX, PASS},
    {"-dump", PREFIX, PASS},
    {"--driver-mode", PREFIX, PASS},
    {"-cc1", PREFIX, PASS},

    /* No machine code is wanted. */
    {"-E", EXACT, MODE},
    {"-M", EXACT, MODE},
    {"-MM", EXACT, MODE},
    {"-emit-llvm", EXACT, MODE},
    {"-fsyntax-only", EXACT, MODE},
    {"--analyze", EXACT, MODE},

    {"-MD", EXACT, DEPEND},
    {"-MMD", EXACT, DEPEND},
    {"-MP", EXACT, DEPEND},
    {"-MG", EXACT, DEPEND},
    {"-MV", EXACT, DEPEND},
    {"-MF", EITHER, DEPEND},
    {"-MT", EITHER, DEPEND},
    {"-MJ", EITHER, FRONT},
    {"-MQ", EITHER, DEPEND},

    {"-fsanitize=", PREFIX, REFUSE},
    {"-static", EXACT, REFUSE},
    {"--static", EXACT, REFUSE},
    {"-static-pie", EXACT, REFUSE},
    {"-m32", EXACT, REFUSE},
    {"-mx32", EXACT, REFUSE},

    /* How much is optimised is not the user's choice: the pipeline keeps every
     * access.  Nor are debug information and thread-local variables. */
    {"-O", PREFIX, DROP},
    {"-g0", EXACT, DROP},
    {"-g1", EXACT, DROP},
    {"-gmlt", EXACT, DROP},
    {"-gline-tables-only", EXACT, DROP},
    {"-gline-directives-only", EXACT, DROP},
    {"-gsplit-dwarf", PREFIX, DROP},
    {"-s", EXACT, DROP},
    {"-Wl,-s", EXACT, DROP},
    {"-Wl,-S", EXACT, DROP},
    {"-Wl,--strip-all", EXACT, DROP},
    {"-Wl,--strip-debug", EXACT, DROP},
    {"-femulated-tls", EXACT, DROP},
    {"-fno-emulated-tls", EXACT, DROP},
    {"-ftls-model", PREFIX, DROP},
    {"-flto", PREFIX, DROP},
    {"-fno-lto", EXACT, DROP},
    {"-ffat-lto-objects", EXACT, DROP},
    {"-fno-fat-lto-objects", EXACT, DROP},
    {"-fno-sanitize", PREFIX, DROP},
    {"-fsanitize-", PREFIX, DROP},
    {"-fprofile", PREFIX, DROP},
    {"-fno-profile", PREFIX, DROP},
    {"-fcs-profile", PREFIX, DROP},
    {"-fcoverage", PREFIX, DROP},
    {"-ftest-coverage", EXACT, DROP},
    {"--coverage", EXACT, DROP},
    {"-coverage", EXACT, DROP},
    {"-p", EXACT, DROP},
    {"-pg", EXACT, DROP},
    {"-finstrument-functions", PREFIX, DROP},
    {"-fxray", PREFIX, DROP},
    {"-ftime-trace", PREFIX, DROP},
    {"-save-temps", PREFIX, DROP},
    {"--save-temps", PREFIX, DROP},
    {"-pipe", EXACT, DROP},

    /* The macro is set below.  The others are gcc's: they say how to optimise,
     * or what to print, and clang would not take them. */
    {"-Wp,-D_FORTIFY_SOURCE", PREFIX, DROP},
    {"-Wp,-U_FORTIFY_SOURCE", PREFIX, DROP},
    {"-fanalyzer", PREFIX, DROP},
    {"-fno-analyzer", PREFIX, DROP},
    {"-fipa-", PREFIX, DROP},
    {"-fno-ipa-", PREFIX, DROP},
    {"-ftree-", PREFIX, DROP},
    {"-fno-tree-", PREFIX, DROP},
    {"-floop-", PREFIX, DROP},
    {"-fgraphite", PREFIX, DROP},
    {"-fira-", PREFIX, DROP},
    {"-fsched", PREFIX, DROP},
    {"-fno-sched", PREFIX, DROP},
    {"-fselective-scheduling", PREFIX, DROP},
    {"-fstrict-volatile-bitfields", EXACT, DROP},
    {"-fno-strict-volatile-bitfields", EXACT, DROP},
    {"-fvar-tracking", PREFIX, DROP},
    {"-fno-var-tracking", PREFIX, DROP},
    {"-fharden-", PREFIX, DROP},
    {"-fno-reorder-", PREFIX, DROP},
    {"-freorder-", PREFIX, DROP},
    {"-fconserve-stack", EXACT, DROP},
    {"-fno-crossjumping", EXACT, DROP},
    {"-fno-toplevel-reorder", EXACT, DROP},
    {"-fallow-store-data-races", EXACT, DROP},
    {"-fno-allow-store-data-races", EXACT, DROP},
    {"-fstack-reuse", PREFIX, DROP},
    {"-fno-if-conversion", PREFIX, DROP},
    {"-fno-partial-inlining", EXACT, DROP},
    {"-fno-early-inlining", EXACT, DROP},
    {"-fno-thread-jumps", EXACT, DROP},
    {"-fno-lifetime-dse", EXACT, DROP},
    {"-fsection-anchors", EXACT, DROP},
    {"-fno-section-anchors", EXACT, DROP},
    {"-fvect-cost-model", PREFIX, DROP},
    {"-fsimd-cost-model", PREFIX, DROP},
    {"-flive-patching", PREFIX, DROP},
    {"-fcallgraph-info", PREFIX, DROP},
    {"-fopt-info", PREFIX, DROP},
    {"-fmax-errors", PREFIX, DROP},
    {"-fdiagnostics-plain-output", EXACT, DROP},
    {"-fdiagnostics-format=", PREFIX, DROP},
    {"-fdiagnostics-urls", PREFIX, DROP},
    {"-gvariable-location-views", PREFIX, DROP},
    {"-gno-variable-location-views", EXACT, DROP},
    {"-gstatement-frontiers", EXACT, DROP},
    {"-gno-statement-frontiers", EXACT, DROP},

    /* Linking. */
    {"-Wl,", PREFIX, LINK},
    {"-Xlinker", SEPARATE, LINK},
    {"-l", EITHER, LINK},
    {"-L", EITHER, LINK},
    {"-T", EITHER, LINK},
    {"-undef", EXACT, FRONT},
    {"-u", EITHER, LINK},
    {"-z", EITHER, LINK},
    {"-e", EITHER, LINK},
    {"-rpath", SEPARATE, LINK},
    {"-shared", PREFIX, LINK},
    {"-static-lib", PREFIX, LINK},
    {"-symbolic", EXACT, LINK},
    {"-rdynamic", EXACT, LINK},
    {"-pie", EXACT, LINK},
    {"-no-pie", EXACT, LINK},
    {"-nopie", EXACT, LINK},
    {"-r", EXACT, LINK},
    {"-t", EXACT, LINK},
    {"-nostdlib", EXACT, LINK},
    {"-nodefaultlibs", EXACT, LINK},
    {"-nostartfiles", EXACT, LINK},
    {"-nolibc", EXACT, LINK},
    {"-fuse-ld=", PREFIX, LINK},
    {"--ld-path=", PREFIX, LINK},
    {"--rtlib", PREFIX, LINK},
    {"-rtlib", PREFIX, LINK},
    {"-unwindlib", PREFIX, LINK},

    /* Machine code. */
    {CC_KEEP_VARIABLES, EXACT, BACK},
    {CC_CLEAR_DEAD, EXACT, BACK},
    {"-Wa,", PREFIX, BACK},
    {"-Xassembler", SEPARATE, BACK},
    {"-fPIC", EXACT, FRONT | BACK},
    {"-fpic", EXACT, FRONT | BACK},
    {"-fPIE", EXACT, FRONT | BACK},
    {"-fpie", EXACT, FRONT | BACK},
    {"-fno-PIC", EXACT, FRONT | BACK},
    {"-fno-pic", EXACT, FRONT | BACK},
    {"-fno-PIE", EXACT, FRONT | BACK},
    {"-fno-pie", EXACT, FRONT | BACK},
    {"-fplt", EXACT, FRONT | BACK},
    {"-fno-plt", EXACT, FRONT | BACK},
    {"-ffunction-sections", EXACT, FRONT | BACK},
    {"-fno-function-sections", EXACT, FRONT | BACK},
    {"-fdata-sections", EXACT, FRONT | BACK},
    {"-fno-data-sections", EXACT, FRONT | BACK},
    {"-funique-section-names", EXACT, FRONT | BACK},
    {"-fno-unique-section-names", EXACT, FRONT | BACK},
    {"-fcf-protection", PREFIX, FRONT | BACK},
    {"-ffixed-", PREFIX, FRONT | BACK},
    {"-ffp-contract=", PREFIX, FRONT | BACK},
    {"-fintegrated-as", EXACT, BACK},
    {"-fno-integrated-as", EXACT, BACK},
    {"-fverbose-asm", EXACT, BACK},
    {"-gz", PREFIX, BACK | LINK},
    {"-mllvm", SEPARATE, FRONT},
    {"-m", PREFIX, ALL},
    {"--target", PREFIX, ALL},
    {"-target", SEPARATE, ALL},
    {"--sysroot", SEPARATE, ALL},
    {"--sysroot=", PREFIX, ALL},
    {"-isysroot", EITHER, ALL},
    {"-B", EITHER, ALL},
    {"--gcc-toolchain", PREFIX, ALL},
    {"-resource-dir", SEPARATE, ALL},
    {"--config", SEPARATE, ALL},

    /* The language. */
    {"-D", EITHER, FRONT},
    {"-U", EITHER, FRONT},
    {"-I", EITHER, FRONT},
    {"-include-pch", SEPARATE, FRONT},
    {"-include", EITHER, FRONT},
    {"-imacros", EITHER, FRONT},
    {"-isystem", EITHER, FRONT},
    {"-iquote", EITHER, FRONT},
    {"-idirafter", EITHER, FRONT},
    {"-iprefix", EITHER, FRONT},
    {"-iwithprefixbefore", EITHER, FRONT},
    {"-iwithprefix", EITHER, FRONT},
    {"-ivfsoverlay", EITHER, FRONT},
    {"--param", SEPARATE, FRONT},
    {"-Xclang", SEPARATE, FRONT},
    {"-Xpreprocessor", SEPARATE, FRONT},
    {"-serialize-diagnostics", SEPARATE, FRONT},
    {"--serialize-diagnostics", SEPARATE, FRONT},
    {"-W", PREFIX, FRONT},
    {"-w", EXACT, FRONT},
    {"-f", PREFIX, FRONT | LINK},
    {"-g", PREFIX, FRONT},
    {"-std=", PREFIX, FRONT},
    {"-", PREFIX, FRONT | LINK},
};
#define RULES (sizeof rules / sizeof *rules)

static bool fits(const struct rule *rule, const char *word) {
  if (rule->form == EXACT || rule->form == SEPARATE)
    return !strcmp(word, rule->word);
  return starts_with(word, rule->word);
}

static const struct rule *rule_for(const char *word) {
  const struct rule *rule = rules;
  while (!fits(rule, word)) /* the last one fits every option */
    rule++;
  return rule;
}

/* ---- the command line --------------------------------------------------- */

static void add_item(struct cc_arguments *job, const char *word, size_t input) {
  if (job->item_count == job->item_capacity)
    job->items = vec_grow(job->items, &job->item_capacity, job->item_count + 1,
                          sizeof *job->items);
  job->items[job->item_count++] = (struct cc_item){word, input};
}

static void add_input(struct cc_arguments *job, const char *path,
                      enum cc_language language) {
  if (job->input_count == job->input_capacity)
    job->inputs = vec_grow(job->inputs, &job->input_capacity,
                           job->input_count + 1, sizeof *job->inputs);
  job->inputs[job->input_count] = (struct cc_input){path, language};
  add_item(job, NULL, job->input_count++);
}

/* Matters only to a link. */
static bool is_static(const char *option) {
  return strstr(option, "-static") != NULL;
}

static void complain_about_option(const char *option) {
  if (is_static(option))
    complain("cc: %s: the runtime must stand in front of a shared libc; link "
             "the program dynamically",
             option);
  else if (starts_with(option, "-m"))
    complain("cc: %s: heddle checks 64-bit programs only", option);
  else
    complain("cc: %s cannot be combined with heddle's own instrumentation; "
             "leave it out",
             option);
}

static void note_depend(struct cc_arguments *job, const char *word) {
  job->depend_wanted |= !strcmp(word, "-MD") || !strcmp(word, "-MMD");
  job->depend_file |= starts_with(word, "-MF");
  job->depend_target |= starts_with(word, "-MT") || starts_with(word, "-MQ");
}

static void place(struct cc_arguments *job, int to, const char *word) {
  if (to & FRONT)
    word_list_add(&job->front, word);
  if (to & BACK)
    word_list_add(&job->back, word);
  if (to & LINK)
    add_item(job, word, 0);
  if (to & MODE)
    word_list_add(&job->mode, word);
  if (to & DEPEND)
    word_list_add(&job->depend, word);
}

/* Takes one option with its argument; returns the position after it. */
static size_t take_option(struct cc_arguments *job, size_t i) {
  const char *word = job->all.at[i];
  const struct rule *rule = rule_for(word);
  if (rule->to & PASS)
    job->action = CC_PASS;
  if (rule->to & REFUSE)
    job->refused = word;
  if (rule->to & DEPEND)
    note_depend(job, word);
  job->relocatable |= !strcmp(word, "-r");
  job->no_runtime |= !strcmp(word, "-r") || !strcmp(word, "-shared");
  place(job, rule->to, word);
  bool more = rule->form == SEPARATE ||
              (rule->form == EITHER && !strcmp(word, rule->word));
  if (more && i + 1 < job->all.size)
    place(job, rule->to, job->all.at[++i]);
  else if (more)
    job->action = CC_PASS; /* clang says that its argument is missing */
  return i + 1;
}

/* "-Wp,-MMD,FILE" is "-MMD -MF FILE". */
static bool take_depend_by_comma(struct cc_arguments *job, const char *word) {
  bool user_only = starts_with(word, "-Wp,-MMD,");
  if (!user_only && !starts_with(word, "-Wp,-MD,"))
    return false;
  const char *file = strchr(word + strlen("-Wp,"), ',') + 1;
  word_list_add_each(&job->depend, user_only ? "-MMD" : "-MD", "-MF", file,
                     NULL);
  job->depend_wanted = job->depend_file = true;
  return true;
}

static void take_input(struct cc_arguments *job, const char *path,
                       const char *forced_language) {
  bool forced = forced_language && strcmp(forced_language, "none");
  enum cc_language language =
      forced ? language_named(forced_language) : language_of(path);
  /* After "--": from now on it must not look like an option. */
  if (path[0] == '-' && path[1])
    path = text_format("./%s", path);
  add_input(job, path, language);
}

/* The argument of -o or -x, which may be the next word; *i moves on to the
 * word after it. */
static const char *take_argument(struct cc_arguments *job, size_t *i) {
  const char *word = job->all.at[(*i)++];
  if (word[2])
    return word + 2;
  if (*i < job->all.size)
    return job->all.at[(*i)++];
  job->action = CC_PASS; /* clang says that it is missing */
  return NULL;
}

static size_t take_word(struct cc_arguments *job, size_t i,
                        const char **forced_language) {
  const char *word = job->all.at[i];
  if (word[0] != '-' || !word[1]) {
    take_input(job, word, *forced_language);
  } else if (!strcmp(word, "--")) {
    while (++i < job->all.size)
      take_input(job, job->all.at[i], *forced_language);
    return i;
  } else if (starts_with(word, "-x")) {
    *forced_language = take_argument(job, &i);
    return i;
  } else if (starts_with(word, "-o")) {
    job->output = take_argument(job, &i);
    return i;
  } else if (!strcmp(word, "-c") || !strcmp(word, "-S")) {
    /* -S wins over -c, as with clang. */
    if (job->action == CC_LINK || job->action == CC_OBJECT)
      job->action = word[1] == 'S' ? CC_ASSEMBLY : CC_OBJECT;
  } else if (!strcmp(word, "-lheddle_actor")) {
    return i + 1; /* the runtime has these functions itself */
  } else if (!take_depend_by_comma(job, word)) {
    return take_option(job, i);
  }
  return i + 1;
}

static void end_with_front(struct cc_arguments *job) {
  if (job->action == CC_OBJECT)
    word_list_add(&job->mode, "-c");
  if (job->action == CC_ASSEMBLY)
    word_list_add(&job->mode, "-S");
  job->action = CC_FRONT;
}

/* What follows from all the words together. */
static void settle(struct cc_arguments *job) {
  if (job->action == CC_PASS)
    return;
  if (job->refused && (job->action == CC_LINK || !is_static(job->refused))) {
    complain_about_option(job->refused);
    job->action = CC_REFUSED;
    return;
  }
  size_t compiled = 0, headers = 0;
  for (size_t i = 0; i < job->input_count; i++) {
    compiled += job->inputs[i].language != CC_LINKED;
    headers += job->inputs[i].language == CC_HEADER;
  }
  bool one_output = job->action == CC_OBJECT || job->action == CC_ASSEMBLY;
  if (job->input_count == 0 || (one_output && compiled == 0) ||
      (one_output && compiled > 1 && job->output))
    job->action = CC_PASS; /* clang says what is wrong */
  else if (job->mode.size || headers)
    end_with_front(job);
}

struct cc_arguments cc_arguments_parse(int argc, char **argv) {
  struct cc_arguments job = {.action = CC_LINK};
  for (int i = 0; i < argc; i++)
    expand(&job.all, argv[i], 0);
  const char *forced_language = NULL;
  for (size_t i = 0; i < job.all.size;)
    i = take_word(&job, i, &forced_language);
  settle(&job);
  return job;
}
