#include "CImageCodecs.h"
#include "byte_buffer.h"

#include <png.h>
#include <setjmp.h>
#include <stdlib.h>

typedef struct {
    png_structp png;
    png_infop info;
    ByteBuffer file;
    CodecStatus status;
    jmp_buf escape;
} PNGWriter;

// Pixels from which on speed comes before size. 16 million: with zlib's usual level and the choice of a filter for
// each row every million takes 0.25 s where there is nothing to compress, so that the largest would take 25 s.
static const uint64_t quick_from = 16 << 20;

static _Noreturn void fail(PNGWriter *writer, CodecStatus status) {
    writer->status = status;
    longjmp(writer->escape, 1);
}

static void on_error(png_structp png, png_const_charp message) {
    (void)message;
    fail(png_get_error_ptr(png), CodecStatusUnsupported);
}

static void on_warning(png_structp png, png_const_charp message) {
    (void)png;
    (void)message;
}

static void append_bytes(png_structp png, png_bytep bytes, size_t count) {
    PNGWriter *writer = png_get_io_ptr(png);
    if (!byte_buffer_append(&writer->file, bytes, count)) fail(writer, CodecStatusOutOfMemory);
}

static void flush_nothing(png_structp png) {
    (void)png;
}

// `writer` lives in the caller's frame, so that what is written to it after setjmp is still defined after a
// longjmp.
static void write_picture(PNGWriter *writer, const uint8_t *pixels, uint32_t width, uint32_t height, bool opaque) {
    if (setjmp(writer->escape)) return;
    writer->png = png_create_write_struct(PNG_LIBPNG_VER_STRING, writer, on_error, on_warning);
    if (!writer->png) fail(writer, CodecStatusOutOfMemory);
    writer->info = png_create_info_struct(writer->png);
    if (!writer->info) fail(writer, CodecStatusOutOfMemory);
    png_structp png = writer->png;
    png_set_user_limits(png, PNG_UINT_31_MAX, PNG_UINT_31_MAX);
    png_set_write_fn(png, writer, append_bytes, flush_nothing);
    png_set_IHDR(png, writer->info, width, height, 8, opaque ? PNG_COLOR_TYPE_RGB : PNG_COLOR_TYPE_RGB_ALPHA,
                 PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
    if ((uint64_t)width * height > quick_from) {
        png_set_compression_level(png, 1);
        png_set_filter(png, PNG_FILTER_TYPE_BASE, PNG_FILTER_SUB);
    }
    png_write_info(png, writer->info);
    if (opaque) png_set_filler(png, 0, PNG_FILLER_AFTER);
    for (uint32_t row = 0; row < height; row++) {
        png_write_row(png, pixels + (size_t)row * width * 4);
    }
    png_write_end(png, NULL);
}

CodecOutput cellophane_png_encode(const uint8_t *pixels, uint32_t width, uint32_t height, bool opaque) {
    PNGWriter writer = {0};
    write_picture(&writer, pixels, width, height, opaque);
    png_destroy_write_struct(&writer.png, &writer.info);
    return (CodecOutput){writer.status, writer.file.count, writer.file.first, writer.file.last};
}

void cellophane_output_take(CodecOutput output, uint8_t *destination) {
    ByteBuffer file = {output.first_block, output.last_block, output.count};
    byte_buffer_empty(&file, destination);
}
