#include "CImageCodecs.h"
#include "byte_buffer.h"

#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>

#include <jpeglib.h>
#include <jerror.h>

typedef struct {
    struct jpeg_compress_struct jpeg;
    struct jpeg_error_mgr errors;
    struct jpeg_destination_mgr destination;
    ByteBuffer file;
    CodecStatus status;
    uint8_t *row;
    uint8_t pending[16 << 10];
    jmp_buf escape;
} JPEGWriter;

static void on_error(j_common_ptr jpeg) {
    JPEGWriter *writer = jpeg->client_data;
    switch (jpeg->err->msg_code) {
    case JERR_OUT_OF_MEMORY: writer->status = CodecStatusOutOfMemory; break;
    case JERR_IMAGE_TOO_BIG: writer->status = CodecStatusTooLarge; break;
    default: writer->status = CodecStatusUnsupported;
    }
    longjmp(writer->escape, 1);
}

static void start_pending(j_compress_ptr jpeg) {
    JPEGWriter *writer = jpeg->client_data;
    writer->destination.next_output_byte = writer->pending;
    writer->destination.free_in_buffer = sizeof writer->pending;
}

static void append_bytes(JPEGWriter *writer, size_t count) {
    if (!byte_buffer_append(&writer->file, writer->pending, count)) {
        ERREXIT1(&writer->jpeg, JERR_OUT_OF_MEMORY, 0);
    }
}

static boolean append_pending(j_compress_ptr jpeg) {
    JPEGWriter *writer = jpeg->client_data;
    append_bytes(writer, sizeof writer->pending); // free_in_buffer is not kept up to date here
    start_pending(jpeg);
    return TRUE;
}

static void append_last(j_compress_ptr jpeg) {
    JPEGWriter *writer = jpeg->client_data;
    append_bytes(writer, sizeof writer->pending - writer->destination.free_in_buffer);
}

static void on_message(j_common_ptr jpeg, int level) {
    (void)jpeg;
    (void)level;
}

static void put_over_white(uint8_t *destination, const uint8_t *source, uint32_t width) {
    for (uint32_t x = 0; x < width; x++, destination += 3, source += 4) {
        uint32_t alpha = source[3];
        for (int channel = 0; channel < 3; channel++) {
            destination[channel] = (uint8_t)((source[channel] * alpha + 255 * (255 - alpha) + 127) / 255);
        }
    }
}

// `writer` lives in the caller's frame, so that what is written to it after setjmp is still defined after a
// longjmp.
static void write_picture(JPEGWriter *writer, const uint8_t *pixels, uint32_t width, uint32_t height, int quality) {
    j_compress_ptr jpeg = &writer->jpeg;
    jpeg->err = jpeg_std_error(&writer->errors);
    writer->errors.error_exit = on_error;
    writer->errors.emit_message = on_message;
    jpeg->client_data = writer;
    if (setjmp(writer->escape)) return;
    jpeg_create_compress(jpeg);
    writer->destination.init_destination = start_pending;
    writer->destination.empty_output_buffer = append_pending;
    writer->destination.term_destination = append_last;
    jpeg->dest = &writer->destination;
    jpeg->image_width = width;
    jpeg->image_height = height;
    jpeg->input_components = 3;
    jpeg->in_color_space = JCS_RGB;
    jpeg_set_defaults(jpeg);
    jpeg_set_quality(jpeg, quality, TRUE);
    jpeg_start_compress(jpeg, TRUE);
    writer->row = malloc((size_t)width * 3);
    if (!writer->row) ERREXIT1(jpeg, JERR_OUT_OF_MEMORY, 0);
    for (uint32_t y = 0; y < height; y++) {
        put_over_white(writer->row, pixels + (size_t)y * width * 4, width);
        JSAMPROW row = writer->row;
        jpeg_write_scanlines(jpeg, &row, 1);
    }
    jpeg_finish_compress(jpeg);
}

CodecOutput cellophane_jpeg_encode(const uint8_t *pixels, uint32_t width, uint32_t height, int quality) {
    JPEGWriter writer = {0};
    write_picture(&writer, pixels, width, height, quality);
    jpeg_destroy_compress(&writer.jpeg);
    free(writer.row);
    return (CodecOutput){writer.status, writer.file.count, writer.file.first, writer.file.last};
}
