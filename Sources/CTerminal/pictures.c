#include "include/CTerminal.h"

#include <chafa.h>

terminal_abilities terminal_detect_abilities(void) {
  gchar **environment = g_get_environ();
  ChafaTermDb *terminals = chafa_term_db_new();
  ChafaTermInfo *terminal = chafa_term_db_detect(terminals, environment);
  terminal_abilities abilities = {
      .kitty = chafa_term_info_have_seq(terminal, CHAFA_TERM_SEQ_BEGIN_KITTY_IMMEDIATE_IMAGE_V1),
      .sixels = chafa_term_info_have_seq(terminal, CHAFA_TERM_SEQ_BEGIN_SIXELS),
      .direct_colors = chafa_term_info_have_seq(terminal, CHAFA_TERM_SEQ_SET_COLOR_FGBG_DIRECT),
      .indexed_colors = chafa_term_info_have_seq(terminal, CHAFA_TERM_SEQ_SET_COLOR_FGBG_256),
  };
  chafa_term_info_unref(terminal);
  chafa_term_db_unref(terminals);
  g_strfreev(environment);
  return abilities;
}

static ChafaCanvasConfig *canvas_shape(int columns, int lines, int cell_width, int cell_height) {
  ChafaCanvasConfig *shape = chafa_canvas_config_new();
  chafa_canvas_config_set_geometry(shape, columns, lines);
  chafa_canvas_config_set_cell_geometry(shape, cell_width, cell_height);
  return shape;
}

void terminal_draw_cells(const uint8_t *pixels, int width, int height, terminal_colors colors, int columns, int lines,
                         terminal_cell *cells) {
  // Twice as high as wide. libchafa compares symbols on a grid of 8 by 8 for every font.
  ChafaCanvasConfig *shape = canvas_shape(columns, lines, 8, 16);
  static const ChafaCanvasMode modes[] = {CHAFA_CANVAS_MODE_TRUECOLOR, CHAFA_CANVAS_MODE_INDEXED_240,
                                          CHAFA_CANVAS_MODE_INDEXED_16, CHAFA_CANVAS_MODE_FGBG};
  chafa_canvas_config_set_canvas_mode(shape, modes[colors]);
  ChafaSymbolMap *symbols = chafa_symbol_map_new();
  chafa_symbol_map_add_by_tags(symbols, CHAFA_SYMBOL_TAG_SPACE | CHAFA_SYMBOL_TAG_SOLID | CHAFA_SYMBOL_TAG_HALF |
                                            (colors == TerminalColorsNone ? CHAFA_SYMBOL_TAG_QUAD : 0));
  chafa_canvas_config_set_symbol_map(shape, symbols);
  chafa_canvas_config_set_fill_symbol_map(shape, symbols);
  ChafaCanvas *canvas = chafa_canvas_new(shape);
  chafa_canvas_draw_all_pixels(canvas, CHAFA_PIXEL_RGBA8_UNASSOCIATED, pixels, width, height, width * 4);
  for (int line = 0; line < lines; line++) {
    for (int column = 0; column < columns; column++) {
      gint foreground, background;
      chafa_canvas_get_raw_colors_at(canvas, column, line, &foreground, &background);
      cells[line * columns + column] =
          (terminal_cell){chafa_canvas_get_char_at(canvas, column, line), foreground, background};
    }
  }
  chafa_canvas_unref(canvas);
  chafa_symbol_map_unref(symbols);
  chafa_canvas_config_unref(shape);
}

terminal_text terminal_draw_sixels(const uint8_t *pixels, int width, int height) {
  ChafaCanvasConfig *shape = canvas_shape(1, 1, width, height);
  chafa_canvas_config_set_canvas_mode(shape, CHAFA_CANVAS_MODE_TRUECOLOR);
  chafa_canvas_config_set_pixel_mode(shape, CHAFA_PIXEL_MODE_SIXELS);
  ChafaCanvas *canvas = chafa_canvas_new(shape);
  chafa_canvas_draw_all_pixels(canvas, CHAFA_PIXEL_RGBA8_UNASSOCIATED, pixels, width, height, width * 4);
  ChafaTermInfo *terminal = chafa_term_db_get_fallback_info(chafa_term_db_get_default());
  GString *sixels = chafa_canvas_print(canvas, terminal);
  ptrdiff_t count = (ptrdiff_t)sixels->len;
  terminal_text text = {g_string_free(sixels, FALSE), count};
  chafa_term_info_unref(terminal);
  chafa_canvas_unref(canvas);
  chafa_canvas_config_unref(shape);
  return text;
}

void terminal_free(terminal_text text) { g_free((gpointer)text.bytes); }

int terminal_columns(uint32_t scalar) {
  return g_unichar_iszerowidth(scalar) ? 0 : g_unichar_iswide(scalar) ? 2 : 1;
}
