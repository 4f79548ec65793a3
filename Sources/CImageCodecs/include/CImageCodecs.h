#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#pragma clang assume_nonnull begin

// PNG and JPEG by rows. Every setjmp and everything a longjmp passes over stays in this module; nothing
// here calls back, so that no Swift frame is ever jumped across.

/// How a call ended.
typedef enum __attribute__((enum_extensibility(closed))) CodecStatus : int32_t {
    /// It did what was asked.
    CodecStatusReady = 0,
    /// Call again: more input has to be read first.
    CodecStatusMore,
    /// The data breaks the rules of its format.
    CodecStatusCorrupt,
    /// The data ends too early.
    CodecStatusTruncated,
    /// The data uses a part of its format that the codec does not have.
    CodecStatusUnsupported,
    /// The codec would need more than its limits allow.
    CodecStatusTooLarge,
    /// Memory ran out.
    CodecStatusOutOfMemory,
} CodecStatus;

typedef enum __attribute__((enum_extensibility(closed))) CodecFormat : int32_t {
    CodecFormatPNG = 0,
    CodecFormatJPEG,
} CodecFormat;

/// What a reader may use, and how much smaller it decodes.
typedef struct {
    /// JPEG: 1, 2, 4 or 8; the picture is decoded at 1/denominator of its size. PNG: 1.
    uint32_t denominator;
    /// JPEG: the most scans read.
    uint32_t scans;
    /// JPEG: the most bytes of memory that libjpeg may take.
    size_t memory;
} CodecLimits;

/// The rows that a reader delivers: 4 bytes per pixel, red, green, blue, alpha (not premultiplied).
typedef struct {
    uint32_t width;
    uint32_t height;
    /// How often all rows are delivered before they are complete: 7 for an interlaced PNG, else 1. Each time
    /// the rows must hold what the time before left in them.
    uint32_t passes;
} CodecLayout;

typedef struct CodecReader CodecReader;

/// A new reader, to be given to `cellophane_reader_close`; NULL when memory ran out.
CodecReader *_Nullable cellophane_reader_open(CodecFormat format);
void cellophane_reader_close(CodecReader *reader);

// The calls below take the whole file each time, so that the reader keeps no pointer in between; `bytes` must
// be the same file every time. After a failure every further call fails the same way.

/// Reads up to the pixels. Must come first.
CodecStatus cellophane_reader_start(CodecReader *reader, const uint8_t *bytes, size_t count, CodecLimits limits);
/// The rows to come. Valid after a successful start.
CodecLayout cellophane_reader_layout(const CodecReader *reader);
/// Reads a part of what has to be read before the first row (scans of a progressive JPEG); to be repeated
/// while it returns `CodecStatusMore`.
CodecStatus cellophane_reader_absorb(CodecReader *reader, const uint8_t *bytes, size_t count);
/// Delivers the next `rows` rows into `pixels`, which holds rows * width * 4 bytes.
CodecStatus cellophane_reader_read(CodecReader *reader, const uint8_t *bytes, size_t count, uint8_t *pixels,
                                   uint32_t rows);
/// Reads what follows the pixels, to the end of the picture.
CodecStatus cellophane_reader_finish(CodecReader *reader, const uint8_t *bytes, size_t count);
/// What the codec's library said about the failure.
const char *cellophane_reader_message(const CodecReader *reader);

/// An encoded file, to be given to `cellophane_output_free`.
typedef struct {
    CodecStatus status;
    size_t count;
    uint8_t *_Nullable bytes;
} CodecOutput;

/// Encodes width * height * 4 bytes of pixels; `opaque` leaves the alpha channel out.
CodecOutput cellophane_png_encode(const uint8_t *pixels, uint32_t width, uint32_t height, bool opaque);
/// Encodes width * height * 4 bytes of pixels over white; `quality` is 1...100 as libjpeg means it.
CodecOutput cellophane_jpeg_encode(const uint8_t *pixels, uint32_t width, uint32_t height, int quality);
void cellophane_output_free(CodecOutput output);

#pragma clang assume_nonnull end
