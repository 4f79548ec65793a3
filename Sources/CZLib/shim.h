// What zlib has as macros, which Swift cannot call.
#pragma once
#include <zlib.h>

/// Makes `stream` ready for what `window` says: 15 is a zlib stream with the largest window, 16 more gzip, below zero
/// neither header nor checksum. Nothing else is taken.
static inline int cellophane_inflate_start(z_stream *stream, int window) {
  *stream = (z_stream){0};
  return inflateInit2(stream, window);
}
