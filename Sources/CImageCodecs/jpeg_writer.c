#include "codec_writer.h"

#include <stdio.h>
#include <stdlib.h>

#include <jpeglib.h>
#include <jerror.h>

typedef struct {
    CodecWriter base;
    struct jpeg_compress_struct jpeg;
    CodecJPEGSettings settings;
    struct jpeg_error_mgr errors;
    struct jpeg_destination_mgr destination;
    uint8_t *row;
    uint8_t pending[16 << 10];
} JPEGWriter;

static void on_error(j_common_ptr jpeg) {
    switch (jpeg->err->msg_code) {
    case JERR_OUT_OF_MEMORY: codec_writer_fail(jpeg->client_data, CodecStatusOutOfMemory);
    case JERR_IMAGE_TOO_BIG: codec_writer_fail(jpeg->client_data, CodecStatusTooLarge);
    default: codec_writer_fail(jpeg->client_data, CodecStatusUnsupported);
    }
}

static void start_pending(j_compress_ptr jpeg) {
    JPEGWriter *writer = jpeg->client_data;
    writer->destination.next_output_byte = writer->pending;
    writer->destination.free_in_buffer = sizeof writer->pending;
}

static boolean append_pending(j_compress_ptr jpeg) {
    JPEGWriter *writer = jpeg->client_data;
    codec_append(&writer->base, writer->pending, sizeof writer->pending); // free_in_buffer is not updated here
    start_pending(jpeg);
    return TRUE;
}

static void append_last(j_compress_ptr jpeg) {
    JPEGWriter *writer = jpeg->client_data;
    codec_append(&writer->base, writer->pending, sizeof writer->pending - writer->destination.free_in_buffer);
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

static void start(CodecWriter *base) {
    JPEGWriter *writer = (JPEGWriter *)base;
    j_compress_ptr jpeg = &writer->jpeg;
    jpeg->err = jpeg_std_error(&writer->errors);
    writer->errors.error_exit = on_error;
    writer->errors.emit_message = on_message;
    jpeg->client_data = writer;
    jpeg_create_compress(jpeg);
    writer->destination.init_destination = start_pending;
    writer->destination.empty_output_buffer = append_pending;
    writer->destination.term_destination = append_last;
    jpeg->dest = &writer->destination;
    jpeg->image_width = base->picture.width;
    jpeg->image_height = base->picture.height;
    jpeg->input_components = 3;
    jpeg->in_color_space = JCS_RGB;
    jpeg_set_defaults(jpeg);
    jpeg_set_quality(jpeg, writer->settings.quality, TRUE);
    // The first component is the luma.
    jpeg->comp_info[0].h_samp_factor = writer->settings.columns;
    jpeg->comp_info[0].v_samp_factor = writer->settings.rows;
    if (writer->settings.progressive) jpeg_simple_progression(jpeg);
    jpeg_start_compress(jpeg, TRUE);
    writer->row = malloc((size_t)base->picture.width * 3);
    if (!writer->row) codec_writer_fail(base, CodecStatusOutOfMemory);
}

static void write_rows(CodecWriter *base, const uint8_t *pixels, uint32_t rows) {
    JPEGWriter *writer = (JPEGWriter *)base;
    for (uint32_t y = 0; y < rows; y++) {
        put_over_white(writer->row, pixels + (size_t)y * base->picture.width * 4, base->picture.width);
        JSAMPROW row = writer->row;
        jpeg_write_scanlines(&writer->jpeg, &row, 1);
    }
}

static void finish(CodecWriter *base) {
    jpeg_finish_compress(&((JPEGWriter *)base)->jpeg);
}

static void close_writer(CodecWriter *base) {
    JPEGWriter *writer = (JPEGWriter *)base;
    jpeg_destroy_compress(&writer->jpeg);
    free(writer->row);
    free(writer);
}

CodecWriter *cellophane_jpeg_writer(CodecPicture picture, CodecJPEGSettings settings) {
    static const CodecWriting operations = {close_writer, start, write_rows, finish};
    JPEGWriter *writer = calloc(1, sizeof *writer);
    if (!writer) return NULL;
    writer->base.operations = &operations;
    writer->base.picture = picture;
    writer->settings = settings;
    return &writer->base;
}
