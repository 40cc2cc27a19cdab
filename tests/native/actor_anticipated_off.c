// The same without the use of declarations: more is cut, and no more found.
// algorithms cs optimal-cs
// options --races=off --no-anticipate
// expect cs: executions 1
// expect optimal-cs: executions 1
// modes undo
#include "actor_anticipated.c"
