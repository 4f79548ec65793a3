#pragma once

#include <CImageCodecs.h>

#pragma clang assume_nonnull begin

// The reader of GIF, by giflib. Without the package trait GIF, this module is empty.

/// Returns a new reader, to be closed with `cellophane_reader_close`; NULL if an allocation fails.
CodecReader *_Nullable cellophane_gif_reader(void);

#pragma clang assume_nonnull end
