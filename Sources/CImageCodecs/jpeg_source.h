#pragma once

#include "codec_reader.h"

#include <stdio.h>

#include <jpeglib.h>

/// The data source of libjpeg. Between calls it keeps offsets, not pointers.
typedef struct {
    struct jpeg_source_mgr manager;
    /// The offset at which libjpeg continues.
    size_t offset;
    /// The number of bytes to skip from there: the part of a skip that exceeded the input of its call.
    size_t skip;
    /// The maximum input that libjpeg sees during a call, and the offset of its end.
    size_t window, end;
    /// The number of bytes seen so far, and the number without the zeros at their end.
    size_t count, filled;
    /// True if the file ended early and libjpeg received the missing end marker.
    bool ended;
} JPEGSource;

/// Returns the number of bytes of the input that libjpeg may see. Zeros at its end are withheld until another byte
/// follows them: they fill the space of missing data, and libjpeg would decode them as data.
size_t jpeg_source_count(const JPEGSource *source);

void jpeg_source_attach(j_decompress_ptr jpeg, JPEGSource *source);
/// Passes the next part of the input to libjpeg. Call before using libjpeg.
void jpeg_source_open(j_decompress_ptr jpeg, JPEGSource *source);
/// Saves the position after a call without a longjmp. Returns `CodecStatusMore` if libjpeg has not seen all of the
/// input.
CodecStatus jpeg_source_close(j_decompress_ptr jpeg, JPEGSource *source);

/// Returns true if libjpeg may use its fast Huffman decoder for an MCU that begins with `left` bytes of input. The
/// fast decoder does not detect codes that are missing from the table. At a marker it continues with zeros, then
/// decodes the MCU again with the slow decoder, and the coefficients of the zeros remain in the blocks.
bool jpeg_source_may_be_fast(const struct jpeg_decompress_struct *jpeg, size_t left);
