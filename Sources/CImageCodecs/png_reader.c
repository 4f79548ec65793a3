#include "png_reader.h"

#include <stdlib.h>
#include <string.h>

static const uint32_t transparency_type = 0x74524E53; // tRNS

static void on_error(png_structp png, png_const_charp message) {
    PNGReader *reader = png_get_error_ptr(png);
    // Whether libpng detects the end of the data after the last pixel depends on the data passed together with that
    // pixel.
    if (strcmp(message, "Not enough compressed data") == 0 && !reader->base.at_once) reader->base.doubted = true;
    bool is_private = strstr(message, "unhandled critical chunk");
    CodecStatus status = is_private ? CodecStatusUnsupported : CodecStatusCorrupt;
    codec_fail(&reader->base, reader->ends_early ? CodecStatusTruncated : status, message);
}

// libpng warns about damaged compressed data and continues. Unusual files (more data than pixels, chunks in other
// places) are accepted here. Damage is an error in the same places as in libpng's row reader: up to the last pixel,
// and after it within the portion of data that zlib received together with that pixel. The exception is damage after
// further pixels: these stop zlib there, and end the data here.
static void on_warning(png_structp png, png_const_charp message) {
    PNGReader *reader = png_get_error_ptr(png);
    // The message of libpng for every error of zlib. It may name the chunk twice.
    bool is_wrong = strstr(message, "ADLER32 checksum mismatch");
    if (strcmp(message, "Truncated compressed data in IDAT") == 0) {
        is_wrong = reader->gives_rest && reader->portions == reader->portions_of_pixels;
        // The same byte may contain further pixels.
        if (is_wrong && !reader->base.at_once) {
            reader->base.doubted = true;
            return;
        }
    }
    // The same applies to data after the last pixel.
    if (strcmp(message, "Extra compressed data in IDAT") == 0 && !reader->base.at_once) reader->base.doubted = true;
    if (is_wrong) codec_fail(&reader->base, CodecStatusCorrupt, message);
    // libpng discards an ancillary chunk with a wrong checksum. The pixels need only one of them, tRNS. A chunk whose
    // type has one other bit may be a tRNS whose type is damaged.
    if (strstr(message, "CRC error")) {
        bool has_alpha = png_get_color_type(png, reader->info) & PNG_COLOR_MASK_ALPHA;
        uint32_t changed = reader->chunk_type ^ transparency_type;
        if ((changed & (changed - 1)) == 0 && !has_alpha) {
            codec_fail(&reader->base, CodecStatusCorrupt, message);
        }
        reader->base.warnings |= CodecWarningsAncillary;
    }
}

// A row has at most 2^31 pixels of 4 bytes, so no size overflows.
static size_t stride(const PNGReader *reader) {
    return (size_t)reader->base.layout.width * 4;
}

static void on_layout(png_structp png, png_infop info) {
    PNGReader *reader = png_get_progressive_ptr(png);
    if (reader->has_layout) return; // image data again, after other chunks
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
        // libpng repeats each row of an early pass for the rows that later passes bring.
        if (reader->destination && (reader->shows_parts || PNG_ROW_IN_INTERLACE_PASS(number, pass))) {
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

// Ancillary chunks that do not affect the pixels: colors are not converted, and text is not read. Skipped chunks are
// neither decompressed nor stored. Swift code reads eXIf.
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
    png_set_crc_action(png, PNG_CRC_ERROR_QUIT, PNG_CRC_WARN_DISCARD);
    png_set_keep_unknown_chunks(png, PNG_HANDLE_CHUNK_NEVER, NULL, 0);
    png_set_keep_unknown_chunks(png, PNG_HANDLE_CHUNK_NEVER, skipped_chunks, (int)(sizeof skipped_chunks / 5));
    // The caller has checked the number of pixels. libpng's default limit of a million pixels per side would reject
    // long strips.
    png_set_user_limits(png, PNG_UINT_31_MAX, PNG_UINT_31_MAX);
    // No chunk is cached, because unknown chunks are skipped. The only chunks that libpng reads completely are
    // palettes.
    png_set_chunk_cache_max(png, 1);
    png_set_chunk_malloc_max(png, 64 << 20);
}

static CodecStatus lacking(PNGReader *reader) {
    if (reader->base.input.whole) {
        codec_fail(&reader->base, CodecStatusTruncated, "the file ends inside a chunk");
    }
    return CodecStatusStarved;
}

// The maximum number of parts without rows in one call. A small part takes about 100 ns.
static const int parts_at_once = 4096;

static CodecStatus png_start(CodecReader *base, CodecLimits limits) {
    PNGReader *reader = (PNGReader *)base;
    reader->shows_parts = limits.shows_parts;
    if (!reader->png) create(reader);
    for (int part = 0; part < parts_at_once; part++) {
        if (reader->has_layout) return CodecStatusReady;
        if (!png_parts_read(reader)) return lacking(reader);
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
        if (!png_parts_read(reader)) return lacking(reader);
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
        if (png_parts_read(reader)) continue;
        reader->ends_early = base->input.whole;
        if (!base->input.whole || !png_parts_lost_end(reader)) return lacking(reader);
    }
    return CodecStatusMore;
}

static void png_close(CodecReader *base) {
    PNGReader *reader = (PNGReader *)base;
    png_destroy_read_struct(&reader->png, &reader->info, NULL);
    free(reader->kept);
    free(reader);
}

CodecReader *cellophane_png_reader(void) {
    static const CodecOperations operations = {
        .close = png_close, .start = png_start, .absorb = png_absorb, .read = png_read, .finish = png_finish};
    PNGReader *reader = calloc(1, sizeof *reader);
    if (!reader) return NULL;
    reader->base.operations = &operations;
    return &reader->base;
}
