#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#pragma clang assume_nonnull begin

// Row-based readers and writers of PNG and JPEG. Every setjmp, and every frame that a longjmp skips, is in this
// module. The module never calls back into Swift, so no longjmp skips a Swift frame.

/// The result of a call.
typedef enum __attribute__((enum_extensibility(closed))) CodecStatus : int32_t {
    /// The call did all of its work.
    CodecStatusReady = 0,
    /// The call did a part of its work. Call again with the same input to continue. Every call returns after a
    /// bounded amount of work, so that the caller can check its deadline and cancellation.
    CodecStatusMore,
    /// The call used up the input. Call again with more input to continue.
    CodecStatusStarved,
    /// The data violates its format.
    CodecStatusCorrupt,
    /// The data ends too early.
    CodecStatusTruncated,
    /// The data uses a part of its format that the codec does not support.
    CodecStatusUnsupported,
    /// Decoding would exceed the limits.
    CodecStatusTooLarge,
    /// An allocation failed.
    CodecStatusOutOfMemory,
} CodecStatus;

/// Deviations from the format that leave every pixel right, as bits.
typedef enum __attribute__((flag_enum, enum_extensibility(closed))) CodecWarnings : uint32_t {
    CodecWarningsNone = 0,
    /// The end marker is missing or damaged.
    CodecWarningsEnd = 1,
    /// A part that does not affect the pixels is damaged.
    CodecWarningsAncillary = 2,
    /// A header has values that its format does not allow, and the pixels do not depend on them.
    CodecWarningsHeader = 4,
} CodecWarnings;

/// The bytes of the file received so far.
typedef struct {
    const uint8_t *bytes;
    size_t count;
    /// True if no bytes follow. Missing data is then an error, not `CodecStatusStarved`.
    bool whole;
} CodecInput;

/// The limits and the scale of a reader.
typedef struct {
    /// JPEG: 1, 2, 4 or 8; the image is decoded at 1/denominator of its size. PNG: 1.
    uint32_t denominator;
    /// The size of the rows to deliver. Readers that cannot scale to it use their own.
    uint32_t width, height;
    /// JPEG: the maximum number of scans.
    uint32_t scans;
    /// JPEG: the maximum memory of libjpeg, in bytes.
    size_t memory;
    /// Interlaced PNG: the pixels may be shown before the image is complete. Missing pixels are then copies of their
    /// neighbors, which takes a tenth more time.
    bool shows_parts;
} CodecLimits;

/// The layout of the rows that a reader delivers: 4 bytes per pixel, red, green, blue, straight alpha.
typedef struct {
    uint32_t width;
    uint32_t height;
    /// True for an interlaced PNG: all rows are refined in place instead of being delivered in order.
    bool interlaced;
    /// True for a JPEG with several scans: rows are delivered after all scans are absorbed. Until then, the scans
    /// absorbed so far can be shown.
    bool scanned;
} CodecLayout;

/// The result of a call for rows, and the number of rows delivered, also by a call that failed.
typedef struct {
    CodecStatus status;
    uint32_t rows;
} CodecRows;

typedef struct CodecReader CodecReader;

// Each returns a new reader, to be closed with `cellophane_reader_close`; NULL if an allocation fails.

CodecReader *_Nullable cellophane_png_reader(void);
CodecReader *_Nullable cellophane_jpeg_reader(void);
void cellophane_reader_close(CodecReader *reader);

// Calls with input take all bytes received so far, from the first byte of the file. The address may change between
// calls, because the reader keeps no pointer to the input. After a failure, every further call fails with the same
// status. The order is start, absorb, read, finish; repeat each until it is ready.

/// Reads the file up to its pixels.
CodecStatus cellophane_reader_start(CodecReader *reader, CodecInput input, CodecLimits limits);
/// Returns the layout of the rows. Valid after a successful start.
CodecLayout cellophane_reader_layout(const CodecReader *reader);
/// Delivers the four inks of a CMYK JPEG as stored, instead of red, green, blue and alpha. No effect on other files.
/// Valid between a successful start and the first row.
void cellophane_reader_keep_inks(CodecReader *reader);
/// Reads the data that the first row depends on: the scans of a JPEG with several scans.
CodecStatus cellophane_reader_absorb(CodecReader *reader, CodecInput input);
/// Delivers up to `rows` rows into `pixels`, a buffer of rows * width * 4 bytes. The total must not exceed the height
/// of the image.
///
/// Interlaced: `rows` is the height, and `pixels` has all rows, unchanged since the previous call. Each pass refines
/// them. Without `pixels`, they are checked and not kept. With `shows_parts`, missing pixels are copies of their neighbors. `rows` of the result is the number of
/// leading rows with content.
CodecRows cellophane_reader_read(CodecReader *reader, CodecInput input, uint8_t *_Nullable pixels, uint32_t rows);
/// Reads the data after the pixels, to the end of the image.
CodecStatus cellophane_reader_finish(CodecReader *reader, CodecInput input);

/// Returns the number of completely absorbed scans of a JPEG with several scans, or of finished passes of an
/// interlaced PNG. Valid after a successful start.
uint32_t cellophane_reader_scans(const CodecReader *reader);
/// Returns the number of rows that the scans absorbed so far can show: all rows after the first complete scan. 0 for
/// files without several scans, and after the last scan.
uint32_t cellophane_reader_showable(const CodecReader *reader);
/// Begins to show the scans absorbed so far, also after a failure. Absorbing may continue afterwards.
CodecStatus cellophane_reader_show(CodecReader *reader);
/// Delivers up to `rows` of the shown rows into `pixels`. The total must not exceed `cellophane_reader_showable`.
CodecRows cellophane_reader_read_shown(CodecReader *reader, uint8_t *pixels, uint32_t rows);

/// Returns true if the reader ignored a possible error while the file was arriving. Only a new reader with the
/// complete file can decide whether it is one.
bool cellophane_reader_doubted(const CodecReader *reader);

/// Returns the deviations noticed so far, as bits of `CodecWarnings`.
uint32_t cellophane_reader_warnings(const CodecReader *reader);

/// Returns the message of libpng or libjpeg about the failure.
const char *cellophane_reader_message(const CodecReader *reader);

/// The size of an image to write. Its rows have the layout that a reader delivers.
typedef struct {
    uint32_t width;
    uint32_t height;
} CodecPicture;

/// The settings of a JPEG.
typedef struct {
    /// The quality of libjpeg, 1...100.
    int quality;
    /// Several scans instead of one.
    bool progressive;
    /// The columns and the rows of pixels that share one color: 1 or 2.
    int columns, rows;
} CodecJPEGSettings;

/// A piece of a file. The pieces of all calls, in order, are the file.
typedef struct {
    CodecStatus status;
    const uint8_t *_Nullable bytes;
    size_t count;
} CodecPiece;

typedef struct CodecWriter CodecWriter;

// Each returns a new writer, to be closed with `cellophane_writer_close`; NULL if an allocation fails.

/// PNG. `opaque` omits the alpha channel. `level` is that of zlib, 0...9, or -1 for a choice by the size of the image.
CodecWriter *_Nullable cellophane_png_writer(CodecPicture picture, bool opaque, int level);
/// JPEG. The image is composed over white.
CodecWriter *_Nullable cellophane_jpeg_writer(CodecPicture picture, CodecJPEGSettings settings);
void cellophane_writer_close(CodecWriter *writer);
/// Writes the next `rows` rows of width * 4 bytes and returns the resulting piece of the file, valid until the next
/// call. The total must not exceed the height of the image. The last row completes the file. After a failure, every
/// further call fails with the same status.
CodecPiece cellophane_writer_write(CodecWriter *writer, const uint8_t *pixels, uint32_t rows);

#pragma clang assume_nonnull end
