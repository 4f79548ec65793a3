#include "codec_reader.h"

#include <png.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    CodecReader base;
    png_structp png;
    png_infop info;
    size_t offset;
} PNGReader;

static void on_error(png_structp png, png_const_charp message) {
    codec_fail(png_get_error_ptr(png), CodecStatusCorrupt, message);
}

static void on_warning(png_structp png, png_const_charp message) {
    (void)png;
    (void)message;
}

static void read_bytes(png_structp png, png_bytep destination, size_t count) {
    PNGReader *reader = png_get_io_ptr(png);
    if (count > reader->base.count - reader->offset) {
        codec_fail(&reader->base, CodecStatusTruncated, "the file ends inside a chunk");
    }
    memcpy(destination, reader->base.bytes + reader->offset, count);
    reader->offset += count;
}

// The ancillary chunks that pixels do not depend on: colour is not converted, text is not read. Skipping
// them means that none is ever decompressed or kept. eXIf is read on the Swift side.
static const png_byte skipped_chunks[] = "bKGD\0cHRM\0eXIf\0gAMA\0hIST\0iCCP\0iTXt\0oFFs\0pCAL\0pHYs\0"
                                         "sBIT\0sCAL\0sPLT\0sRGB\0sTER\0tEXt\0tIME\0zTXt";

static CodecStatus png_start(CodecReader *base, CodecLimits limits) {
    (void)limits;
    PNGReader *reader = (PNGReader *)base;
    reader->png = png_create_read_struct(PNG_LIBPNG_VER_STRING, base, on_error, on_warning);
    if (!reader->png) codec_fail(base, CodecStatusOutOfMemory, "no memory for libpng");
    reader->info = png_create_info_struct(reader->png);
    if (!reader->info) codec_fail(base, CodecStatusOutOfMemory, "no memory for libpng");
    png_structp png = reader->png;
    png_infop info = reader->info;
    png_set_read_fn(png, reader, read_bytes);
    png_set_crc_action(png, PNG_CRC_ERROR_QUIT, PNG_CRC_ERROR_QUIT);
    png_set_keep_unknown_chunks(png, PNG_HANDLE_CHUNK_NEVER, NULL, 0);
    png_set_keep_unknown_chunks(png, PNG_HANDLE_CHUNK_NEVER, skipped_chunks, (int)(sizeof skipped_chunks / 5));
    // The number of pixels is limited by the caller, before this; libpng's own limit of a million on each
    // side would refuse long strips.
    png_set_user_limits(png, PNG_UINT_31_MAX, PNG_UINT_31_MAX);
    // Nothing is cached (all unknown chunks are skipped), and a chunk that is read whole is a palette.
    png_set_chunk_cache_max(png, 1);
    png_set_chunk_malloc_max(png, 64 << 20);

    png_read_info(png, info);
    png_set_expand(png);
    png_set_strip_16(png);
    png_set_gray_to_rgb(png);
    png_set_add_alpha(png, 0xFF, PNG_FILLER_AFTER);
    int passes = png_set_interlace_handling(png);
    png_read_update_info(png, info);
    base->layout.width = png_get_image_width(png, info);
    base->layout.height = png_get_image_height(png, info);
    base->layout.passes = (uint32_t)passes;
    if (png_get_rowbytes(png, info) != (size_t)base->layout.width * 4) {
        codec_fail(base, CodecStatusUnsupported, "libpng does not deliver 4 bytes per pixel");
    }
    return CodecStatusReady;
}

static CodecStatus png_absorb(CodecReader *base) {
    (void)base;
    return CodecStatusReady;
}

static CodecStatus png_read(CodecReader *base, uint8_t *pixels, uint32_t rows) {
    PNGReader *reader = (PNGReader *)base;
    size_t stride = (size_t)base->layout.width * 4;
    for (uint32_t row = 0; row < rows; row++) {
        png_read_row(reader->png, pixels + row * stride, NULL);
    }
    return CodecStatusReady;
}

static CodecStatus png_finish(CodecReader *base) {
    png_read_end(((PNGReader *)base)->png, NULL);
    return CodecStatusReady;
}

static void png_close(CodecReader *base) {
    PNGReader *reader = (PNGReader *)base;
    png_destroy_read_struct(&reader->png, &reader->info, NULL);
    free(reader);
}

CodecReader *png_reader_new(void) {
    static const CodecOperations operations = {png_start, png_absorb, png_read, png_finish, png_close};
    PNGReader *reader = calloc(1, sizeof *reader);
    if (!reader) return NULL;
    reader->base.operations = &operations;
    return &reader->base;
}
