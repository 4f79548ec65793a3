#pragma once

#include <CImageCodecs.h>

#pragma clang assume_nonnull begin

// The reader of WebP, by libwebp. Without the package trait WebP, this module is empty.

/// Returns a new reader, to be closed with `cellophane_reader_close`; NULL if an allocation fails.
CodecReader *_Nullable cellophane_webp_reader(void);

/// The settings of a WebP.
typedef struct {
    /// Lossy: the quality of libwebp, 0...100.
    int quality;
    bool lossless;
    /// Omits the alpha channel.
    bool opaque;
} CodecWebPSettings;

/// A complete file, to be released with `cellophane_webp_release`.
typedef struct {
    uint8_t *_Nullable bytes;
    size_t count;
} CodecWebPFile;

/// Encodes `pixels`, width * height * 4 bytes of red, green, blue and straight alpha. `proceeds` is called about a hundred
/// times; the call ends with `CodecStatusMore` when it returns false. `CodecStatusTooLarge`: a side exceeds 16 383 pixels.
CodecStatus cellophane_webp_encode(const uint8_t *pixels, CodecPicture picture, CodecWebPSettings settings,
                                   bool (*proceeds)(void), CodecWebPFile *file);
void cellophane_webp_release(CodecWebPFile file);

#pragma clang assume_nonnull end
