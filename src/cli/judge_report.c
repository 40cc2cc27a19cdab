#define _GNU_SOURCE
#include "cli/judge_report.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "util/ensure.h"

/* ---- collecting -----------------------------------------------------------
 */

static struct difference *difference_for(struct judge_result *r,
                                         const struct real_result *result,
                                         bool demanded) {
  for (size_t i = 0; i < r->differences.size; i++) {
    struct difference *known = &r->differences.at[i];
    if (known->demanded == demanded && real_same(&known->result, result))
      return known;
  }
  struct difference new = {.result = *result, .demanded = demanded};
  new.result.output = strdup(result->output);
  ensure(new.result.output);
  VEC_PUSH(r->differences, new);
  return &VEC_TOP(r->differences);
}

void judge_result_add(struct judge_result *r, const char *compiler,
                      const struct real_set *set,
                      const struct real_result *result, bool demanded) {
  struct difference *d = difference_for(r, result, demanded);
  VEC_PUSH(d->sightings, (struct sighting){compiler, result->count, set->runs,
                                           result->alone});
}

bool judge_result_wrong(const struct judge_result *r) {
  for (size_t i = 0; i < r->differences.size; i++)
    if (r->differences.at[i].demanded)
      return true;
  return false;
}

void judge_result_free(struct judge_result *r) {
  for (size_t i = 0; i < r->differences.size; i++) {
    free(r->differences.at[i].result.output);
    VEC_FREE(r->differences.at[i].sightings);
  }
  VEC_FREE(r->differences);
}

/* ---- printing -------------------------------------------------------------
 */

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

/* A command that is likely to show it again: threads are not deterministic. */
static void print_command(const struct judge_options *o, const char *compiler) {
  printf("  again: heddle judge --seed %" PRIu64 " --runs %" PRIu64
         " --compilers '%s'%s%s",
         o->seed, o->runs, compiler, o->sequential ? " --sequential" : "",
         o->strict ? " --strict" : "");
  for (size_t i = 0; i < o->check_words.size; i++)
    printf(" %s", o->check_words.at[i]);
  putchar('\n');
}

static void print_difference(const struct judge_options *o,
                             const struct difference *d) {
  fputs(d->demanded ? "\nnot listed: the program " : "\nnote: the program ",
        stdout);
  print_result(&d->result);
  putchar('\n');
  for (size_t i = 0; i < d->sightings.size; i++) {
    const struct sighting *s = &d->sightings.at[i];
    printf("  %-12s %" PRIu64 " of %" PRIu64 " runs, %" PRIu64
           " of them on one processor\n",
           s->compiler, s->count, s->runs, s->alone);
  }
  if (d->demanded)
    print_command(o, d->sightings.at[0].compiler);
}

/* Without optimisation and on one processor the machine is sequentially
 * consistent, as heddle is. */
static bool is_weak(const struct difference *d) {
  for (size_t i = 0; i < d->sightings.size; i++)
    if (d->sightings.at[i].alone && strstr(d->sightings.at[i].compiler, "-O0"))
      return false;
  return d->demanded;
}

static void print_hint(const struct judge_result *r) {
  bool weak = false;
  for (size_t i = 0; i < r->differences.size; i++)
    weak = weak || is_weak(&r->differences.at[i]);
  if (weak)
    fputs("\nAtomic operations weaker than memory_order_seq_cst may be the "
          "reason: heddle\nexecutes all as sequentially consistent.  See "
          "--sequential.\n",
          stdout);
}

static void print_verdict(const struct judge_result *r) {
  if (judge_result_wrong(r))
    fputs("WRONG: heddle does not list all that happened", stdout);
  else if (r->differences.size)
    fputs("UNDEFINED: heddle does not list all that happened, and need not,",
          stdout);
  else
    fputs("RIGHT: heddle lists all that happened", stdout);
  printf(" in %" PRIu64 " runs of %zu binaries; %zu of %zu outcomes seen\n",
         r->runs, r->built.size, r->seen, r->outcomes);
}

void judge_report(const struct judge_options *o, const struct judge_result *r) {
  print_verdict(r);
  if (o->quiet)
    return;
  if (r->assumed)
    printf("note: in %" PRIu64 " runs an assumption did not hold\n",
           r->assumed);
  for (size_t i = 0; i < r->not_built.size; i++)
    printf("note: %s does not build the program\n", r->not_built.at[i]);
  for (size_t i = 0; i < r->differences.size; i++)
    print_difference(o, &r->differences.at[i]);
  print_hint(r);
}
