#include "include/CTerminal.h"

#include <sys/ioctl.h>

terminal_size terminal_measure(int descriptor) {
  struct winsize size;
  if (ioctl(descriptor, TIOCGWINSZ, &size) != 0) return (terminal_size){0};
  return (terminal_size){size.ws_col, size.ws_row, size.ws_xpixel, size.ws_ypixel};
}
