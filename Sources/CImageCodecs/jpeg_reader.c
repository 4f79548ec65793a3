#include "codec_reader.h"
#include "jpeg_source.h"

#include <stdlib.h>
#include <string.h>

#include <jerror.h>

#ifndef JCS_ALPHA_EXTENSIONS
#error "libjpeg-turbo is needed: this libjpeg cannot write RGBA"
#endif

typedef struct {
    CodecReader base;
    struct jpeg_decompress_struct jpeg;
    struct jpeg_error_mgr errors;
    JPEGSource source;
    uint32_t most_scans;
    bool created;
    /// libjpeg reads entropy-coded data, not markers.
    bool in_scan;
    /// All scans were read, and rows can be delivered.
    bool absorbed;
    /// The rows were delivered.
    bool delivered;
    /// A picture of the scans so far is being delivered.
    bool showing;
    /// What the frame header said. libjpeg overwrites it when another one comes, before it refuses that.
    struct {
        JDIMENSION width, height;
        int components, precision;
        boolean progressive, arithmetic;
    } frame;
    /// Arithmetic coding: up to where the end of the running scan was looked for.
    size_t searched;
    /// Room for a row that libjpeg must not write in place.
    uint8_t *row;
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
    // What libjpeg stumbles over behind the end of the file is that it ended.
    if (((JPEGReader *)jpeg->client_data)->source.ended) status = CodecStatusTruncated;
    char message[JMSG_LENGTH_MAX];
    jpeg->err->format_message(jpeg, message);
    codec_fail(jpeg->client_data, status, message);
}

static void on_error(j_common_ptr jpeg) {
    fail_with_message(jpeg, status_of_error(jpeg->err->msg_code));
}

// Whether a code that is in no table is an error. libjpeg takes such a code for zero and warns, but where the
// scan has neither restart markers nor refinements it does not notice it in its fast way, as long as no marker is in
// sight; so it is no error before. While the file arrives more codes are noticed, and nobody knows what its last
// bytes are: all are passed over then, to be looked at again.
static bool is_error_of_code(JPEGReader *reader) {
    const struct jpeg_decompress_struct *jpeg = &reader->jpeg;
    if (jpeg->progressive_mode || jpeg->restart_interval > 0 || reader->source.ended) return true;
    if (!reader->base.at_once) {
        reader->base.doubted = true;
        return false;
    }
    if (jpeg->unread_marker != 0) return true;
    CodecInput input = reader->base.input;
    size_t left = input.count - (size_t)(reader->source.manager.next_input_byte - input.bytes);
    return !jpeg_source_may_be_fast(jpeg, left);
}

// libjpeg warns and goes on with grey or repeated blocks where data is missing. Such a picture is an error
// here; what is merely unusual (extra bytes between markers, odd versions) is not.
static void on_message(j_common_ptr jpeg, int level) {
    if (level >= 0) return;
    switch (jpeg->err->msg_code) {
    case JWRN_JPEG_EOF:
    case JWRN_HIT_MARKER: fail_with_message(jpeg, CodecStatusTruncated);
    case JWRN_HUFF_BAD_CODE:
        if (!is_error_of_code((JPEGReader *)jpeg->client_data)) return;
        fail_with_message(jpeg, CodecStatusCorrupt);
    case JWRN_ARITH_BAD_CODE:
    case JWRN_MUST_RESYNC:
    case JWRN_NOT_SEQUENTIAL: fail_with_message(jpeg, CodecStatusCorrupt);
    default: return;
    }
}

// Doubts a file with FF FF 00 in its data. libjpeg takes that for FF 00, but its fast way for a marker first; it
// reports nothing. The three bytes are always consumed together.
static void look_for_filled_data(JPEGReader *reader) {
    CodecReader *base = &reader->base;
    if (base->at_once || base->doubted || reader->source.ended) return;
    const uint8_t *byte = base->input.bytes + reader->source.offset;
    const uint8_t *end = reader->source.manager.next_input_byte;
    while (end - byte >= 3 && (byte = memchr(byte, 0xFF, (size_t)(end - byte) - 2))) {
        if (byte[1] == 0xFF && byte[2] == 0) {
            base->doubted = true;
            return;
        }
        byte++;
    }
}

static CodecStatus suspended(JPEGReader *reader) {
    look_for_filled_data(reader);
    return jpeg_source_close(&reader->jpeg, &reader->source);
}

static _Noreturn void fail_ended(JPEGReader *reader) {
    codec_fail(&reader->base, CodecStatusTruncated, "the file ends before its end marker");
}

static void create(JPEGReader *reader, CodecLimits limits) {
    j_decompress_ptr jpeg = &reader->jpeg;
    jpeg->err = jpeg_std_error(&reader->errors);
    reader->errors.error_exit = on_error;
    reader->errors.emit_message = on_message;
    jpeg->client_data = &reader->base;
    jpeg_create_decompress(jpeg);
    reader->created = true;
    jpeg->mem->max_memory_to_use = (long)limits.memory;
    reader->most_scans = limits.scans;
    reader->base.at_once = reader->base.input.whole;
    jpeg_source_attach(jpeg, &reader->source);
}

static void save_frame(JPEGReader *reader) {
    const struct jpeg_decompress_struct *jpeg = &reader->jpeg;
    reader->frame.width = jpeg->image_width;
    reader->frame.height = jpeg->image_height;
    reader->frame.components = jpeg->num_components;
    reader->frame.precision = jpeg->data_precision;
    reader->frame.progressive = jpeg->progressive_mode;
    reader->frame.arithmetic = jpeg->arith_code;
}

static void restore_frame(JPEGReader *reader) {
    j_decompress_ptr jpeg = &reader->jpeg;
    jpeg->image_width = reader->frame.width;
    jpeg->image_height = reader->frame.height;
    jpeg->num_components = reader->frame.components;
    jpeg->data_precision = reader->frame.precision;
    jpeg->progressive_mode = reader->frame.progressive;
    jpeg->arith_code = reader->frame.arithmetic;
}

static CodecStatus jpeg_start(CodecReader *base, CodecLimits limits) {
    JPEGReader *reader = (JPEGReader *)base;
    j_decompress_ptr jpeg = &reader->jpeg;
    if (!reader->created) create(reader, limits);
    jpeg_source_open(jpeg, &reader->source);
    if (jpeg_read_header(jpeg, TRUE) == JPEG_SUSPENDED) return jpeg_source_close(jpeg, &reader->source);
    if (reader->source.ended) fail_ended(reader);
    save_frame(reader);
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
    // Reads nothing in either mode, so that it is never suspended.
    jpeg_start_decompress(jpeg);
    if (jpeg->output_components != 4) {
        codec_fail(base, CodecStatusUnsupported, "libjpeg does not deliver 4 bytes per pixel");
    }
    jpeg_source_close(jpeg, &reader->source);
    reader->in_scan = true;
    reader->searched = reader->source.offset;
    base->layout.width = jpeg->output_width;
    base->layout.height = jpeg->output_height;
    base->layout.scanned = jpeg->buffered_image;
    return CodecStatusReady;
}

// True when libjpeg may read on: always with Huffman coding; with arithmetic coding, which cannot be suspended,
// when the running scan is there up to the marker behind it.
static bool can_decode(JPEGReader *reader) {
    CodecInput input = reader->base.input;
    if (!reader->jpeg.arith_code || !reader->in_scan || input.whole) return true;
    for (size_t at = reader->searched; at + 1 < input.count; at++) {
        uint8_t code = input.bytes[at + 1];
        // 0 is stuffed behind an FF of the data; D0...D7 are restart markers.
        if (input.bytes[at] == 0xFF && code != 0 && code != 0xFF && (code & 0xF8) != JPEG_RST0) return true;
        reader->searched = at + 1;
    }
    return false;
}

static void end_showing(JPEGReader *reader) {
    if (!reader->showing) return;
    reader->showing = false;
    // Without a scan to wait for, libjpeg ends the output without reading on.
    reader->jpeg.output_scan_number = 0;
    jpeg_finish_output(&reader->jpeg);
}

static CodecStatus jpeg_absorb(CodecReader *base) {
    JPEGReader *reader = (JPEGReader *)base;
    j_decompress_ptr jpeg = &reader->jpeg;
    if (!jpeg->buffered_image || reader->absorbed) return CodecStatusReady;
    end_showing(reader);
    jpeg_source_open(jpeg, &reader->source);
    // 16 rows of blocks of a picture 4 000 wide are about 5 ms: soon enough for a caller that gives up.
    for (int row = 0; row < 16; row++) {
        if (!can_decode(reader)) {
            suspended(reader);
            return CodecStatusStarved;
        }
        switch (jpeg_consume_input(jpeg)) {
        case JPEG_SUSPENDED: return suspended(reader);
        case JPEG_REACHED_SOS:
            if ((uint32_t)jpeg->input_scan_number > reader->most_scans) {
                codec_fail(base, CodecStatusTooLarge, "more scans than allowed");
            }
            reader->in_scan = true;
            reader->searched = (size_t)(reader->source.manager.next_input_byte - base->input.bytes);
            break;
        case JPEG_SCAN_COMPLETED:
            reader->in_scan = false;
            base->scans = (uint32_t)jpeg->input_scan_number;
            break;
        case JPEG_REACHED_EOI:
            if (reader->source.ended) fail_ended(reader);
            jpeg_start_output(jpeg, jpeg->input_scan_number);
            reader->absorbed = true;
            suspended(reader);
            return CodecStatusReady;
        default: break;
        }
    }
    suspended(reader);
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

// Rows that one call delivers: one row of units with halved colours.
static const uint32_t rows_at_once = 16;

// libjpeg-turbo writes rows that begin at a multiple of 32 bytes past the caches, which makes small pictures that
// are reduced twice as slow: who takes a few rows reads them at once.
static uint8_t *cached_row(JPEGReader *reader, uint8_t *destination) {
    if ((uintptr_t)destination % 32 != 0) return destination;
    if (!reader->row) {
        size_t stride = (size_t)reader->base.layout.width * 4;
        j_common_ptr jpeg = (j_common_ptr)&reader->jpeg;
        uint8_t *room = jpeg->mem->alloc_large(jpeg, JPOOL_PERMANENT, stride + 32);
        reader->row = room + ((uintptr_t)room % 32 == 0 ? 16 : 0);
    }
    return reader->row;
}

// True when all `rows`, or as many as one call delivers, were delivered; false when libjpeg is suspended.
static bool deliver(JPEGReader *reader, uint8_t *pixels, uint32_t rows) {
    CodecReader *base = &reader->base;
    size_t stride = (size_t)base->layout.width * 4;
    bool has_inks = reader->jpeg.out_color_space == JCS_CMYK;
    bool few = rows <= rows_at_once;
    if (!few) rows = rows_at_once;
    while (base->rows < rows) {
        uint8_t *destination = pixels + base->rows * stride;
        JSAMPROW row = few ? cached_row(reader, destination) : destination;
        if (jpeg_read_scanlines(&reader->jpeg, &row, 1) != 1) return false;
        if (row != destination) memcpy(destination, row, stride);
        if (has_inks && !base->keeps_inks) convert_cmyk(destination, base->layout.width);
        base->rows++;
    }
    return true;
}

static CodecStatus jpeg_read(CodecReader *base, uint8_t *pixels, uint32_t rows) {
    JPEGReader *reader = (JPEGReader *)base;
    if (!can_decode(reader)) return CodecStatusStarved;
    jpeg_source_open(&reader->jpeg, &reader->source);
    bool delivered = deliver(reader, pixels, rows);
    CodecStatus status = suspended(reader);
    if (!delivered) return status;
    return base->rows == rows ? CodecStatusReady : CodecStatusMore;
}

static CodecStatus jpeg_finish(CodecReader *base) {
    JPEGReader *reader = (JPEGReader *)base;
    reader->in_scan = false;
    jpeg_source_open(&reader->jpeg, &reader->source);
    if (reader->absorbed && !reader->delivered) {
        reader->delivered = true;
        jpeg_finish_output(&reader->jpeg);
    }
    if (!jpeg_finish_decompress(&reader->jpeg)) return suspended(reader);
    if (reader->source.ended) fail_ended(reader);
    return CodecStatusReady;
}

static uint32_t jpeg_showable(const CodecReader *base) {
    const JPEGReader *reader = (const JPEGReader *)base;
    const struct jpeg_decompress_struct *jpeg = &reader->jpeg;
    if (!base->layout.scanned || reader->absorbed) return 0;
    if (base->scans > 0) return base->layout.height;
    // Within the first scan. Smoothing looks two rows of units ahead, upsampling one row of samples.
    uint32_t ahead = reader->frame.progressive ? 2 : 0;
    uint32_t units = jpeg->input_iMCU_row > ahead ? jpeg->input_iMCU_row - ahead : 0;
    uint32_t samples = units * (8 / jpeg->scale_denom);
    uint32_t rows = (samples > 0 ? samples - 1 : 0) * (uint32_t)jpeg->max_v_samp_factor;
    return rows < base->layout.height ? rows : base->layout.height;
}

static CodecStatus jpeg_show(CodecReader *base) {
    JPEGReader *reader = (JPEGReader *)base;
    restore_frame(reader);
    end_showing(reader);
    jpeg_start_output(&reader->jpeg, base->scans > 0 ? (int)base->scans : 1);
    // libjpeg would read on, and wait for the scan that it shows; what is shown is what there is.
    reader->jpeg.output_scan_number = 0;
    reader->showing = true;
    return CodecStatusReady;
}

static CodecStatus jpeg_read_shown(CodecReader *base, uint8_t *pixels, uint32_t rows) {
    JPEGReader *reader = (JPEGReader *)base;
    if (!reader->showing || !deliver(reader, pixels, rows)) {
        codec_fail(base, CodecStatusCorrupt, "libjpeg delivers no more rows");
    }
    return base->rows == rows ? CodecStatusReady : CodecStatusMore;
}

static void jpeg_close(CodecReader *base) {
    JPEGReader *reader = (JPEGReader *)base;
    jpeg_destroy_decompress(&reader->jpeg);
    free(reader);
}

CodecReader *jpeg_reader_new(void) {
    static const CodecOperations operations = {.close = jpeg_close,
                                               .start = jpeg_start,
                                               .absorb = jpeg_absorb,
                                               .read = jpeg_read,
                                               .finish = jpeg_finish,
                                               .showable = jpeg_showable,
                                               .show = jpeg_show,
                                               .read_shown = jpeg_read_shown};
    JPEGReader *reader = calloc(1, sizeof *reader);
    if (!reader) return NULL;
    reader->base.operations = &operations;
    return &reader->base;
}
