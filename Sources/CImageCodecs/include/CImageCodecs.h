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
    /// It did a part; the same call goes on with the same input. Every call returns after a bounded amount of
    /// work, so that the caller can look at the time and at cancellation.
    CodecStatusMore,
    /// It did a part and used up the input; the same call goes on with more.
    CodecStatusStarved,
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

/// The file so far.
typedef struct {
    const uint8_t *bytes;
    size_t count;
    /// Nothing follows: what is lacking is an error instead of a reason to wait.
    bool whole;
} CodecInput;

/// What a reader may use, and how much smaller it decodes.
typedef struct {
    /// JPEG: 1, 2, 4 or 8; the picture is decoded at 1/denominator of its size. PNG: 1.
    uint32_t denominator;
    /// JPEG: the most scans read.
    uint32_t scans;
    /// JPEG: the most bytes of memory that libjpeg may take.
    size_t memory;
    /// Interlaced PNG: what there is may be looked at before all is there, so that pixels that are not there yet
    /// must be like their neighbours. It takes a tenth more time.
    bool shows_parts;
} CodecLimits;

/// The rows that a reader delivers: 4 bytes per pixel, red, green, blue, alpha (not premultiplied).
typedef struct {
    uint32_t width;
    uint32_t height;
    /// An interlaced PNG: rows are not delivered one after the other; all of them are refined in place.
    bool interlaced;
    /// A JPEG of several scans: rows come when all scans were absorbed; before, what was absorbed so far can
    /// be shown.
    bool scanned;
} CodecLayout;

/// How a call for rows ended, and how many it delivered, failed or not.
typedef struct {
    CodecStatus status;
    uint32_t rows;
} CodecRows;

typedef struct CodecReader CodecReader;

/// A new reader, to be given to `cellophane_reader_close`; NULL when memory ran out.
CodecReader *_Nullable cellophane_reader_open(CodecFormat format);
void cellophane_reader_close(CodecReader *reader);

// The calls that take input get the file from its first byte each time, as far as it is there; it may lie at
// another address, since nothing points to it between calls. After a failure every further one fails the same
// way. The order is start, absorb, read, finish, each until it is ready.

/// Reads up to the pixels.
CodecStatus cellophane_reader_start(CodecReader *reader, CodecInput input, CodecLimits limits);
/// The rows to come. Valid after a successful start.
CodecLayout cellophane_reader_layout(const CodecReader *reader);
/// Makes the rows of a JPEG of four inks be these, as the file stores them, instead of red, green, blue and alpha.
/// Others stay as they are. Valid between a successful start and the first row.
void cellophane_reader_keep_inks(CodecReader *reader);
/// Reads what has to be read before the first row: the scans of a JPEG that has several.
CodecStatus cellophane_reader_absorb(CodecReader *reader, CodecInput input);
/// Delivers up to `rows` rows into `pixels`, which holds rows * width * 4 bytes. Together with those delivered
/// before, they must not be more than the picture has.
///
/// Interlaced: `rows` is the height, and `pixels` are all rows, each time as the call before left them. Passes
/// refine them; where parts are shown, pixels that are not there yet are like their neighbours. `rows` of the
/// result is how many, from the first on, show something.
CodecRows cellophane_reader_read(CodecReader *reader, CodecInput input, uint8_t *pixels, uint32_t rows);
/// Reads what follows the pixels, to the end of the picture.
CodecStatus cellophane_reader_finish(CodecReader *reader, CodecInput input);

/// The scans of a JPEG of several that were absorbed whole, or the finished passes of an interlaced PNG. Valid
/// after a successful start.
uint32_t cellophane_reader_scans(const CodecReader *reader);
/// How many rows a picture of what a JPEG of several scans absorbed so far has: all from the first whole scan on.
/// 0 for others, and when everything was absorbed.
uint32_t cellophane_reader_showable(const CodecReader *reader);
/// Begins such a picture, also after a failure. Absorbing may go on afterwards.
CodecStatus cellophane_reader_show(CodecReader *reader);
/// Delivers up to `rows` of its rows into `pixels`; in all, not more than can be shown.
CodecRows cellophane_reader_read_shown(CodecReader *reader, uint8_t *pixels, uint32_t rows);

/// True when something was passed over while the file arrived that may be an error: only reading the whole file
/// with a new reader tells.
bool cellophane_reader_doubted(const CodecReader *reader);

/// What the codec's library said about the failure.
const char *cellophane_reader_message(const CodecReader *reader);

/// A picture to be written, of rows as a reader delivers them.
typedef struct {
    uint32_t width;
    uint32_t height;
    /// PNG: the alpha channel is left out. A JPEG has none; its picture is put over white.
    bool opaque;
    /// JPEG: 1...100 as libjpeg means it.
    int quality;
} CodecPicture;

/// A part of a file; the parts of all calls, one behind the other, are the file.
typedef struct {
    CodecStatus status;
    const uint8_t *_Nullable bytes;
    size_t count;
} CodecPiece;

typedef struct CodecWriter CodecWriter;

/// A new writer, to be given to `cellophane_writer_close`; NULL when memory ran out.
CodecWriter *_Nullable cellophane_writer_open(CodecFormat format, CodecPicture picture);
void cellophane_writer_close(CodecWriter *writer);
/// Takes the next `rows` rows, of width * 4 bytes each, in all not more than the picture has, and gives what they
/// made of the file, which is valid until the next call. With the last row comes the end of the file. After a
/// failure every further call fails the same way.
CodecPiece cellophane_writer_write(CodecWriter *writer, const uint8_t *pixels, uint32_t rows);

#pragma clang assume_nonnull end
