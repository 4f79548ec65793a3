#include "codec_reader.h"

#include <png.h>
#include <stdlib.h>
#include <string.h>

// libpng's progressive reader. It keeps what it was given but cannot use yet, copying it again each time, so
// that it is given whole chunks, and the data of the picture as it comes.

typedef enum { PartSignature, PartChunk, PartData, PartDataChecksum, PartEnd } Part;

typedef struct {
    CodecReader base;
    png_structp png;
    png_infop info;
    /// Where the next part of the file begins, and what it is.
    size_t offset;
    Part part;
    /// The chunk's data, and what is left of it.
    uint32_t data_length, data_left;
    /// Portions of data that were begun, and how many they were when the last pixel came.
    uint32_t portions, portions_of_pixels;
    /// The data that libpng was given last came after the last pixel.
    bool gives_rest;
    bool has_layout;
    bool in_data;
    bool shows_parts;
    /// Rows that came from libpng; of an interlaced picture, those that show something.
    uint32_t rows_done;
    bool is_complete;
    /// Where rows go to, and for how many there is room.
    uint8_t *destination;
    uint32_t room;
    /// Rows that came when there was no more room.
    uint8_t *kept;
    size_t kept_capacity, kept_first, kept_end;
} PNGReader;

static const uint32_t data_type = 0x49444154; // IDAT

static void on_error(png_structp png, png_const_charp message) {
    PNGReader *reader = png_get_error_ptr(png);
    // Whether libpng sees the end behind the last pixel depends on what it was given together with that.
    if (strcmp(message, "Not enough compressed data") == 0 && !reader->base.at_once) reader->base.doubted = true;
    bool is_private = strstr(message, "unhandled critical chunk");
    codec_fail(&reader->base, is_private ? CodecStatusUnsupported : CodecStatusCorrupt, message);
}

// libpng warns and goes on where the compressed data is wrong. What is merely unusual (more data than pixels,
// chunks out of place) is no error here, and what is wrong is one where libpng's reader of rows makes it one: up to
// the last pixel, and behind it as far as zlib saw it together with the last pixel, which is as far as the portion
// goes, unless more pixels stood between. Those stop zlib; here they end the data before it comes to what is wrong.
static void on_warning(png_structp png, png_const_charp message) {
    PNGReader *reader = png_get_error_ptr(png);
    // What libpng says of every error of zlib; it may name the chunk twice.
    bool is_wrong = strstr(message, "ADLER32 checksum mismatch");
    if (strcmp(message, "Truncated compressed data in IDAT") == 0) {
        is_wrong = reader->gives_rest && reader->portions == reader->portions_of_pixels;
        // More pixels may have stood in the same byte.
        if (is_wrong && !reader->base.at_once) {
            reader->base.doubted = true;
            return;
        }
    }
    // The same of data behind the last pixel.
    if (strcmp(message, "Extra compressed data in IDAT") == 0 && !reader->base.at_once) reader->base.doubted = true;
    if (is_wrong) codec_fail(&reader->base, CodecStatusCorrupt, message);
}

// Pixels per row of an image are at most 2^31 and 4 bytes each, so that nothing below overflows.
static size_t stride(const PNGReader *reader) {
    return (size_t)reader->base.layout.width * 4;
}

static void on_layout(png_structp png, png_infop info) {
    PNGReader *reader = png_get_progressive_ptr(png);
    if (reader->has_layout) return; // data again, behind other chunks
    png_set_expand(png);
    png_set_strip_16(png);
    png_set_gray_to_rgb(png);
    png_set_add_alpha(png, 0xFF, PNG_FILLER_AFTER);
    int passes = png_set_interlace_handling(png);
    png_read_update_info(png, info);
    reader->base.layout.width = png_get_image_width(png, info);
    reader->base.layout.height = png_get_image_height(png, info);
    reader->base.layout.interlaced = passes > 1;
    if (png_get_rowbytes(png, info) != stride(reader)) {
        codec_fail(&reader->base, CodecStatusUnsupported, "libpng does not deliver 4 bytes per pixel");
    }
    reader->has_layout = true;
}

static void keep(PNGReader *reader, const uint8_t *row) {
    size_t size = stride(reader);
    if (reader->kept_capacity - reader->kept_end < size) {
        size_t capacity = reader->kept_capacity * 2 + size;
        uint8_t *grown = realloc(reader->kept, capacity);
        if (!grown) codec_fail(&reader->base, CodecStatusOutOfMemory, "no memory for rows");
        reader->kept = grown;
        reader->kept_capacity = capacity;
    }
    memcpy(reader->kept + reader->kept_end, row, size);
    reader->kept_end += size;
}

static void on_row(png_structp png, png_bytep row, png_uint_32 number, int pass) {
    PNGReader *reader = png_get_progressive_ptr(png);
    uint32_t height = reader->base.layout.height;
    if (!row || number >= height) return;
    if (reader->base.layout.interlaced) {
        // libpng gives each row of the early passes several times, for the rows that later passes bring.
        if (reader->shows_parts || PNG_ROW_IN_INTERLACE_PASS(number, pass)) {
            png_progressive_combine_row(png, reader->destination + number * stride(reader), row);
        }
        if (pass == 0) reader->base.rows = reader->rows_done = number + 1;
        return;
    }
    if (reader->rows_done == height) return;
    reader->rows_done++;
    reader->is_complete = reader->rows_done == height;
    if (reader->room == 0) {
        keep(reader, row);
        return;
    }
    memcpy(reader->destination, row, stride(reader));
    reader->destination += stride(reader);
    reader->room--;
    reader->base.rows++;
}

static void on_end(png_structp png, png_infop info) {
    (void)info;
    ((PNGReader *)png_get_progressive_ptr(png))->part = PartEnd;
}

// The ancillary chunks that pixels do not depend on: colour is not converted, text is not read. Skipping
// them means that none is ever decompressed or kept. eXIf is read on the Swift side.
static const png_byte skipped_chunks[] = "bKGD\0cHRM\0eXIf\0gAMA\0hIST\0iCCP\0iTXt\0oFFs\0pCAL\0pHYs\0"
                                         "sBIT\0sCAL\0sPLT\0sRGB\0sTER\0tEXt\0tIME\0zTXt";

static void create(PNGReader *reader) {
    reader->png = png_create_read_struct(PNG_LIBPNG_VER_STRING, reader, on_error, on_warning);
    if (!reader->png) codec_fail(&reader->base, CodecStatusOutOfMemory, "no memory for libpng");
    reader->base.at_once = reader->base.input.whole;
    reader->info = png_create_info_struct(reader->png);
    if (!reader->info) codec_fail(&reader->base, CodecStatusOutOfMemory, "no memory for libpng");
    png_structp png = reader->png;
    png_set_progressive_read_fn(png, reader, on_layout, on_row, on_end);
    png_set_crc_action(png, PNG_CRC_ERROR_QUIT, PNG_CRC_ERROR_QUIT);
    png_set_keep_unknown_chunks(png, PNG_HANDLE_CHUNK_NEVER, NULL, 0);
    png_set_keep_unknown_chunks(png, PNG_HANDLE_CHUNK_NEVER, skipped_chunks, (int)(sizeof skipped_chunks / 5));
    // The number of pixels is limited by the caller, before this; libpng's own limit of a million on each
    // side would refuse long strips.
    png_set_user_limits(png, PNG_UINT_31_MAX, PNG_UINT_31_MAX);
    // Nothing is cached (all unknown chunks are skipped), and a chunk that is read whole is a palette.
    png_set_chunk_cache_max(png, 1);
    png_set_chunk_malloc_max(png, 64 << 20);
}

static void give(PNGReader *reader, size_t count) {
    // libpng takes what it reads from as not constant, but never writes to it.
    png_bytep bytes = (png_bytep)reader->base.input.bytes + reader->offset;
    reader->offset += count;
    png_process_data(reader->png, reader->info, bytes, count);
}

// The most of the picture's data that libpng is given at once: it delivers every row that it finds in it, and
// deflate makes at most 1 032 bytes of one. 4 MB of pixels bound the work of a step. Where rows have to be kept
// until they are asked for, 1 MB bounds the memory for them.
static size_t most_data(PNGReader *reader) {
    uint32_t left = reader->base.layout.height - reader->rows_done;
    bool may_keep = !reader->base.layout.interlaced && reader->room < left;
    size_t pixels = (size_t)(may_keep ? 1 << 20 : 4 << 20) / 4;
    uint32_t bits = png_get_bit_depth(reader->png, reader->info);
    switch (png_get_color_type(reader->png, reader->info)) {
    case PNG_COLOR_TYPE_RGB: bits *= 3; break;
    case PNG_COLOR_TYPE_GRAY_ALPHA: bits *= 2; break;
    case PNG_COLOR_TYPE_RGB_ALPHA: bits *= 4; break;
    default: break;
    }
    return pixels * bits / (8 * 1032);
}

// What libpng's reader of rows gives zlib at once: as much (PNG_IDAT_READ_SIZE), or the rest of a chunk.
static const uint32_t portion = 8192;

static uint32_t number(const uint8_t *bytes) {
    return (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 8 | bytes[3];
}

static void check_type(PNGReader *reader, const uint8_t *type) {
    for (int i = 0; i < 4; i++) {
        uint8_t letter = type[i] | 0x20;
        if (letter < 'a' || letter > 'z') codec_fail(&reader->base, CodecStatusCorrupt, "invalid chunk type");
    }
}

// Reads the next chunk, or the start of one with data. False when it is not all there.
static bool read_chunk(PNGReader *reader) {
    size_t left = reader->base.input.count - reader->offset;
    if (left < 8) return false;
    const uint8_t *chunk = reader->base.input.bytes + reader->offset;
    uint32_t length = number(chunk);
    uint32_t type = number(chunk + 4);
    if (length > PNG_UINT_31_MAX) codec_fail(&reader->base, CodecStatusCorrupt, "a chunk is too long");
    check_type(reader, chunk + 4);
    if (type == data_type) {
        reader->in_data = true;
        reader->data_length = reader->data_left = length;
        reader->part = length > 0 ? PartData : PartDataChecksum;
        give(reader, 8);
        return true;
    }
    if (left - 8 < (size_t)length + 4) return false;
    if (reader->in_data) {
        if (!reader->is_complete) codec_fail(&reader->base, CodecStatusCorrupt, "not enough image data");
        reader->in_data = false;
    }
    give(reader, (size_t)length + 12);
    return true;
}

// Reads the next part of the file. False when it is not all there.
static bool read_part(PNGReader *reader) {
    size_t left = reader->base.input.count - reader->offset;
    switch (reader->part) {
    case PartSignature:
        if (left < 8) return false;
        reader->part = PartChunk;
        give(reader, 8);
        return true;
    case PartChunk: return read_chunk(reader);
    case PartData: {
        if (left == 0) return false;
        uint32_t read = reader->data_length - reader->data_left;
        if (read % portion == 0) reader->portions++;
        size_t count = most_data(reader);
        if (count > portion - read % portion) count = portion - read % portion;
        if (count > left) count = left;
        if (count > reader->data_left) count = reader->data_left;
        reader->gives_rest = reader->is_complete;
        // One by one, so that more pixels show before what is wrong behind them.
        if (reader->gives_rest && reader->portions == reader->portions_of_pixels) count = 1;
        reader->data_left -= (uint32_t)count;
        if (reader->data_left == 0) reader->part = PartDataChecksum;
        give(reader, count);
        if (reader->base.layout.interlaced) {
            // libpng counts from 0, beyond the last pass when it is done.
            reader->base.scans = png_get_current_pass_number(reader->png);
            reader->is_complete = reader->base.scans > 6;
        }
        if (reader->is_complete && !reader->gives_rest) reader->portions_of_pixels = reader->portions;
        return true;
    }
    case PartDataChecksum:
        if (left < 4) return false;
        reader->part = PartChunk;
        give(reader, 4);
        return true;
    case PartEnd: return true;
    }
}

static CodecStatus lacking(PNGReader *reader) {
    if (reader->base.input.whole) {
        codec_fail(&reader->base, CodecStatusTruncated, "the file ends inside a chunk");
    }
    return CodecStatusStarved;
}

// Parts that are read in one call when they bring no rows: small ones are read in about 100 ns.
static const int parts_at_once = 4096;

static CodecStatus png_start(CodecReader *base, CodecLimits limits) {
    PNGReader *reader = (PNGReader *)base;
    reader->shows_parts = limits.shows_parts;
    if (!reader->png) create(reader);
    for (int part = 0; part < parts_at_once; part++) {
        if (reader->has_layout) return CodecStatusReady;
        if (!read_part(reader)) return lacking(reader);
    }
    return CodecStatusMore;
}

static CodecStatus png_absorb(CodecReader *base) {
    (void)base;
    return CodecStatusReady;
}

static void deliver_kept(PNGReader *reader) {
    size_t rows = (reader->kept_end - reader->kept_first) / stride(reader);
    if (rows > reader->room) rows = reader->room;
    if (rows == 0) return;
    memcpy(reader->destination, reader->kept + reader->kept_first, rows * stride(reader));
    reader->destination += rows * stride(reader);
    reader->room -= (uint32_t)rows;
    reader->base.rows += (uint32_t)rows;
    reader->kept_first += rows * stride(reader);
    if (reader->kept_first == reader->kept_end) reader->kept_first = reader->kept_end = 0;
}

static CodecStatus png_read(CodecReader *base, uint8_t *pixels, uint32_t rows) {
    PNGReader *reader = (PNGReader *)base;
    bool interlaced = base->layout.interlaced;
    reader->destination = pixels;
    reader->room = rows;
    if (interlaced) base->rows = reader->rows_done;
    deliver_kept(reader);
    for (int part = 0; part < parts_at_once; part++) {
        if (interlaced ? reader->is_complete : reader->room == 0) return CodecStatusReady;
        if (!read_part(reader)) return lacking(reader);
        if (reader->in_data) break;
    }
    if (interlaced ? reader->is_complete : reader->room == 0) return CodecStatusReady;
    return CodecStatusMore;
}

static CodecStatus png_finish(CodecReader *base) {
    PNGReader *reader = (PNGReader *)base;
    reader->room = 0;
    for (int part = 0; part < parts_at_once; part++) {
        if (reader->part == PartEnd) return CodecStatusReady;
        if (!read_part(reader)) return lacking(reader);
    }
    return CodecStatusMore;
}

static void png_close(CodecReader *base) {
    PNGReader *reader = (PNGReader *)base;
    png_destroy_read_struct(&reader->png, &reader->info, NULL);
    free(reader->kept);
    free(reader);
}

CodecReader *png_reader_new(void) {
    static const CodecOperations operations = {
        .close = png_close, .start = png_start, .absorb = png_absorb, .read = png_read, .finish = png_finish};
    PNGReader *reader = calloc(1, sizeof *reader);
    if (!reader) return NULL;
    reader->base.operations = &operations;
    return &reader->base;
}
