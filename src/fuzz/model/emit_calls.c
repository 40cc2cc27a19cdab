/* Which function of C or pthreads does what a statement or operator does. */
#include "emit.h"

const char *emit_access(const struct statement *s) {
  switch (s->kind) {
  case STATEMENT_READ:
    return "atomic_load";
  case STATEMENT_WRITE:
    return "atomic_store";
  case STATEMENT_ADD:
    return s->to != NIL ? "FETCH_ADD" : "atomic_fetch_add";
  case STATEMENT_EXCHANGE:
    return "atomic_exchange";
  default:
    if (s->back != NIL)
      return "atomic_compare_exchange_strong";
    return s->part == PART_WHOLE ? "CAS" : "CAS_HALF";
  }
}

const char *emit_call(const struct statement *s, bool rwlock) {
  switch (s->kind) {
  case STATEMENT_LOCK:
    return rwlock ? "pthread_rwlock_wrlock" : "pthread_mutex_lock";
  case STATEMENT_TRYLOCK:
    return rwlock ? "!pthread_rwlock_trywrlock" : "!pthread_mutex_trylock";
  case STATEMENT_RDLOCK:
    return "pthread_rwlock_rdlock";
  case STATEMENT_TRYRDLOCK:
    return "!pthread_rwlock_tryrdlock";
  case STATEMENT_UNLOCK:
    return rwlock ? "pthread_rwlock_unlock" : "pthread_mutex_unlock";
  case STATEMENT_SEM_WAIT:
    return "sem_wait";
  case STATEMENT_TRYWAIT:
    return "!sem_trywait";
  case STATEMENT_POST:
    return "sem_post";
  case STATEMENT_SIGNAL:
    return "pthread_cond_signal";
  default:
    return "pthread_cond_broadcast";
  }
}

const char *emit_macro(enum expression_kind kind) {
  switch (kind) {
  case EXPRESSION_PLUS:
    return "ADD(";
  case EXPRESSION_MINUS:
  case EXPRESSION_NEGATE:
    return "SUBTRACT(";
  case EXPRESSION_TIMES:
    return "MULTIPLY(";
  case EXPRESSION_DIVIDE:
    return "DIVIDE(";
  case EXPRESSION_MODULO:
    return "MODULO(";
  default:
    return NULL;
  }
}
