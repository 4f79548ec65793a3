// What zlib has as macros, which Swift cannot call.
#pragma once
#include <zlib.h>

/// Makes `stream` ready for gzip (RFC 1952), whose header and checksum zlib verifies; nothing else is taken.
static inline int cellophane_gunzip_start(z_stream *stream) {
  *stream = (z_stream){0};
  // 15 is the largest window, 16 stands for gzip.
  return inflateInit2(stream, 15 + 16);
}
