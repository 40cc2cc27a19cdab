#define _GNU_SOURCE
#include "fuzz/c/c_program.h"

#include <inttypes.h>
#include <stdlib.h>

#include "util/ensure.h"

/* ---- copies ----------------------------------------------------------------
 */

static char *copy_text(const char *text) {
  char *copy = text ? strdup(text) : NULL;
  ensure(copy || !text);
  return copy;
}

static struct c_object copy_object(const struct c_object *from) {
  struct c_object x = *from;
  x.declarations = copy_text(from->declarations);
  x.opening = copy_text(from->opening);
  x.closing = copy_text(from->closing);
  x.address = copy_text(from->address);
  x.pointer = copy_text(from->pointer);
  return x;
}

void c_program_copy(struct c_program *to, const struct c_program *from) {
  *to = (struct c_program){.seed = from->seed,
                           .index = from->index,
                           .racy = from->racy,
                           .real = from->real,
                           .sequential = from->sequential,
                           .clang = from->clang,
                           .spins = from->spins,
                           .signals = from->signals,
                           .awaits = from->awaits,
                           .owner_is_thread = from->owner_is_thread};
  for (size_t i = 0; i < from->objects.size; i++)
    VEC_PUSH(to->objects, copy_object(&from->objects.at[i]));
  for (size_t i = 0; i < from->threads.size; i++)
    VEC_PUSH(to->threads, from->threads.at[i]);
  for (size_t i = 0; i < from->statements.size; i++) {
    VEC_PUSH(to->statements, from->statements.at[i]);
    VEC_TOP(to->statements).text = copy_text(from->statements.at[i].text);
  }
}

void c_program_free(struct c_program *p) {
  for (size_t i = 0; i < p->objects.size; i++) {
    struct c_object *x = &p->objects.at[i];
    free(x->declarations), free(x->opening), free(x->closing);
    free(x->address), free(x->pointer);
  }
  for (size_t i = 0; i < p->statements.size; i++)
    free(p->statements.at[i].text);
  VEC_FREE(p->objects);
  VEC_FREE(p->threads);
  VEC_FREE(p->statements);
}

/* ---- threads ---------------------------------------------------------------
 */

static bool runs(const struct c_program *p, unsigned thread) {
  return thread < p->threads.size && !p->threads.at[thread].removed;
}

static unsigned joiner_of(const struct c_program *p, unsigned thread) {
  const struct c_thread *t = &p->threads.at[thread];
  return runs(p, t->joiner) ? t->joiner : t->creator;
}

/* A handle that another thread joins is global. */
static const char *handle_prefix(const struct c_program *p, unsigned thread) {
  return joiner_of(p, thread) == p->threads.at[thread].creator ? "" : "`";
}

static const char *handle_type(const struct c_thread *t) {
  return t->kind == THREAD_C11 ? "thrd_t" : "pthread_t";
}

/* The argument of new threads: the owner passes the object's address on. */
static const char *argument(const struct c_program *p, unsigned creator) {
  for (size_t i = 0; i < p->objects.size; i++)
    if (p->objects.at[i].address && !p->objects.at[i].removed)
      return creator ? "v" : p->objects.at[i].address;
  return "NULL";
}

static void print_create(const struct c_program *p, unsigned t,
                         struct text *to) {
  const struct c_thread *thread = &p->threads.at[t];
  const char *prefix = handle_prefix(p, t);
  const char *argument_text = argument(p, thread->creator);
  if (thread->kind == THREAD_DETACHED)
    text_print(to, "  sem_init(&`d%u, 0, 0);\n", t);
  if (thread->kind == THREAD_C11)
    text_print(to, "  thrd_create(&%sh%u, `t%u, %s);\n", prefix, t, t,
               argument_text);
  else
    text_print(to, "  pthread_create(&%sh%u, NULL, `t%u, %s);\n", prefix, t, t,
               argument_text);
  if (thread->kind == THREAD_DETACHED)
    text_print(to, "  pthread_detach(%sh%u);\n", prefix, t);
}

/* Leaves what the thread saw in r1, r2, ... */
static void print_join(const struct c_program *p, unsigned t, struct text *to) {
  const char *prefix = handle_prefix(p, t);
  switch (p->threads.at[t].kind) {
  case THREAD_C11:
    text_print(to, "  { int r; thrd_join(%sh%u, &r); r%u = (unsigned)r; }\n",
               prefix, t, t);
    break;
  case THREAD_DETACHED:
    text_print(to, "  sem_wait(&`d%u); r%u = `r%u;\n", t, t, t);
    break;
  default:
    text_print(to,
               "  { void *r; pthread_join(%sh%u, &r); r%u = (unsigned long)r; "
               "}\n",
               prefix, t, t);
  }
}

/* ---- functions -------------------------------------------------------------
 */

static void print_statements(const struct c_program *p, unsigned thread,
                             unsigned from, unsigned before, struct text *to) {
  for (unsigned point = from; point < before; point++)
    for (size_t i = 0; i < p->statements.size; i++) {
      const struct c_statement *s = &p->statements.at[i];
      if (!s->removed && s->thread == thread && s->point == point)
        text_print(to, "  %s\n", s->text);
    }
}

/* Handles and results of the threads that this one creates or joins. */
static void print_locals(const struct c_program *p, unsigned thread,
                         struct text *to) {
  text_print(to, "  unsigned long o = 0;\n");
  for (unsigned t = 1; t < p->threads.size; t++) {
    if (!runs(p, t))
      continue;
    if (p->threads.at[t].creator == thread && !*handle_prefix(p, t))
      text_print(to, "  %s h%u;\n", handle_type(&p->threads.at[t]), t);
    if (joiner_of(p, t) == thread)
      text_print(to, "  unsigned long r%u;\n", t);
  }
  for (size_t i = 0; i < p->objects.size; i++) {
    const struct c_object *x = &p->objects.at[i];
    if (!x->removed && !thread && *x->opening)
      text_print(to, "  %s\n", x->opening);
    if (!x->removed && thread && x->pointer)
      text_print(to, "  %s\n", x->pointer);
  }
}

/* Creations and joins, with the thread's own statements between them. */
static void print_body(const struct c_program *p, unsigned thread,
                       struct text *to) {
  unsigned point = 0;
  for (unsigned t = 1; t < p->threads.size; t++)
    if (runs(p, t) && p->threads.at[t].creator == thread) {
      print_statements(p, thread, point, point + 1, to);
      print_create(p, t, to);
      point++;
    }
  for (unsigned t = 1; t < p->threads.size; t++)
    if (runs(p, t) && joiner_of(p, t) == thread) {
      print_statements(p, thread, point, point + 1, to);
      print_join(p, t, to);
      point++;
    }
  print_statements(p, thread, point, 2 * C_THREADS, to);
}

/* The owner looks at its objects, and prints. */
static void print_owners_end(const struct c_program *p, struct text *to) {
  for (size_t i = 0; i < p->objects.size; i++)
    if (!p->objects.at[i].removed && *p->objects.at[i].closing)
      text_print(to, "  %s\n", p->objects.at[i].closing);
  text_print(to, "  printf(\"%%lx");
  for (unsigned t = 1; t < p->threads.size; t++)
    if (runs(p, t) && !joiner_of(p, t))
      text_print(to, " %%lx");
  text_print(to, "\\n\", o");
  for (unsigned t = 1; t < p->threads.size; t++)
    if (runs(p, t) && !joiner_of(p, t))
      text_print(to, ", r%u", t);
  text_print(to, ");\n  return NULL;\n}\n");
}

static void print_threads_end(const struct c_program *p, unsigned thread,
                              struct text *to) {
  for (unsigned t = 1; t < p->threads.size; t++)
    if (runs(p, t) && joiner_of(p, t) == thread)
      text_print(to, "  o = o << 16 | (r%u & 0xffff);\n", t);
  switch (p->threads.at[thread].kind) {
  case THREAD_C11:
    text_print(to, "  return (int)o;\n}\n");
    break;
  case THREAD_EXITS:
    text_print(to, "  pthread_exit((void *)o);\n}\n");
    break;
  case THREAD_DETACHED:
    text_print(to, "  `r%u = o;\n  sem_post(&`d%u);\n  return NULL;\n}\n",
               thread, thread);
    break;
  default:
    text_print(to, "  return (void *)o;\n}\n");
  }
}

static void print_thread(const struct c_program *p, unsigned thread,
                         struct text *to) {
  bool c11 = p->threads.at[thread].kind == THREAD_C11;
  text_print(to, "static %s`t%u(void *v) {\n  (void)v;\n",
             c11 ? "int " : "void *", thread);
  print_locals(p, thread, to);
  print_body(p, thread, to);
  if (thread)
    print_threads_end(p, thread, to);
  else
    print_owners_end(p, to);
}

static void print_globals(const struct c_program *p, struct text *to) {
  for (size_t i = 0; i < p->objects.size; i++)
    if (!p->objects.at[i].removed)
      text_print(to, "%s", p->objects.at[i].declarations);
  for (unsigned t = 1; t < p->threads.size; t++) {
    const struct c_thread *thread = &p->threads.at[t];
    if (!runs(p, t))
      continue;
    if (*handle_prefix(p, t))
      text_print(to, "static %s `h%u;\n", handle_type(thread), t);
    if (thread->kind == THREAD_DETACHED)
      text_print(to, "static sem_t `d%u;\nstatic unsigned long `r%u;\n", t, t);
  }
}

static void print_main(const struct c_program *p, struct text *to) {
  text_print(to, "static void `main(void) {\n");
  if (p->owner_is_thread)
    text_print(to, "  pthread_t h;\n"
                   "  pthread_create(&h, NULL, `t0, NULL);\n"
                   "  pthread_join(h, NULL);\n}\n");
  else
    text_print(to, "  `t0(NULL);\n}\n");
}

/* ---- programs and files ----------------------------------------------------
 */

static void print_head(const struct c_program *p, struct text *to) {
  text_print(to, "\n/* --seed %" PRIu64 " --index %" PRIu64 ":%s%s", p->seed,
             p->index, p->racy ? " races" : "", p->real ? " real" : "");
  for (size_t i = 0; i < p->objects.size; i++) {
    const struct c_object *x = &p->objects.at[i];
    if (!x->removed)
      text_print(to, "%s %s (%s%s%s)", i ? "," : "", x->piece, x->place,
                 x->guard ? ", " : "", x->guard ? x->guard : "");
  }
  text_print(to, " */\n");
}

static void print_with_prefix(const struct text *from, unsigned number,
                              struct text *to) {
  for (size_t i = 0; i < from->size; i++)
    if (from->at[i] == '`')
      text_print(to, "p%u_", number);
    else
      VEC_PUSH(*to, from->at[i]);
}

void c_program_print(const struct c_program *p, unsigned number,
                     struct text *to) {
  struct text text = {0};
  print_head(p, &text);
  if (p->clang)
    text_print(&text, "#ifdef __clang__\n");
  print_globals(p, &text);
  for (unsigned t = (unsigned)p->threads.size; t-- > 0;)
    if (runs(p, t))
      print_thread(p, t, &text);
  print_main(p, &text);
  if (p->clang)
    text_print(&text, "#else\n#define `main NULL\n#endif\n");
  print_with_prefix(&text, number, to);
  VEC_FREE(text);
}

void c_file_print(const struct c_program *programs, unsigned count,
                  struct text *to) {
  text_print(to, "%s", c_prelude);
  for (unsigned i = 0; i < count; i++)
    c_program_print(&programs[i], i, to);
  text_print(to, "\nstatic void (*const programs[])(void) = {\n");
  for (unsigned i = 0; i < count; i++)
    text_print(to, "  p%u_main,\n", i);
  text_print(to, "};\n%s", c_main);
}
