/* Accounts are actors; a clerk transfers money from one to another.
 *
 * The clerk asks whether there is enough and, if so, sends the withdrawal and
 * the deposit.  Messages arrive in any order, two clerks work at the same time:
 * docs/actors.md shows what heddle finds, and why -DFIXED is right. */
#include <assert.h>
#include <heddle_actor.h>

struct account {
  int balance;
};

struct transfer {
  struct heddle_actor *from, *to;
  int amount;
};

static const struct heddle_actor_type account_type = {
    .name = "account", .size = sizeof(struct account)};
static const struct heddle_actor_type clerk_type = {.name = "clerk"};

static void add(void *state, void *message) {
  struct account *account = state;
  account->balance += *(int *)message;
  assert(account->balance >= 0);
}

#ifndef FIXED

static void look(void *state, void *message) {
  const struct account *account = state;
  (void)message;
  heddle_reply(&account->balance, sizeof account->balance);
}

static void transfer(void *state, void *message) {
  const struct transfer *t = message;
  (void)state;
  struct heddle_future *balance = heddle_ask(t->from, look, HEDDLE_NOTHING);
  if (HEDDLE_AWAIT(int, balance) < t->amount)
    return;
  heddle_send(t->from, add, HEDDLE_MESSAGE(int, -t->amount));
  heddle_send(t->to, add, HEDDLE_MESSAGE(int, t->amount));
}

#else

/* Looks and withdraws in one task: no other task comes in between. */
static void withdraw(void *state, void *message) {
  struct account *account = state;
  int amount = *(int *)message;
  int enough = account->balance >= amount;
  if (enough)
    account->balance -= amount;
  heddle_reply(&enough, sizeof enough);
}

static void transfer(void *state, void *message) {
  const struct transfer *t = message;
  (void)state;
  struct heddle_future *withdrawn =
      heddle_ask(t->from, withdraw, HEDDLE_MESSAGE(int, t->amount));
  if (HEDDLE_AWAIT(int, withdrawn))
    heddle_send(t->to, add, HEDDLE_MESSAGE(int, t->amount));
}

#endif

int main(void) {
  struct heddle_actor *a = heddle_spawn(&account_type, &(struct account){100});
  struct heddle_actor *b = heddle_spawn(&account_type, &(struct account){0});
  struct heddle_actor *clerk[] = {heddle_spawn(&clerk_type, 0),
                                  heddle_spawn(&clerk_type, 0)};
  for (int i = 0; i < 2; i++)
    heddle_send(clerk[i], transfer,
                HEDDLE_MESSAGE(struct transfer, a, b, 70));
  heddle_run();
  const struct account *left = heddle_state(a), *got = heddle_state(b);
  assert(left->balance + got->balance == 100);
}
