// Terminals: how large they are, and pictures for them through libchafa, without the types of GLib that it is built on.
#pragma once
#include <stddef.h>
#include <stdint.h>

#pragma clang assume_nonnull begin

/// How large a terminal is; all 0 for what is none, or tells none.
typedef struct {
  int columns, lines, width, height;
} terminal_size;

/// The size of the terminal that is open as `descriptor`.
terminal_size terminal_measure(int descriptor);

/// When a fault ends this process from now on, the terminal gets `text` and is read as it was at this call.
void terminal_guard(int input, int output, const char *text);

/// Ends that.
void terminal_unguard(void);

/// What a terminal can do, as its environment tells.
typedef struct {
  _Bool kitty, sixels, direct_colours, indexed_colours;
} terminal_abilities;

/// Judges the environment of this process: TERM, COLORTERM, TERM_PROGRAM and others.
terminal_abilities terminal_detect_abilities(void);

/// How many colours characters may have.
typedef enum __attribute__((enum_extensibility(closed))) : int {
  TerminalColoursDirect = 0,
  TerminalColoursIndexed = 1,
  TerminalColoursSixteen = 2,
  TerminalColoursNone = 3,
} terminal_colours;

/// One character of a picture. Colours are 0xRRGGBB or the number in the palette; negative for the terminal's own.
typedef struct {
  uint32_t glyph;
  int32_t foreground, background;
} terminal_cell;

/// Draws a picture of straight RGBA8 pixels with half blocks, without colours with more kinds of characters, into
/// `columns` · `lines` cells.
void terminal_draw_cells(const uint8_t *pixels, int width, int height, terminal_colours colours, int columns, int lines,
                         terminal_cell *cells);

/// Text that was made here, to be freed by `terminal_free`.
typedef struct {
  const char *bytes;
  ptrdiff_t count;
} terminal_text;

/// A picture of straight RGBA8 pixels as sixels, one for each of its pixels but those below the last whole band of six.
terminal_text terminal_draw_sixels(const uint8_t *pixels, int width, int height);

void terminal_free(terminal_text text);

/// How many columns of a terminal a character takes: 0 when it only changes the one before it.
int terminal_columns(uint32_t scalar);

#pragma clang assume_nonnull end
