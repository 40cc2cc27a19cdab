/* Bugs on purpose, to see that the fuzzer finds them (tests/planted.sh).
 *
 * A build with -DHEDDLE_PLANT=PLANT_RACE has the first one, and so on.  Any
 * other build has none, and the compiler drops what asks for them.
 */
#ifndef UTIL_PLANTED_H
#define UTIL_PLANTED_H

enum plant {
  PLANT_NONE,
  PLANT_RACE,           /* only the last race of an event is seen */
  PLANT_DEPENDENCE,     /* a write does not depend on an earlier read */
  PLANT_INSERTION,      /* a wakeup tree grows only at its root */
  PLANT_SETTLED,        /* "not needed" is kept longer than it holds */
  PLANT_PENDING,        /* optimal forgets processes that wait at the end */
  PLANT_SOURCE_PENDING, /* so do source and dpor */
  PLANT_SLEEP,          /* a sleeper is woken only by what it touches first */
  PLANT_BLOCK,        /* source and dpor do not try every process for a block */
  PLANT_OBSERVER,     /* a race is reversed without its observer */
  PLANT_CONTEXT_WAKE, /* by context: a dependent step wakes no process */
  PLANT_CONTEXT_STACK,  /* ... what follows a sleeper has no races */
  PLANT_CONTEXT_TOUCH,  /* ... steps commute whatever they touch */
  PLANT_CONTEXT_FUTURE, /* ... no future step conflicts with a step */
  PLANT_CONTEXT_LATE,   /* ... v lacks the events that follow a sleeper */
  PLANT_APART_RELEASE,  /* data apart: local code is before the release that
                           it comes after */
  PLANT_APART_JOIN,     /* ... and behind the last event it is not joined */
  PLANT_UNFOLD_PENDING, /* unfold forgets processes that wait at the end */
  PLANT_UNFOLD_READS,   /* ... a write comes before all reads or none */
  PLANT_UNFOLD_PASS,    /* ... extensions are looked for at their node only */
  PLANT_UNFOLD_DROP,    /* ... histories are dropped */
  PLANT_UNFOLD_UPDATE,  /* ... a place is told by the last write, though that is
                           an update of a kind */
  PLANT_CONTEXT_UPDATE, /* by context: such an update tells what was there */
  PLANT_POP_DEFAULT,    /* pop: a step of a detour is overtaken again */
  PLANT_POP_NEEDED,     /* ... whatever detours there are behind e */
  PLANT_POP_LAST,       /* ... only if e' itself ends the last detour */
  PLANT_POP_TURN,       /* ... of several first steps each is meant */
  PLANT_POP_BEFORE,     /* ... by number, though one may come before e' */
  PLANT_POP_OVERTAKEN,  /* ... the overtaken process does not move at once */
  PLANT_POP_RACES,      /* ... the last step of a detour has no races */
  PLANT_POP_PENDING,    /* ... nor have processes that wait at the end */
  PLANT_POP_CHOICE,     /* ... an alternative has alternatives in turn */
  PLANT_UPDATE_TESTED,  /* of an update and a compare-and-swap, the result is
                           that before the update */
  PLANT_DC_CLAUSE,      /* dc forbids a pair, whatever came before it */
  PLANT_DC_PENDING,     /* dc forgets operations that wait at the end */
  PLANT_LOOK_PENDING,   /* a look that waits at the end has no races */
  PLANT_LOOK_LAST,      /* a look is tried before the last write only */
  PLANT_LOOK_CUT,       /* source and dpor: a look that waits has no races if
                           all others sleep */
  PLANT_ROUND_WHOLE,    /* a round waits if, tried at once, it is in vain */
  PLANT_ROUND_WRITES,   /* a round may be in vain although it wrote */
  PLANT_ROUND_VALUES,   /* ... although values have changed */
  PLANT_RETRY_FAILURE,  /* a read and a swap are one step, whatever comes of a
                           swap that fails */
  PLANT_RETRY_SWAP,     /* ... also if it leads back to the swap only */
  PLANT_RETRY_VALUES,   /* ... wherever it leads with other values */
  PLANT_STATE_RACES,    /* stateful: a future that is cut has no races */
  PLANT_STATE_CHAIN,    /* ... only the process of an access of the future can
                           begin a reversal */
  PLANT_STATE_DATA,     /* ... and no data races */
  PLANT_STATE_PENDING,  /* ... processes that wait at the end have none */
  PLANT_STATE_LIVE,     /* ... contents of memory do not matter */
  PLANT_STATE_SLEEPER,  /* ... sleepers are no part of a future */
  PLANT_STATE_WRITTEN,  /* ... what was written since they slept is dead */
  PLANT_STATE_SIGNAL,   /* ... all that a process did happens before what it
                           lets go on */
  PLANT_STATE_CYCLE,    /* ... on a cycle not every process is tried */
  PLANT_STATE_OPEN,     /* ... a cycle need not be explored to be known */
  PLANT_STATE_STEPS,    /* ... steps that a process took since a sleeper slept
                           are still to come before its accesses */
  PLANT_STATE_ENDED,    /* ... a process that waits has ended */
  PLANT_STATE_KNOWN,    /* ... cycles are closed whoever knows of accesses to
                           data */
  PLANT_STATE_LEADING,  /* ... a race of a block e with e' is reversed by any
                           process that can begin v */
  PLANT_STATE_ASLEEP,   /* ... for a block that sleeps or waits nothing is
                           tried */
  PLANT_STATE_UNDER,    /* ... two accesses under locks are under the same */
  PLANT_STATE_MET,      /* ... what blocks hand on to blocks is not known */
  PLANT_STATE_ALONE,  /* ... a process is alone until another one was joined */
  PLANT_STATE_BLOCKS, /* ... a block is in no data race with what is outside of
                           blocks */
  PLANT_STATE_HANDED, /* ... a block hands on to blocks past a write outside
                           of blocks */
};

#ifndef HEDDLE_PLANT
#define HEDDLE_PLANT PLANT_NONE
#endif

#define planted(name) (HEDDLE_PLANT == PLANT_##name)

#endif
