/* From a module to an object: the parts that are not LLVM's own. */
#ifndef CC_INSTRUMENT_EMIT_H
#define CC_INSTRUMENT_EMIT_H

#include "instrument.h"
#include "unit.h"

/* NULL, with a message in *error, if this LLVM does not know the processor. */
LLVMTargetMachineRef emit_machine(LLVMModuleRef, const struct instrument_job *,
                                  char **error);

/* Constructors and sections, as the job wants them. */
void emit_prepare(struct unit *, const struct instrument_job *);

#endif
