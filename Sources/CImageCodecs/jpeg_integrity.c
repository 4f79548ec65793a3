#include "jpeg_reader.h"

#include <string.h>

#include <jerror.h>

// Whether a file is complete and undamaged: the messages of libjpeg, and the end of the file.

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

void jpeg_integrity_attach(JPEGReader *reader) {
    reader->jpeg.err = jpeg_std_error(&reader->errors);
    reader->errors.error_exit = on_error;
    reader->errors.emit_message = on_message;
    reader->jpeg.client_data = &reader->base;
}

void jpeg_integrity_look_for_filled_data(JPEGReader *reader) {
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

_Noreturn void jpeg_integrity_fail_ended(JPEGReader *reader) {
    codec_fail(&reader->base, CodecStatusTruncated, "the file ends before its end marker");
}

// Returns true if no scan is missing. A sequential file has scans of all components. A progressive file has all bits of
// all coefficients: a file with fewer bits may also be one that was cut between two scans.
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

void jpeg_integrity_check_end(JPEGReader *reader) {
    if (!reader->source.ended) return;
    if (!has_all_scans(reader)) jpeg_integrity_fail_ended(reader);
    reader->base.warnings |= CodecWarningsEnd;
    // Whether bytes after the data count as data depends on the pieces in which they arrive.
    if (!reader->base.at_once) reader->base.doubted = true;
}

void jpeg_integrity_note_components(JPEGReader *reader) {
    for (int index = 0; index < reader->jpeg.comps_in_scan; index++) {
        reader->seen_components |= 1u << reader->jpeg.cur_comp_info[index]->component_index;
    }
}
