// Macros of zlib as functions, because Swift cannot call macros.
#pragma once
#include <zlib.h>

/// Initializes `stream` for a format: `window` 15 is a zlib stream with the largest window, 15 + 16 is gzip, and -15
/// is data without header and checksum.
static inline int cellophane_inflate_start(z_stream *stream, int window) {
  *stream = (z_stream){0};
  return inflateInit2(stream, window);
}
