#ifdef CELLOPHANE_AVIF

#include "CAVIFCodec.h"
#include "avif_library.h"

/// 8 of 10: a photograph of 12 megapixels takes 1.8 s on one core. For a thumbnail of 256 px, 6 takes six times as long, and the
/// file is not smaller.
enum { speed = 8 };

static CodecStatus status(avifResult result) {
    switch (result) {
    case AVIF_RESULT_OK: return CodecStatusReady;
    case AVIF_RESULT_OUT_OF_MEMORY: return CodecStatusOutOfMemory;
    case AVIF_RESULT_NO_CODEC_AVAILABLE: return CodecStatusUnsupported;
    default: return CodecStatusTooLarge;
    }
}

/// Sets the colors, the metadata and the orientation of `image`.
static void describe(avifImage *image, CodecAVIFSettings settings) {
    const AVIFLibrary *avif = avif_library();
    image->yuvRange = AVIF_RANGE_FULL;
    image->matrixCoefficients = AVIF_MATRIX_COEFFICIENTS_BT601;
    if (settings.profile.count > 0) {
        avif->image_set_profile_icc(image, settings.profile.bytes, settings.profile.count);
    } else {
        image->colorPrimaries = AVIF_COLOR_PRIMARIES_BT709;
        image->transferCharacteristics = AVIF_TRANSFER_CHARACTERISTICS_SRGB;
    }
    if (settings.exif.count > 0) avif->image_set_metadata_exif(image, settings.exif.bytes, settings.exif.count);
    if (settings.turns > 0) {
        image->transformFlags |= AVIF_TRANSFORM_IROT;
        image->irot.angle = settings.turns;
    }
    if (settings.mirror < 2) {
        image->transformFlags |= AVIF_TRANSFORM_IMIR;
        image->imir.mode = settings.mirror;
    }
}

static avifResult encode(avifImage *image, const uint8_t *pixels, CodecAVIFSettings settings, avifRWData *data) {
    const AVIFLibrary *avif = avif_library();
    avifRGBImage rows;
    avif->rgb_image_set_defaults(&rows, image);
    rows.depth = 8;
    rows.format = AVIF_RGB_FORMAT_RGBA;
    rows.ignoreAlpha = settings.opaque;
    // libavif does not write to it.
    rows.pixels = (uint8_t *)pixels;
    rows.rowBytes = image->width * 4;
    avifResult result = avif->image_rgb_to_yuv(image, &rows);
    if (result != AVIF_RESULT_OK) return result;
    avifEncoder *encoder = avif->encoder_create();
    if (!encoder) return AVIF_RESULT_OUT_OF_MEMORY;
    encoder->speed = speed;
    encoder->maxThreads = 1;
    // The scale of libavif 1.0.
    int quantizer = ((100 - settings.quality) * 63 + 50) / 100;
    encoder->minQuantizer = quantizer;
    encoder->maxQuantizer = quantizer;
    encoder->minQuantizerAlpha = AVIF_QUANTIZER_LOSSLESS;
    encoder->maxQuantizerAlpha = AVIF_QUANTIZER_LOSSLESS;
    result = avif->encoder_write(encoder, image, data);
    avif->encoder_destroy(encoder);
    return result;
}

CodecStatus cellophane_avif_encode(const uint8_t *pixels, CodecPicture size, CodecAVIFSettings settings,
                                   CodecAVIFFile *file) {
    const AVIFLibrary *avif = avif_library();
    if (!avif) return CodecStatusUnsupported;
    // AV1 allows sides of 65 536 pixels.
    if (size.width > 1 << 16 || size.height > 1 << 16) return CodecStatusTooLarge;
    avifImage *image = avif->image_create((int)size.width, (int)size.height, 8, AVIF_PIXEL_FORMAT_YUV420);
    if (!image) return CodecStatusOutOfMemory;
    describe(image, settings);
    avifRWData data = AVIF_DATA_EMPTY;
    CodecStatus result = status(encode(image, pixels, settings, &data));
    avif->image_destroy(image);
    if (result == CodecStatusReady) {
        *file = (CodecAVIFFile){.bytes = data.data, .count = data.size};
    } else {
        avif->data_free(&data);
    }
    return result;
}

void cellophane_avif_release(CodecAVIFFile file) {
    if (!file.bytes) return;
    avifRWData data = {.data = file.bytes, .size = file.count};
    avif_library()->data_free(&data);
}

#endif
