/* The same program as a model and as C: both must say the same. */
#ifndef FUZZ_MODEL_COMPARE_NATIVE_H
#define FUZZ_MODEL_COMPARE_NATIVE_H

#include "fuzz/model/campaign.h"

/* A campaign_plan's `native_check`. */
enum compared compare_native(const struct campaign_plan *, struct comparison *,
                             const struct program *);

#endif
