// The size of terminals, and images for them through libchafa. Hides the GLib types of libchafa from Swift.
#pragma once
#include <stddef.h>
#include <stdint.h>

#pragma clang assume_nonnull begin

/// The size of a terminal in characters and pixels; 0 if unknown.
typedef struct {
  int columns, lines, width, height;
} terminal_size;

/// Returns the size of the terminal with the open `descriptor`; all 0 if it is not a terminal.
terminal_size terminal_measure(int descriptor);

/// Saves the mode of the terminal. If a fault ends the process, writes `text` and restores the saved mode.
void terminal_guard(int input, int output, const char *text);

/// Removes the fault handlers of `terminal_guard`.
void terminal_unguard(void);

/// The abilities of a terminal.
typedef struct {
  _Bool kitty, sixels, direct_colors, indexed_colors;
} terminal_abilities;

/// Detects abilities from the environment of the process: TERM, COLORTERM, TERM_PROGRAM and others.
terminal_abilities terminal_detect_abilities(void);

/// The number of colors of a character.
typedef enum __attribute__((enum_extensibility(closed))) : int {
  TerminalColorsDirect = 0,
  TerminalColorsIndexed = 1,
  TerminalColorsSixteen = 2,
  TerminalColorsNone = 3,
} terminal_colors;

/// One character of an image. Colors are 0xRRGGBB or an index of the palette; negative for the terminal's default.
typedef struct {
  uint32_t glyph;
  int32_t foreground, background;
} terminal_cell;

/// Draws an image of straight RGBA8 pixels into `columns` · `lines` cells with half blocks. Without colors, it also
/// uses quadrant blocks.
void terminal_draw_cells(const uint8_t *pixels, int width, int height, terminal_colors colors, int columns, int lines,
                         terminal_cell *cells);

/// A text allocated by this module, to be freed with `terminal_free`.
typedef struct {
  const char *bytes;
  ptrdiff_t count;
} terminal_text;

/// Encodes an image of straight RGBA8 pixels as sixels, one for each pixel. Omits rows after the last complete band
/// of six.
terminal_text terminal_draw_sixels(const uint8_t *pixels, int width, int height);

void terminal_free(terminal_text text);

/// Returns the number of columns of a character: 0 if it combines with the previous one.
int terminal_columns(uint32_t scalar);

#pragma clang assume_nonnull end
