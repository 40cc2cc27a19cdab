/* Call stacks: from registers and the bytes of a stack to return addresses, by
 * the unwind tables of the program. */
#include <string.h>

#include "report/dwarf.h"

/* libdwfl wants to know of processes and threads.  There is one thread, the one
 * whose stack is asked for. */
enum { THREAD = 1 };

static pid_t next_thread(Dwfl *dwfl, void *context, void **argument) {
  (void)dwfl, (void)context;
  if (*argument)
    return 0;
  *argument = context;
  return THREAD;
}

static bool get_thread(Dwfl *dwfl, pid_t thread, void *context,
                       void **argument) {
  (void)dwfl;
  *argument = context;
  return thread == THREAD;
}

/* Only the stack can be read: the unwind tables need no more. */
static bool read_memory(Dwfl *dwfl, Dwarf_Addr address, Dwarf_Word *result,
                        void *context) {
  const struct source_stack *stack = ((struct source_lines *)context)->stack;
  (void)dwfl;
  if (address < stack->start || address - stack->start > stack->size ||
      stack->size - (address - stack->start) < sizeof *result)
    return false;
  memcpy(result, stack->bytes + (address - stack->start), sizeof *result);
  return true;
}

static bool set_registers(Dwfl_Thread *thread, void *context) {
  const struct source_stack *stack = ((struct source_lines *)context)->stack;
  for (unsigned i = 0; i < stack->registers; i++) {
    Dwarf_Word value = stack->value[i];
    if (stack->known >> i & 1 &&
        !dwfl_thread_state_registers(thread, (int)i, 1, &value))
      return false;
  }
  dwfl_thread_state_register_pc(thread, stack->pc);
  return true;
}

static const Dwfl_Thread_Callbacks callbacks = {
    .next_thread = next_thread,
    .get_thread = get_thread,
    .memory_read = read_memory,
    .set_initial_registers = set_registers,
};

struct unwound {
  uint64_t *to;
  size_t most, count;
};

/* The innermost address is an instruction, as if a call before it had
 * returned there. */
static int note_frame(Dwfl_Frame *frame, void *context) {
  struct unwound *unwound = context;
  Dwarf_Addr pc;
  bool activation;
  if (unwound->count == unwound->most ||
      !dwfl_frame_pc(frame, &pc, &activation))
    return DWARF_CB_ABORT;
  unwound->to[unwound->count] = pc + (activation && !unwound->count);
  unwound->count++;
  return DWARF_CB_OK;
}

size_t source_unwind(struct source_lines *source,
                     const struct source_stack *stack, uint64_t *to,
                     size_t most) {
  struct unwound unwound = {to, most, 0};
  source_module_of(source, 0); /* all modules are there */
  source->stack = stack;
  if (!source->attached)
    source->attached =
        dwfl_attach_state(source->dwfl, 0, THREAD, &callbacks, source);
  if (source->attached)
    dwfl_getthread_frames(source->dwfl, THREAD, note_frame, &unwound);
  return unwound.count;
}
