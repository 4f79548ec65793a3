#include "jpeg_reader.h"

#include <stdlib.h>
#include <string.h>

#ifndef JCS_ALPHA_EXTENSIONS
#error "libjpeg-turbo is needed: this libjpeg cannot write RGBA"
#endif

static CodecStatus suspended(JPEGReader *reader) {
    jpeg_integrity_look_for_filled_data(reader);
    return jpeg_source_close(&reader->jpeg, &reader->source);
}

static void create(JPEGReader *reader, CodecLimits limits) {
    j_decompress_ptr jpeg = &reader->jpeg;
    jpeg_integrity_attach(reader);
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
    if (reader->source.ended) jpeg_integrity_fail_ended(reader);
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
    // With buffered_image, `absorb` reads one scan after another, so it can count them and the caller can stop. A
    // single scan is decoded row by row without storing coefficients.
    jpeg->buffered_image = jpeg_has_multiple_scans(jpeg);
    // Reads no input in either mode, so it is never suspended.
    jpeg_start_decompress(jpeg);
    if (jpeg->output_components != 4) {
        codec_fail(base, CodecStatusUnsupported, "libjpeg does not deliver 4 bytes per pixel");
    }
    jpeg_source_close(jpeg, &reader->source);
    reader->in_scan = true;
    jpeg_integrity_note_components(reader);
    reader->searched = reader->source.offset;
    base->layout.width = jpeg->output_width;
    base->layout.height = jpeg->output_height;
    base->layout.scanned = jpeg->buffered_image;
    return CodecStatusReady;
}

// Returns true if libjpeg may continue: always with Huffman coding. The arithmetic decoder cannot be suspended, so
// the current scan must be present up to the marker after it.
static bool can_decode(JPEGReader *reader) {
    CodecInput input = reader->base.input;
    if (!reader->jpeg.arith_code || !reader->in_scan || input.whole) return true;
    for (size_t at = reader->searched; at + 1 < input.count; at++) {
        uint8_t code = input.bytes[at + 1];
        // 00 is stuffed after an FF in the data; D0...D7 are restart markers.
        if (input.bytes[at] == 0xFF && code != 0 && code != 0xFF && (code & 0xF8) != JPEG_RST0) return true;
        reader->searched = at + 1;
    }
    return false;
}

static void end_showing(JPEGReader *reader) {
    if (!reader->showing) return;
    reader->showing = false;
    // With no scan to wait for, libjpeg ends the output without reading more input.
    reader->jpeg.output_scan_number = 0;
    jpeg_finish_output(&reader->jpeg);
}

static CodecStatus jpeg_absorb(CodecReader *base) {
    JPEGReader *reader = (JPEGReader *)base;
    j_decompress_ptr jpeg = &reader->jpeg;
    if (!jpeg->buffered_image || reader->absorbed) return CodecStatusReady;
    end_showing(reader);
    jpeg_source_open(jpeg, &reader->source);
    // 16 rows of blocks of an image 4 000 pixels wide take about 5 ms, so a cancellation is noticed soon.
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
            jpeg_integrity_note_components(reader);
            reader->searched = (size_t)(reader->source.manager.next_input_byte - base->input.bytes);
            break;
        case JPEG_SCAN_COMPLETED:
            reader->in_scan = false;
            base->scans = (uint32_t)jpeg->input_scan_number;
            break;
        case JPEG_REACHED_EOI:
            jpeg_integrity_check_end(reader);
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

// Converts inks to red, green and blue: red is the product of the light that cyan and black transmit, and so on. All
// known writers store the complements of the inks, as Adobe does, with or without Adobe's marker. Other readers
// assume the same.
static void convert_cmyk(uint8_t *pixels, size_t count) {
    for (uint8_t *pixel = pixels; pixel < pixels + count * 4; pixel += 4) {
        uint32_t black = pixel[3];
        for (int channel = 0; channel < 3; channel++) {
            pixel[channel] = (uint8_t)((pixel[channel] * black + 127) / 255);
        }
        pixel[3] = 255;
    }
}

// The rows delivered by one call: one row of MCUs with subsampled color.
static const uint32_t rows_at_once = 16;

// Returns the buffer for a row. libjpeg-turbo writes rows whose address is a multiple of 32 with non-temporal stores,
// which bypass the processor's caches. A caller that takes few rows reads them immediately: small images that are
// reduced would take twice as long.
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

// Delivers `rows` rows, or the maximum of one call. Returns false if libjpeg is suspended.
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
    // With several scans, `absorb` has reached and checked the end. libjpeg has freed `coef_bits` by now.
    if (!reader->absorbed) jpeg_integrity_check_end(reader);
    return CodecStatusReady;
}

static uint32_t jpeg_showable(const CodecReader *base) {
    const JPEGReader *reader = (const JPEGReader *)base;
    const struct jpeg_decompress_struct *jpeg = &reader->jpeg;
    if (!base->layout.scanned || reader->absorbed) return 0;
    if (base->scans > 0) return base->layout.height;
    // Within the first scan: smoothing needs two more rows of MCUs, upsampling one more row of samples.
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
    // Without this, libjpeg would read on and wait for the end of the shown scan.
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

CodecReader *cellophane_jpeg_reader(void) {
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
