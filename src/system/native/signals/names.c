/* Names of signals. */
#include "signals.h"

#define ROW(name) [name] = #name
static const char *const names[NSIG] = {
    ROW(SIGHUP),  ROW(SIGINT),   ROW(SIGQUIT), ROW(SIGILL),  ROW(SIGTRAP),
    ROW(SIGABRT), ROW(SIGBUS),   ROW(SIGFPE),  ROW(SIGKILL), ROW(SIGUSR1),
    ROW(SIGSEGV), ROW(SIGUSR2),  ROW(SIGPIPE), ROW(SIGALRM), ROW(SIGTERM),
    ROW(SIGCHLD), ROW(SIGCONT),  ROW(SIGSTOP), ROW(SIGTSTP), ROW(SIGTTIN),
    ROW(SIGTTOU), ROW(SIGURG),   ROW(SIGXCPU), ROW(SIGXFSZ), ROW(SIGVTALRM),
    ROW(SIGPROF), ROW(SIGWINCH), ROW(SIGIO),   ROW(SIGPWR),  ROW(SIGSYS),
};

const char *signal_name(int number) {
  return number > 0 && number < NSIG ? names[number] : "real-time signal";
}
