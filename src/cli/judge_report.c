#define _GNU_SOURCE
#include "cli/judge_report.h"

#include <ctype.h>
#include <inttypes.h>
#include <string.h>

static void print_escaped(const char *output) {
  putchar('"');
  for (; *output; output++)
    if (*output == '\n')
      fputs("\\n", stdout);
    else if (*output == '"' || *output == '\\')
      printf("\\%c", *output);
    else if (isprint((unsigned char)*output))
      putchar(*output);
    else
      printf("\\x%02x", (unsigned char)*output);
  putchar('"');
}

static void print_result(const struct real_result *result) {
  if (result->end == REAL_HANG) {
    fputs("never ends", stdout);
  } else if (result->asserted) {
    fputs("fails an assertion", stdout);
  } else if (result->end == REAL_SIGNAL) {
    printf("ends by signal %u (%s)", result->code,
           strsignal((int)result->code));
  } else {
    fputs("prints ", stdout);
    print_escaped(result->output);
    if (result->code)
      printf(" and returns %u", result->code);
  }
}

/* The command that shows it again, if the threads like. */
static void print_command(const struct judge_options *o, const char *compiler) {
  printf("  again: heddle judge --seed %" PRIu64 " --runs %" PRIu64
         " --compilers '%s'%s%s",
         o->seed, o->runs, compiler, o->sequential ? " --sequential" : "",
         o->strict ? " --strict" : "");
  for (size_t i = 0; i < o->check_words.size; i++)
    printf(" %s", o->check_words.at[i]);
  putchar('\n');
}

void report_difference(const struct judge_options *o, const char *compiler,
                       const struct real_set *set,
                       const struct real_result *result, bool demanded) {
  if (o->quiet)
    return;
  printf("%s: built with %s it ", demanded ? "not listed" : "note", compiler);
  print_result(result);
  printf(": %" PRIu64 " of %" PRIu64 " runs, %" PRIu64
         " of them on one processor\n",
         result->count, set->runs, result->alone);
  if (demanded)
    print_command(o, compiler);
}

void report_skipped(const struct judge_options *o, const char *compiler) {
  if (!o->quiet)
    printf("note: %s does not build the program\n", compiler);
}

void report_totals(const struct judge_options *o,
                   const struct judge_totals *t) {
  if (t->wrong)
    printf("WRONG: heddle does not list all that happened");
  else if (t->noted)
    printf("UNDEFINED: heddle does not list all that happened, and need not");
  else
    printf("RIGHT: heddle lists all that happened");
  printf(" in %" PRIu64 " runs of %u binaries; %zu of %zu outcomes seen\n",
         t->runs, t->binaries, t->seen, t->outcomes);
  if (t->wrong && !o->quiet)
    printf("Atomic operations weaker than memory_order_seq_cst may be the "
           "reason: heddle\nexecutes all as sequentially consistent; see "
           "--sequential.\n");
}
