#include "codec_reader.h"

#include <stdio.h>
#include <stdlib.h>

#include <jpeglib.h>
#include <jerror.h>

#ifndef JCS_ALPHA_EXTENSIONS
#error "libjpeg-turbo is needed: this libjpeg cannot write RGBA"
#endif

typedef struct {
    CodecReader base;
    struct jpeg_decompress_struct jpeg;
    struct jpeg_error_mgr errors;
    struct jpeg_source_mgr source;
    uint32_t scans;
    bool output_started;
} JPEGReader;

static CodecStatus status_of_error(int code) {
    switch (code) {
    case JERR_INPUT_EOF:
    case JERR_INPUT_EMPTY: return CodecStatusTruncated;
    case JERR_OUT_OF_MEMORY: return CodecStatusOutOfMemory;
    case JERR_NO_BACKING_STORE:
    case JERR_IMAGE_TOO_BIG:
    case JERR_WIDTH_OVERFLOW: return CodecStatusTooLarge;
    case JERR_ARITH_NOTIMPL:
    case JERR_BAD_PRECISION:
    case JERR_CCIR601_NOTIMPL:
    case JERR_CONVERSION_NOTIMPL:
    case JERR_FRACT_SAMPLE_NOTIMPL:
    case JERR_NOT_COMPILED:
    case JERR_SOF_UNSUPPORTED: return CodecStatusUnsupported;
    default: return CodecStatusCorrupt;
    }
}

static _Noreturn void fail_with_message(j_common_ptr jpeg, CodecStatus status) {
    char message[JMSG_LENGTH_MAX];
    jpeg->err->format_message(jpeg, message);
    codec_fail(jpeg->client_data, status, message);
}

static void on_error(j_common_ptr jpeg) {
    fail_with_message(jpeg, status_of_error(jpeg->err->msg_code));
}

// libjpeg warns and goes on with grey or repeated blocks where data is missing. Such a picture is an error
// here; what is merely unusual (extra bytes between markers, odd versions) is not.
static void on_message(j_common_ptr jpeg, int level) {
    if (level >= 0) return;
    switch (jpeg->err->msg_code) {
    case JWRN_JPEG_EOF:
    case JWRN_HIT_MARKER: fail_with_message(jpeg, CodecStatusTruncated);
    case JWRN_HUFF_BAD_CODE:
    case JWRN_ARITH_BAD_CODE:
    case JWRN_MUST_RESYNC:
    case JWRN_NOT_SEQUENTIAL: fail_with_message(jpeg, CodecStatusCorrupt);
    default: return;
    }
}

static void source_nothing(j_decompress_ptr jpeg) {
    (void)jpeg;
}

static boolean source_fill(j_decompress_ptr jpeg) {
    codec_fail(jpeg->client_data, CodecStatusTruncated, "the file ends before its end marker");
}

static void source_skip(j_decompress_ptr jpeg, long count) {
    if (count <= 0) return;
    if ((size_t)count > jpeg->src->bytes_in_buffer) source_fill(jpeg);
    jpeg->src->next_input_byte += count;
    jpeg->src->bytes_in_buffer -= (size_t)count;
}

static void rebase_source(JPEGReader *reader) {
    reader->source.next_input_byte = reader->base.bytes + (reader->base.count - reader->source.bytes_in_buffer);
}

static CodecStatus jpeg_start(CodecReader *base, CodecLimits limits) {
    JPEGReader *reader = (JPEGReader *)base;
    j_decompress_ptr jpeg = &reader->jpeg;
    jpeg->err = jpeg_std_error(&reader->errors);
    reader->errors.error_exit = on_error;
    reader->errors.emit_message = on_message;
    jpeg->client_data = base;
    jpeg_create_decompress(jpeg);
    jpeg->mem->max_memory_to_use = (long)limits.memory;
    reader->scans = limits.scans;
    reader->source.init_source = source_nothing;
    reader->source.fill_input_buffer = source_fill;
    reader->source.skip_input_data = source_skip;
    reader->source.resync_to_restart = jpeg_resync_to_restart;
    reader->source.term_source = source_nothing;
    reader->source.bytes_in_buffer = base->count;
    jpeg->src = &reader->source;
    rebase_source(reader);

    jpeg_read_header(jpeg, TRUE);
    switch (jpeg->jpeg_color_space) {
    case JCS_GRAYSCALE:
    case JCS_RGB:
    case JCS_YCbCr: jpeg->out_color_space = JCS_EXT_RGBA; break;
    case JCS_CMYK:
    case JCS_YCCK: jpeg->out_color_space = JCS_CMYK; break;
    default: codec_fail(base, CodecStatusUnsupported, "its number of colour components is not 1, 3 or 4");
    }
    jpeg->scale_num = 1;
    jpeg->scale_denom = limits.denominator;
    // With buffered_image the scans are read one by one in `absorb`, where they can be counted and the
    // caller can stop; a single scan is decoded row by row without keeping coefficients.
    jpeg->buffered_image = jpeg_has_multiple_scans(jpeg);
    jpeg_start_decompress(jpeg);
    if (jpeg->output_components != 4) {
        codec_fail(base, CodecStatusUnsupported, "libjpeg does not deliver 4 bytes per pixel");
    }
    base->layout.width = jpeg->output_width;
    base->layout.height = jpeg->output_height;
    base->layout.passes = 1;
    return CodecStatusReady;
}

static CodecStatus jpeg_absorb(CodecReader *base) {
    JPEGReader *reader = (JPEGReader *)base;
    j_decompress_ptr jpeg = &reader->jpeg;
    if (!jpeg->buffered_image || reader->output_started) return CodecStatusReady;
    rebase_source(reader);
    // 16 rows of blocks of a picture 4 000 wide are about 5 ms: soon enough for a caller that gives up.
    for (int row = 0; row < 16; row++) {
        if (jpeg_consume_input(jpeg) == JPEG_REACHED_EOI) {
            jpeg_start_output(jpeg, jpeg->input_scan_number);
            reader->output_started = true;
            return CodecStatusReady;
        }
        if ((uint32_t)jpeg->input_scan_number > reader->scans) {
            codec_fail(base, CodecStatusTooLarge, "more scans than allowed");
        }
    }
    return CodecStatusMore;
}

// Red is what cyan lets through of what black lets through, and so on. Every known writer stores the
// complement of the ink, as Adobe began, with or without Adobe's marker; other readers assume so too.
static void convert_cmyk(uint8_t *pixels, size_t count) {
    for (uint8_t *pixel = pixels; pixel < pixels + count * 4; pixel += 4) {
        uint32_t black = pixel[3];
        for (int channel = 0; channel < 3; channel++) {
            pixel[channel] = (uint8_t)((pixel[channel] * black + 127) / 255);
        }
        pixel[3] = 255;
    }
}

static CodecStatus jpeg_read(CodecReader *base, uint8_t *pixels, uint32_t rows) {
    JPEGReader *reader = (JPEGReader *)base;
    j_decompress_ptr jpeg = &reader->jpeg;
    rebase_source(reader);
    size_t stride = (size_t)base->layout.width * 4;
    for (uint32_t row = 0; row < rows; row++) {
        JSAMPROW destination = pixels + row * stride;
        if (jpeg_read_scanlines(jpeg, &destination, 1) != 1) {
            codec_fail(base, CodecStatusCorrupt, "libjpeg delivers no more rows");
        }
        if (jpeg->out_color_space == JCS_CMYK) {
            convert_cmyk(destination, base->layout.width);
        }
    }
    return CodecStatusReady;
}

static CodecStatus jpeg_finish(CodecReader *base) {
    JPEGReader *reader = (JPEGReader *)base;
    rebase_source(reader);
    if (reader->jpeg.buffered_image) jpeg_finish_output(&reader->jpeg);
    jpeg_finish_decompress(&reader->jpeg);
    return CodecStatusReady;
}

static void jpeg_close(CodecReader *base) {
    JPEGReader *reader = (JPEGReader *)base;
    jpeg_destroy_decompress(&reader->jpeg);
    free(reader);
}

CodecReader *jpeg_reader_new(void) {
    static const CodecOperations operations = {jpeg_start, jpeg_absorb, jpeg_read, jpeg_finish, jpeg_close};
    JPEGReader *reader = calloc(1, sizeof *reader);
    if (!reader) return NULL;
    reader->base.operations = &operations;
    return &reader->base;
}
