// --interfere=locks: observers would not see the read, and lose an order.
// expect refused must see every read
// options --interfere=locks --algo=observers
#include <pthread.h>
int main(void) { return 0; }
