// The same without the use of declarations: besides the two additions each of
// the three clients doubles the runs: 2^5 - 1 are cut.
// algorithms cs optimal-cs
// options --races=off --no-anticipate
// expect cs: executions 1, blocked 31
// expect optimal-cs: executions 1, blocked 31
// modes undo
#include "actor_anticipated.c"
