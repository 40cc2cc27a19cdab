// As many executions are cut as in a model: with N threads there are N 2^(N-1)
// critical sections to run and 2^N states between them, and each section that
// leads to a state known before is cut: 80 - 31.
// algorithms stateful
// modes undo
// expect stateful: executions 1, blocked 49
#define N 5
#include "../../bench/stateful/counters.c"
