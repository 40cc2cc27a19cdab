// What the source calls the objects that are accessed: behind `// site` the
// names in the hooks of that line, each once; "-" is an object without a name.
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

struct node {
  int key, key1;
  struct node *next;
};

typedef struct {
  int first, second;
} pair;

union number {
  int i;
  float f;
  struct node node;
};

struct queue {
  int len;
  unsigned low : 3, high : 4;
  struct node nodes[4];
  union {
    int j;
    float g;
  };
  struct {
    int inner;
  };
  union number number;
  atomic_int count;
  _Atomic(struct node *) head;
  pair pairs[2][3];
  char flexible[];
};

struct large {
  int words[20];
};

union alike {
  int a;
  unsigned b;
};

struct variant {
  int kind;
  union {
    struct {
      int count;
      struct node *nodes, *last;
    } list;
    struct {
      char *text;
    } string;
    struct {
      int length;
      char **words, *end1;
    } text;
  } u;
};

struct queue queue;
union alike alike;
int table[8], matrix[4][5];
static int hidden;
_Thread_local int own;
struct node *list, **place;
pair *find(int);
struct node *first(void);
struct large make(void);
int take(struct large);
void keep(void *);

void globals(int i) {
  hidden = 1;                    // site hidden
  queue.len = 1;                 // site queue.len
  queue.nodes[0].key = 1;        // site queue.nodes[0].key
  queue.nodes[2].key1 = 1;       // site queue.nodes[2].key1
  queue.nodes[i].next = NULL;    // site queue.nodes[i].next
  queue.pairs[1][2].second = 1;  // site queue.pairs[1][2].second
  queue.pairs[i][i].second = 1;  // site queue.pairs[i][i].second
  queue.j = 1;                   // site queue.j
  queue.inner = 1;               // site queue.inner
  queue.number.f = 1;            // site queue.number.f
  queue.number.node.key1 = 1;    // site queue.number.node.key1
  alike.a = 1;                   // site alike
  queue.low = 1;                 // site queue
  table[0] = 1;                  // site table[0]
  table[3] = 1;                  // site table[3]
  table[i] = 1;                  // site table[i]
  table[i + 1] = 1;              // site table[i + 1]
  table[(i - 1) % 8] = 1;        // site table[(i - 1) % 8]
  table[table[i]] = 1;           // site table[i], table[table[i]]
  matrix[i][2] = 1;              // site matrix[i][2]
  matrix[1][i] = 1;              // site matrix[1][i]
  own++;                         // site own
  list->next->next->key = 1;     // site list, list->next, list->next->next, list->next->next->key
  (*place)->key = 1;             // site place, *place, (*place)->key
  **place = *list;               // site place, *place, list, **place
}

void statics(void) {
  static int counter;
  static struct node node;
  counter = 1;   // site counter
  node.next = 0; // site node.next
}

void parameters(struct queue *q, struct node *node, int i, char *s,
                int (*row)[5], void *raw) {
  q->len = 1;                       // site q->len
  q->high = 1;                      // site q->high
  q->low = q->high;                 // site q->low, q->high
  q->nodes[i].next = node;          // site q->nodes[i].next
  q->nodes[i + 1].key1 = 2;         // site q->nodes[i + 1].key1
  q->j = 1;                         // site q->j
  q->g = 1;                         // site q->g
  q->inner = 1;                     // site q->inner
  q->number.i = 1;                  // site q->number.i
  q->number.f = 1;                  // site q->number.f
  q->number.node.key1 = 1;          // site q->number.node.key1
  q->count++;                       // site q->count
  atomic_store(&q->head, node);     // site q->head
  q->pairs[i][1].first = 1;         // site q->pairs[i][1].first
  q->flexible[i] = 1;               // site q->flexible[i]
  node->next->key1 = node->key1;    // site node->next, node->next->key1, node->key1
  *s = 1;                           // site *s
  *s++ = 1;                         // site *s
  *++s = 1;                         // site *s
  s[0] = 1;                         // site s[0]
  s[++i] = 1;                       // site s[i]
  *(s + i) = 1;                     // site s[i]
  row[1][i] = 1;                    // site row[1][i]
  (*row)[i] = 1;                    // site (*row)[i]
  ((struct node *)raw)->key1 = 1;   // site raw->key1
  ((struct node *)q)->key1 = 1;     // site q->key1
  (i ? node : list)->key = 1;       // site list, ?->key
  table[rand() & 7] = 1;            // site table[rand() & 7]
  *(int *)raw = 1;                  // site *raw
  find(i)->second = 1;              // site find(...)->second
  atomic_load(&q->head)->key1 = 1;  // site q->head, q->head->key1
  *(int *)((char *)node - i) = 1;   // site -
  q->nodes[~i].key = 1;             // site q->nodes[~i].key
  node[-i].key = 1;                 // site node[-i].key
  first()->next = NULL;             // site first()->next
}

void variants(struct variant *v) {
  v->u.list.last = NULL;   // site v->u.list.last
  v->u.string.text = NULL; // site v->u.string.text
  v->u.text.words = NULL;  // site v->u.text.words
  v->u.text.end1 = NULL;   // site v->u.text.end1
}

void locals(int n) {
  int x = 0, x1 = 0, array[4] = {0};
  int variable[n];
  struct node node;
  struct node *to = &node;
  keep(&x);
  keep(&x1);
  keep(array);
  keep(variable);
  keep(&node);
  keep(&to);
  x = 1;        // site x
  x1 = 1;       // site x1
  array[2] = 1; // site array[2]
  *array = 1;   // site *array
  variable[n - 1] = 1; // site variable[n - 1]
  node.key = 1; // site node.key
  to->key1 = 1; // site to, to->key1
  {
    int x = 0; // site x
    keep(&x);
    x++; // site x
  }
}

void structures(struct queue *q, struct large *l, struct node byvalue) {
  q->nodes[1] = *list;     // site list, q->nodes[1]
  queue.nodes[0] = *list;  // site list, queue.nodes[0]
  *list = byvalue;         // site list, *list
  memset(q->pairs, 0, 24); // site *q->pairs
  memset(table, 0, 8);     // site table
  memset(l->words, 0, 80); // site l->words
  take(*l);                // site *l
  table[1] = make().words[2]; // site table[1], make().words[2]
}

struct large result(void) {
  struct large made;
  made.words[1] = 1; // site made.words[1]
  return made;
}
