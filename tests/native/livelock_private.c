// A loop without end that looks at memory of its own thread only: a livelock,
// also when it is replayed, where the loop's reads are steps.
// expect error livelock line 10
// expect all: executions 1
// real no: it does not end
static volatile int stop;

int main(void) {
  while (1) {
    if (stop)
      return 0;
  }
}
