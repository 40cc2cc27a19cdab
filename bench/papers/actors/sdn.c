/* sdn(N): a software-defined network.  Hosts send packets to a server through
 * an edge switch and a core switch.  The edge switch does not know what to do
 * with the first packet, keeps it and asks the controller, which installs a
 * firewall in the core switch and opens the edge switch.
 *
 * The policy: no packet of the last host reaches the server.  The controller
 * sends both rules at once, and a packet can be at the core switch before the
 * firewall is: the violation.  With -DREPAIRED it opens the edge switch only
 * when the firewall is installed. */
#include <assert.h>
#include <heddle_actor.h>

#ifndef N
#define N 2 /* hosts, the last of them not to be trusted */
#endif

enum rule { ASK, OPEN, FIREWALL };

struct packet {
  int host;
};

struct node { /* a switch */
  enum rule rule;
  int kept, dropped;
  struct packet packet[N]; /* kept until there is a rule */
  struct heddle_actor *next, *controller;
};

struct controller {
  struct heddle_actor *edge, *core;
  int decided;
};

static void receive(void *, void *), decide(void *, void *);
static void install(void *, void *), at_edge(void *, void *),
    at_core(void *, void *);

static heddle_handler *const decide_sends[] = {install, 0};
static heddle_handler *const edge_sends[] = {at_core, decide, 0};
static heddle_handler *const core_sends[] = {receive, 0};
static heddle_handler *const install_sends[] = {at_core, 0};
static const struct heddle_handles server_handles[] = {{receive, 0}, {0, 0}};
static const struct heddle_handles switch_handles[] = {
    {at_edge, edge_sends}, {at_core, core_sends}, {install, install_sends},
    {0, 0}};
static const struct heddle_handles controller_handles[] = {
    {decide, decide_sends}, {0, 0}};
static const struct heddle_actor_type server_type = {
    "server", sizeof(int), HEDDLE_PRIVATE, server_handles};
static const struct heddle_actor_type switch_type = {
    "switch", sizeof(struct node), HEDDLE_PRIVATE, switch_handles};
static const struct heddle_actor_type controller_type = {
    "controller", sizeof(struct controller), HEDDLE_PRIVATE,
    controller_handles};

static void receive(void *state, void *message) {
  const struct packet *p = message;
  assert(p->host != N - 1); /* the policy */
  *(int *)state += 1;
}

static void decide(void *state, void *message) {
  struct controller *c = state;
  (void)message;
  if (c->decided)
    return;
  c->decided = 1;
  struct heddle_future *firewall =
      heddle_ask(c->core, install, HEDDLE_MESSAGE(enum rule, FIREWALL));
#ifdef REPAIRED
  heddle_await(firewall);
#endif
  (void)firewall;
  heddle_send(c->edge, install, HEDDLE_MESSAGE(enum rule, OPEN));
}

static void at_core(void *state, void *message) {
  struct node *n = state;
  const struct packet *p = message;
  if (n->rule == FIREWALL && p->host == N - 1)
    n->dropped++;
  else
    heddle_send(n->next, receive, p, sizeof *p);
}

static void at_edge(void *state, void *message) {
  struct node *n = state;
  const struct packet *p = message;
  if (n->rule == OPEN) {
    heddle_send(n->next, at_core, p, sizeof *p);
  } else {
    n->packet[n->kept++] = *p;
    heddle_send(n->controller, decide, HEDDLE_NOTHING);
  }
}

static void install(void *state, void *message) {
  struct node *n = state;
  n->rule = *(enum rule *)message;
  for (int i = 0; i < n->kept; i++)
    heddle_send(n->next, at_core, &n->packet[i], sizeof n->packet[i]);
  n->kept = 0;
}

int main(void) {
  struct heddle_actor *server = heddle_spawn(&server_type, 0);
  struct heddle_actor *core =
      heddle_spawn(&switch_type, &(struct node){.rule = OPEN, .next = server});
  struct heddle_actor *edge =
      heddle_spawn(&switch_type, &(struct node){.rule = ASK, .next = core});
  struct heddle_actor *controller =
      heddle_spawn(&controller_type, &(struct controller){edge, core, 0});
  ((struct node *)heddle_state(edge))->controller = controller;
  for (int i = 0; i < N; i++)
    heddle_send(edge, at_edge, HEDDLE_MESSAGE(struct packet, i));
  heddle_run();
  assert(*(int *)heddle_state(server) == N - 1);
  assert(((struct node *)heddle_state(core))->dropped == 1);
}
