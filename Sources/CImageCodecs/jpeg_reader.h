#pragma once

#include "codec_reader.h"
#include "jpeg_source.h"

/// A reader of JPEG files by libjpeg.
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

/// Makes libjpeg report its errors and warnings to the reader. Call it before libjpeg is initialized.
void jpeg_integrity_attach(JPEGReader *reader);

/// Marks a file with FF FF 00 in its data as doubtful. libjpeg reads these bytes as FF 00, but its fast decoder takes
/// them for a marker first, without a message. libjpeg always consumes the three bytes together.
void jpeg_integrity_look_for_filled_data(JPEGReader *reader);

/// Fails because the file ends too early.
_Noreturn void jpeg_integrity_fail_ended(JPEGReader *reader);

/// Notes the components of the current scan.
void jpeg_integrity_note_components(JPEGReader *reader);

/// Checks the end of a file without an end marker. The data of its last scan is complete: otherwise libjpeg would have
/// reported a marker in it.
void jpeg_integrity_check_end(JPEGReader *reader);
