#include "include/CTerminal.h"

#include <signal.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>

// The signals of faults within the process: Swift traps and errors of C code.
static const int faults[] = {SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGFPE, SIGSEGV};
enum { fault_count = sizeof faults / sizeof *faults };

static struct {
  int input, output;
  struct termios terminal;
  char text[256];
  struct sigaction before[fault_count];
} guarded;

// Uses only async-signal-safe functions.
static void give_back(int number) {
  ssize_t written = write(guarded.output, guarded.text, strlen(guarded.text));
  (void)written;
  tcsetattr(guarded.input, TCSANOW, &guarded.terminal);
  // Restores the previous handler. The signal is delivered again when this handler returns.
  for (int index = 0; index < fault_count; index++) {
    if (faults[index] == number) sigaction(number, &guarded.before[index], NULL);
  }
  raise(number);
}

void terminal_guard(int input, int output, const char *text) {
  if (tcgetattr(input, &guarded.terminal) != 0) return;
  guarded.input = input;
  guarded.output = output;
  strncpy(guarded.text, text, sizeof guarded.text - 1);
  struct sigaction action = {.sa_handler = give_back};
  sigemptyset(&action.sa_mask);
  for (int index = 0; index < fault_count; index++) sigaction(faults[index], &action, &guarded.before[index]);
}

void terminal_unguard(void) {
  for (int index = 0; index < fault_count; index++) sigaction(faults[index], &guarded.before[index], NULL);
}
