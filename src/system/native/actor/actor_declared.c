/* Declarations: which handlers the actors of a type have, and what each may
 * send (heddle_actor.h).  They are checked with every message, so that the
 * conclusions of actor_future.c hold. */
#include "system/native/actor/actor.h"

const struct heddle_handles *declared_find(const struct heddle_actor_type *type,
                                           heddle_handler *handler) {
  const struct heddle_handles *h = type->handles;
  while (h->handler && h->handler != handler)
    h++;
  return h->handler ? h : NULL;
}

static bool may_send(const struct heddle_handles *h, heddle_handler *handler) {
  for (heddle_handler *const *s = h->sends; s && *s; s++)
    if (*s == handler)
      return true;
  return false;
}

static const char *name_of(const struct heddle_actor_type *type) {
  return type->name ? type->name : "without a name";
}

void declared_check(const struct heddle_actor_type *from,
                    heddle_handler *sender, const struct heddle_actor_type *to,
                    heddle_handler *handler, uint64_t pc) {
  if (to->handles && !declared_find(to, handler))
    fail(FINDING_MISUSE, pc,
         "an undeclared message: actors of type %s do not declare the handler "
         "{addr:%llx}",
         name_of(to), (unsigned long long)(uintptr_t)handler);
  if (!from || !from->handles)
    return;
  const struct heddle_handles *h = declared_find(from, sender);
  if (!h || !may_send(h, handler))
    fail(FINDING_MISUSE, pc,
         "an undeclared message: {addr:%llx} of actors of type %s does not "
         "declare that it sends to {addr:%llx}",
         (unsigned long long)(uintptr_t)sender, name_of(from),
         (unsigned long long)(uintptr_t)handler);
}

/* ---- all types together ---------------------------------------------------
 */

bool declared_entirely(const struct heddle_actor *actor) {
  return actor->type->handles && (actor->flags & HEDDLE_PRIVATE);
}

static bool same_sends(heddle_handler *const *a, heddle_handler *const *b) {
  size_t i = 0;
  if (a == b || !a || !b)
    return a == b || !*(a ? a : b);
  while (a[i] && a[i] == b[i])
    i++;
  return a[i] == b[i];
}

static void check_agree(const struct heddle_actor_type *a,
                        const struct heddle_actor_type *b, uint64_t pc) {
  for (const struct heddle_handles *h = a->handles; h->handler; h++) {
    const struct heddle_handles *other = declared_find(b, h->handler);
    if (other && !same_sends(h->sends, other->sends))
      fail(FINDING_MISUSE, pc,
           "types %s and %s declare different messages for {addr:%llx}",
           name_of(a), name_of(b), (unsigned long long)(uintptr_t)h->handler);
  }
}

/* reach_from() in actor_future.c takes the messages of a handler from any type
 * that has it, so all types must agree. */
void declared_check_actor(const struct heddle_actor *from,
                          const struct heddle_actor *actor, uint64_t pc) {
  if (from && declared_entirely(from) && !declared_entirely(actor))
    fail(FINDING_MISUSE, pc,
         "a task of an actor of type %s, which is HEDDLE_PRIVATE and lists its "
         "handlers, creates an actor of type %s, which lacks one of these",
         name_of(from->type), name_of(actor->type));
  if (!actor->type->handles)
    return;
  for (size_t i = 0; i < actor_most(); i++) {
    const struct heddle_actor *other = actor_get(i);
    if (other && other->type != actor->type && other->type->handles)
      check_agree(actor->type, other->type, pc);
  }
}
