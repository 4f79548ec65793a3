#pragma once

#include <CImageCodecs.h>

#pragma clang assume_nonnull begin

// The reader of AVIF, by libavif and dav1d. Without the package trait AVIF, this module is empty.

/// The properties that the container of an AVIF declares.
typedef struct {
    uint32_t width, height;
    /// The number of bits per sample.
    uint32_t depth;
    bool has_alpha, is_gray;
    /// The number of frames of a sequence; 1 for a still image.
    uint32_t frames;
    /// Quarter turns against the clock.
    uint8_t turns;
    /// The mirroring after the turns: 0 exchanges top and bottom, 1 left and right; 2 for none.
    uint8_t mirror;
    /// The code points of ITU-T H.273 of the primaries and the transfer function; 2 if unspecified.
    uint8_t primaries, transfer;
    /// The size of the ICC profile; 0 without one.
    size_t profile_count;
} AVIFHeader;

/// Returns the name of the library that cannot be loaded; NULL if libavif is loaded, which the first call does.
const char *_Nullable cellophane_avif_missing_library(void);

/// Reads the container. Truncated if the file ends before its properties.
CodecStatus cellophane_avif_header(const uint8_t *bytes, size_t count, AVIFHeader *header);

/// Copies the ICC profile of the file into `profile`. Returns false if its size is not `profile_count`.
bool cellophane_avif_profile(const uint8_t *bytes, size_t count, uint8_t *profile, size_t profile_count);

/// Overwrites EXIF and XMP with zeros, so that no offset in the file changes.
void cellophane_avif_clear_metadata(uint8_t *bytes, size_t count);

/// Returns a new reader, to be closed with `cellophane_reader_close`; NULL if an allocation fails.
CodecReader *_Nullable cellophane_avif_reader(void);

/// Decodes the first frame of a complete file into `pixels`, without a copy. `CodecStatusCorrupt` also if `pixel_count` is not
/// 4 * width * height.
CodecStatus cellophane_avif_pixels(const uint8_t *bytes, size_t count, uint8_t *pixels, size_t pixel_count);

/// Bytes of metadata; none with a count of 0.
typedef struct {
    const uint8_t *_Nullable bytes;
    size_t count;
} CodecAVIFBytes;

/// The settings of an AVIF.
typedef struct {
    /// 0...100.
    int quality;
    /// Omits the alpha channel.
    bool opaque;
    /// Quarter turns against the clock, and the mirroring after them, as in ``AVIFHeader``.
    uint8_t turns, mirror;
    CodecAVIFBytes profile, exif;
} CodecAVIFSettings;

/// A complete file, to be released with `cellophane_avif_release`.
typedef struct {
    uint8_t *_Nullable bytes;
    size_t count;
} CodecAVIFFile;

/// Encodes `pixels`, width * height * 4 bytes of red, green, blue and straight alpha. `CodecStatusTooLarge`: libavif refuses
/// the size. `CodecStatusUnsupported`: there is no library, or it has no encoder.
CodecStatus cellophane_avif_encode(const uint8_t *pixels, CodecPicture picture, CodecAVIFSettings settings,
                                   CodecAVIFFile *file);
void cellophane_avif_release(CodecAVIFFile file);

#pragma clang assume_nonnull end
