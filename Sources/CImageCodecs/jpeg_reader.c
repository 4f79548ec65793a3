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
    /// True while libjpeg reads entropy-coded data, not markers.
    bool in_scan;
    /// True if all scans are absorbed and rows can be delivered.
    bool absorbed;
    /// True if all rows are delivered.
    bool delivered;
    /// True while the scans absorbed so far are shown.
    bool showing;
    /// The components of the scans so far, as bits.
    uint32_t seen_components;
    /// The values of the frame header. libjpeg overwrites its copy with a second frame header before it rejects that.
    struct {
        JDIMENSION width, height;
        int components, precision;
        boolean progressive, arithmetic;
    } frame;
    /// Arithmetic coding: the offset up to which the end of the current scan was searched.
    size_t searched;
    /// A buffer for rows that libjpeg must not write in place.
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
    // After the end of the file, every error of libjpeg means that the file ended early.
    if (((JPEGReader *)jpeg->client_data)->source.ended) status = CodecStatusTruncated;
    char message[JMSG_LENGTH_MAX];
    jpeg->err->format_message(jpeg, message);
    codec_fail(jpeg->client_data, status, message);
}

static void on_error(j_common_ptr jpeg) {
    fail_with_message(jpeg, status_of_error(jpeg->err->msg_code));
}

// Returns true if a Huffman code that is missing from the table is an error. libjpeg decodes such a code as zero and
// warns. Its fast decoder does not detect the code, unless the scan has restart markers or refinements, or a marker
// is near. For equal results, an undetectable code is not an error here. While the file is arriving, more codes are
// detected, and the last bytes are unknown: then all codes are ignored, and the complete file is decoded again.
static bool is_error_of_code(JPEGReader *reader) {
    const struct jpeg_decompress_struct *jpeg = &reader->jpeg;
    if (jpeg->progressive_mode || jpeg->restart_interval > 0 || reader->source.ended) return true;
    if (!reader->base.at_once) {
        reader->base.doubted = true;
        return false;
    }
    if (jpeg->unread_marker != 0) return true;
    CodecInput input = reader->base.input;
    size_t used = (size_t)(reader->source.manager.next_input_byte - input.bytes);
    size_t left = jpeg_source_count(&reader->source) - used;
    return !jpeg_source_may_be_fast(jpeg, left);
}

// Returns true if a restart marker only has a wrong number. libjpeg then decodes the data after it as if the number were
// right. A number near the expected one means lost or repeated data instead, for which libjpeg skips blocks. If data is
// lost in spite of a number far away, the end of the scan lacks it, and libjpeg warns there.
static bool is_misnumbered(const struct jpeg_decompress_struct *jpeg) {
    int marker = jpeg->err->msg_parm.i[0], expected = jpeg->err->msg_parm.i[1];
    int distance = (marker - JPEG_RST0 - expected) & 7;
    return (marker & ~7) == JPEG_RST0 && distance >= 3 && distance <= 5;
}

// libjpeg warns and continues. A warning about pixels is an error here. Others leave every pixel right.
static void on_message(j_common_ptr jpeg, int level) {
    if (level >= 0) return;
    JPEGReader *reader = (JPEGReader *)jpeg->client_data;
    switch (jpeg->err->msg_code) {
    // Data is missing: libjpeg fills in gray or repeated blocks.
    case JWRN_JPEG_EOF:
    case JWRN_HIT_MARKER: fail_with_message(jpeg, CodecStatusTruncated);
    // The data is damaged: libjpeg decodes zeros.
    case JWRN_HUFF_BAD_CODE:
        if (!is_error_of_code(reader)) return;
        fail_with_message(jpeg, CodecStatusCorrupt);
    case JWRN_ARITH_BAD_CODE: fail_with_message(jpeg, CodecStatusCorrupt);
    // A restart marker is missing or wrong: libjpeg guesses the position of the data after it.
    case JWRN_MUST_RESYNC:
        if (!is_misnumbered(&reader->jpeg)) fail_with_message(jpeg, CodecStatusCorrupt);
        reader->base.warnings |= CodecWarningsHeader;
        return;
    // Bytes that are not part of the file format. In front of a missing end marker, they can be damaged data.
    case JWRN_EXTRANEOUS_DATA:
        if (reader->source.ended) fail_with_message(jpeg, CodecStatusTruncated);
        return;
    // The range of coefficients in a scan of a sequential file is not 0...63. libjpeg decodes all of them, as the
    // writers of such files do: cameras of Samsung write 0, 0, 0.
    case JWRN_NOT_SEQUENTIAL:
    // The bits of a progressive scan overlap those of an earlier scan. Every bit is decoded to its place.
    case JWRN_BOGUS_PROGRESSION:
    // An unknown transformation counts as YCbCr or YCCK.
    case JWRN_ADOBE_XFORM:
    // The version of JFIF does not change the meaning of the data.
    case JWRN_JFIF_MAJOR: reader->base.warnings |= CodecWarningsHeader; return;
    // The rest is about color profiles, which libjpeg does not read here, and about wrong calls.
    default: return;
    }
}

// Marks a file with FF FF 00 in its data as doubtful. libjpeg reads these bytes as FF 00, but its fast decoder takes
// them for a marker first, without a message. libjpeg always consumes the three bytes together.
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

// Returns true if no scan is missing. A sequential file has scans of all components. A progressive file has all bits of
// all coefficients: a file that means to have fewer cannot be told from one that was cut between two scans.
static bool has_all_scans(const JPEGReader *reader) {
    const struct jpeg_decompress_struct *jpeg = &reader->jpeg;
    if (!jpeg->buffered_image) return true;
    if (!jpeg->progressive_mode) return reader->seen_components == (1u << jpeg->num_components) - 1;
    for (int component = 0; component < jpeg->num_components; component++) {
        for (int index = 0; index < DCTSIZE2; index++) {
            if (jpeg->coef_bits[component][index] != 0) return false;
        }
    }
    return true;
}

// Checks the end of a file without an end marker. The data of its last scan is complete: otherwise libjpeg would have
// reported a marker in it.
static void check_end(JPEGReader *reader) {
    if (!reader->source.ended) return;
    if (!has_all_scans(reader)) fail_ended(reader);
    reader->base.warnings |= CodecWarningsEnd;
    // Whether bytes after the data count as data depends on the pieces in which they arrive.
    if (!reader->base.at_once) reader->base.doubted = true;
}

static void note_components(JPEGReader *reader) {
    for (int index = 0; index < reader->jpeg.comps_in_scan; index++) {
        reader->seen_components |= 1u << reader->jpeg.cur_comp_info[index]->component_index;
    }
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
    note_components(reader);
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
            note_components(reader);
            reader->searched = (size_t)(reader->source.manager.next_input_byte - base->input.bytes);
            break;
        case JPEG_SCAN_COMPLETED:
            reader->in_scan = false;
            base->scans = (uint32_t)jpeg->input_scan_number;
            break;
        case JPEG_REACHED_EOI:
            check_end(reader);
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
    if (!reader->absorbed) check_end(reader);
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
