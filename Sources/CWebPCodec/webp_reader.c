#ifdef CELLOPHANE_WEBP

#include "CWebPCodec.h"

#include <codec_reader.h>
#include <stdlib.h>
#include <string.h>
#include <webp/decode.h>

/// A reader of WebP files by the incremental decoder of libwebp, which keeps all rows decoded so far.
typedef struct {
    CodecReader base;
    WebPDecoderConfig config;
    WebPIDecoder *decoder;
    /// The place of the picture in the file: 0 for a still image; the content of the first frame of an animation, without
    /// the head of the frame.
    size_t offset;
    /// The length of that content; for a still image, unlimited.
    size_t length;
    /// The place of the first frame in the canvas, and its size; for a still image, all of it.
    uint32_t left, top, width, height;
    /// The bytes of the content that the decoder has.
    size_t given;
    /// The rows of the canvas that were delivered.
    uint32_t delivered;
    bool is_complete;
} WebPReader;

/// The bytes that the decoder gets in one step, so that every call returns after a bounded amount of work. 64 KB take some
/// milliseconds; only the data of an image of one color decodes to more.
enum { step = 64 << 10 };

static uint32_t number(const uint8_t *bytes, int count) {
    uint32_t value = 0;
    for (int index = count; index-- > 0;) value = value << 8 | bytes[index];
    return value;
}

_Noreturn static void fail(WebPReader *reader, VP8StatusCode status) {
    switch (status) {
    case VP8_STATUS_OUT_OF_MEMORY: codec_fail(&reader->base, CodecStatusOutOfMemory, "no memory");
    case VP8_STATUS_UNSUPPORTED_FEATURE:
        codec_fail(&reader->base, CodecStatusUnsupported, "libwebp does not support it");
    default: codec_fail(&reader->base, CodecStatusCorrupt, "libwebp rejects the data");
    }
}

/// Ends the call because the input ends.
_Noreturn static void end_of_input(WebPReader *reader) {
    if (!reader->base.input.whole) codec_leave(&reader->base, CodecStatusStarved);
    codec_fail(&reader->base, CodecStatusTruncated, "the file ends before the last row");
}

/// Finds the first frame of an animation. Its size and its place are checked against the canvas.
static void find_frame(WebPReader *reader, uint32_t width, uint32_t height) {
    CodecInput input = reader->base.input;
    // After the head of the file: "RIFF", a size, "WEBP".
    size_t offset = 12;
    while (offset + 8 <= input.count) {
        const uint8_t *chunk = input.bytes + offset;
        size_t length = number(chunk + 4, 4);
        if (memcmp(chunk, "ANMF", 4) == 0) {
            // The head of a frame: left and top in units of two pixels, size less one, duration, flags.
            enum { head = 16 };
            if (length < head) codec_fail(&reader->base, CodecStatusCorrupt, "the first frame is too short");
            if (input.count - offset < 8 + head) break;
            reader->left = 2 * number(chunk + 8, 3);
            reader->top = 2 * number(chunk + 11, 3);
            reader->width = number(chunk + 14, 3) + 1;
            reader->height = number(chunk + 17, 3) + 1;
            if (reader->left > width || reader->width > width - reader->left || reader->top > height ||
                reader->height > height - reader->top) {
                codec_fail(&reader->base, CodecStatusCorrupt, "the first frame exceeds the canvas");
            }
            reader->offset = offset + 8 + head;
            reader->length = length - head;
            return;
        }
        // Chunks have an even length.
        offset += 8 + length + (length & 1);
    }
    if (!input.whole) codec_leave(&reader->base, CodecStatusStarved);
    codec_fail(&reader->base, CodecStatusTruncated, "the animation has no frame");
}

static CodecStatus webp_start(CodecReader *base, CodecLimits limits) {
    WebPReader *reader = (WebPReader *)base;
    WebPBitstreamFeatures features;
    VP8StatusCode status = WebPGetFeatures(base->input.bytes, base->input.count, &features);
    if (status == VP8_STATUS_NOT_ENOUGH_DATA || status == VP8_STATUS_SUSPENDED) end_of_input(reader);
    if (status != VP8_STATUS_OK) fail(reader, status);
    uint32_t width = (uint32_t)features.width, height = (uint32_t)features.height;
    if (features.has_animation) {
        find_frame(reader, width, height);
    } else {
        reader->length = SIZE_MAX;
        reader->width = width;
        reader->height = height;
    }
    if (!WebPInitDecoderConfig(&reader->config)) codec_fail(base, CodecStatusUnsupported, "another version of libwebp");
    reader->config.output.colorspace = MODE_RGBA;
    if (!features.has_animation && limits.width <= width && limits.height <= height &&
        (limits.width < width || limits.height < height)) {
        width = limits.width;
        height = limits.height;
        reader->width = width;
        reader->height = height;
        reader->config.options.use_scaling = 1;
        reader->config.options.scaled_width = (int)width;
        reader->config.options.scaled_height = (int)height;
    }
    base->layout = (CodecLayout){.width = width, .height = height};
    reader->decoder = WebPIDecode(NULL, 0, &reader->config);
    return reader->decoder ? CodecStatusReady : CodecStatusOutOfMemory;
}

static CodecStatus webp_absorb(CodecReader *base) {
    return CodecStatusReady;
}

/// Decodes the next step of the input. Returns the number of decoded rows of the frame.
static uint32_t decode(WebPReader *reader) {
    CodecInput input = reader->base.input;
    size_t available = input.count - reader->offset;
    if (available > reader->length) available = reader->length;
    if (!reader->is_complete && reader->given < available) {
        size_t next = available - reader->given > step ? reader->given + step : available;
        VP8StatusCode status = WebPIUpdate(reader->decoder, input.bytes + reader->offset, next);
        reader->given = next;
        if (status != VP8_STATUS_OK && status != VP8_STATUS_SUSPENDED) fail(reader, status);
        reader->is_complete = status == VP8_STATUS_OK;
    }
    int rows = 0, width = 0, height = 0;
    if (!WebPIDecGetRGB(reader->decoder, &rows, &width, &height, NULL) || rows <= 0) return 0;
    if ((uint32_t)width != reader->width || (uint32_t)height != reader->height) {
        codec_fail(&reader->base, CodecStatusCorrupt, "the size of the frame differs between its headers");
    }
    return (uint32_t)rows;
}

static CodecStatus webp_read(CodecReader *base, uint8_t *pixels, uint32_t rows) {
    WebPReader *reader = (WebPReader *)base;
    size_t stride = (size_t)base->layout.width * 4;
    uint32_t decoded = decode(reader);
    int frame_stride = 0;
    const uint8_t *frame = WebPIDecGetRGB(reader->decoder, NULL, NULL, NULL, &frame_stride);
    while (base->rows < rows) {
        uint32_t row = reader->delivered;
        bool is_in_frame = row >= reader->top && row - reader->top < reader->height;
        if (is_in_frame && (!frame || row - reader->top >= decoded)) break;
        uint8_t *destination = pixels + base->rows * stride;
        if (!is_in_frame || reader->width < base->layout.width) memset(destination, 0, stride);
        if (is_in_frame) {
            memcpy(destination + (size_t)reader->left * 4, frame + (size_t)(row - reader->top) * (size_t)frame_stride,
                   (size_t)reader->width * 4);
        }
        base->rows++;
        reader->delivered++;
    }
    if (base->rows == rows) return CodecStatusReady;
    if (reader->is_complete) codec_fail(base, CodecStatusCorrupt, "libwebp delivers no more rows");
    size_t available = base->input.count - reader->offset;
    if (reader->given < available && reader->given < reader->length) return CodecStatusMore;
    end_of_input(reader);
}

static CodecStatus webp_finish(CodecReader *base) {
    WebPReader *reader = (WebPReader *)base;
    // The last rows may be decoded before the end of the data.
    while (!reader->is_complete) {
        size_t available = base->input.count - reader->offset;
        if (available > reader->length) available = reader->length;
        if (reader->given >= available) end_of_input(reader);
        decode(reader);
    }
    return CodecStatusReady;
}

static void webp_close(CodecReader *base) {
    WebPReader *reader = (WebPReader *)base;
    WebPIDelete(reader->decoder);
    WebPFreeDecBuffer(&reader->config.output);
    free(reader);
}

CodecReader *cellophane_webp_reader(void) {
    static const CodecOperations operations = {
        .close = webp_close, .start = webp_start, .absorb = webp_absorb, .read = webp_read, .finish = webp_finish};
    WebPReader *reader = calloc(1, sizeof *reader);
    if (!reader) return NULL;
    reader->base.operations = &operations;
    return &reader->base;
}

#endif
