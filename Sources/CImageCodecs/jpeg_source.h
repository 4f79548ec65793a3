#pragma once

#include "codec_reader.h"

#include <stdio.h>

#include <jpeglib.h>

/// Gives libjpeg the input of a call. Between calls it keeps offsets instead of pointers.
typedef struct {
    struct jpeg_source_mgr manager;
    /// Where libjpeg reads on.
    size_t offset;
    /// How much is to be skipped from there on; more than there was when it was asked for.
    size_t skip;
    /// The most that libjpeg sees during a call, and where that ends.
    size_t window, end;
    /// The whole file was read and ended too early; libjpeg is given the end marker that it lacks.
    bool ended;
} JPEGSource;

void jpeg_source_attach(j_decompress_ptr jpeg, JPEGSource *source);
/// Before a call: shows libjpeg the next part of the input.
void jpeg_source_open(j_decompress_ptr jpeg, JPEGSource *source);
/// After a call that ended without a longjmp. `CodecStatusMore` when there is input that libjpeg did not see.
CodecStatus jpeg_source_close(j_decompress_ptr jpeg, JPEGSource *source);

/// Whether libjpeg may decode a unit of blocks in its fast way when `left` bytes are at hand where the unit begins.
/// That way does not notice codes that are in no table; and it goes on with zeros where a marker comes, begins the
/// unit anew in the other way when that is done, and leaves in the blocks what it made of the zeros.
bool jpeg_source_may_be_fast(const struct jpeg_decompress_struct *jpeg, size_t left);
