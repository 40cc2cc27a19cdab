/* Declarations: which handlers the actors of a type have, and what each may
 * send (heddle_actor.h).  They are checked with every message, so that what is
 * concluded from them holds. */
#include "system/native/actor.h"

static const struct heddle_handles *find(const struct heddle_actor_type *type,
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
  if (to->handles && !find(to, handler))
    fail(FINDING_MISUSE, pc,
         "an undeclared message: actors of type %s do not declare the handler "
         "{addr:%llx}",
         name_of(to), (unsigned long long)(uintptr_t)handler);
  if (!from || !from->handles)
    return;
  const struct heddle_handles *h = find(from, sender);
  if (!h || !may_send(h, handler))
    fail(FINDING_MISUSE, pc,
         "an undeclared message: {addr:%llx} of actors of type %s does not "
         "declare that it sends to {addr:%llx}",
         (unsigned long long)(uintptr_t)sender, name_of(from),
         (unsigned long long)(uintptr_t)handler);
}
