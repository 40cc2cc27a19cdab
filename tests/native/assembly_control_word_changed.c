// All threads share one control word of the x87: no thread may change it.
// expect refused the control word of the x87 is changed (fldcw)
int main(void) {
  unsigned short word = 0x27f;
  __asm__ __volatile__("fldcw %0" : : "m"(word));
}
