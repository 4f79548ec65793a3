#include "codec_writer.h"

#include <png.h>
#include <stdlib.h>
#include <zlib.h>

typedef struct {
    CodecWriter base;
    png_structp png;
    png_infop info;
    bool opaque;
    int level;
} PNGWriter;

// The number of pixels from which on speed matters more than size. 16 million: with zlib's default level and adaptive
// filters, incompressible data takes 0.25 s for each million pixels, so the largest image would take 25 s. Run-length
// encoding of filtered rows compresses about as well as zlib's fastest search (0.48 and 0.53 of two photographs
// against 0.50 and 0.54). On incompressible data it takes a third of the time.
static const uint64_t quick_from = 16 << 20;

static void on_error(png_structp png, png_const_charp message) {
    (void)message;
    codec_writer_fail(png_get_error_ptr(png), CodecStatusUnsupported);
}

static void on_warning(png_structp png, png_const_charp message) {
    (void)png;
    (void)message;
}

static void append_bytes(png_structp png, png_bytep bytes, size_t count) {
    codec_append(png_get_io_ptr(png), bytes, count);
}

static void flush_nothing(png_structp png) {
    (void)png;
}

static void start(CodecWriter *base) {
    PNGWriter *writer = (PNGWriter *)base;
    CodecPicture picture = base->picture;
    writer->png = png_create_write_struct(PNG_LIBPNG_VER_STRING, base, on_error, on_warning);
    if (!writer->png) codec_writer_fail(base, CodecStatusOutOfMemory);
    writer->info = png_create_info_struct(writer->png);
    if (!writer->info) codec_writer_fail(base, CodecStatusOutOfMemory);
    png_structp png = writer->png;
    png_set_user_limits(png, PNG_UINT_31_MAX, PNG_UINT_31_MAX);
    png_set_write_fn(png, base, append_bytes, flush_nothing);
    png_set_IHDR(png, writer->info, picture.width, picture.height, 8,
                 writer->opaque ? PNG_COLOR_TYPE_RGB : PNG_COLOR_TYPE_RGB_ALPHA, PNG_INTERLACE_NONE,
                 PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
    if (writer->level >= 0) {
        png_set_compression_level(png, writer->level);
    } else if ((uint64_t)picture.width * picture.height > quick_from) {
        png_set_compression_level(png, 1);
        png_set_compression_strategy(png, Z_RLE);
        png_set_filter(png, PNG_FILTER_TYPE_BASE, PNG_FILTER_SUB);
    }
    png_write_info(png, writer->info);
    if (writer->opaque) png_set_filler(png, 0, PNG_FILLER_AFTER);
}

static void write_rows(CodecWriter *base, const uint8_t *pixels, uint32_t rows) {
    for (uint32_t row = 0; row < rows; row++) {
        png_write_row(((PNGWriter *)base)->png, pixels + (size_t)row * base->picture.width * 4);
    }
}

static void finish(CodecWriter *base) {
    png_write_end(((PNGWriter *)base)->png, NULL);
}

static void close_writer(CodecWriter *base) {
    PNGWriter *writer = (PNGWriter *)base;
    png_destroy_write_struct(&writer->png, &writer->info);
    free(writer);
}

CodecWriter *cellophane_png_writer(CodecPicture picture, bool opaque, int level) {
    static const CodecWriting operations = {close_writer, start, write_rows, finish};
    PNGWriter *writer = calloc(1, sizeof *writer);
    if (!writer) return NULL;
    writer->base.operations = &operations;
    writer->base.picture = picture;
    writer->opaque = opaque;
    writer->level = level;
    return &writer->base;
}
