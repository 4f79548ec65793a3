#ifdef CELLOPHANE_WEBP

#include "CWebPCodec.h"

#include <webp/encode.h>

typedef struct {
    bool (*proceeds)(void);
} Progress;

static int on_progress(int percent, const WebPPicture *picture) {
    (void)percent;
    return ((const Progress *)picture->user_data)->proceeds();
}

static CodecStatus status(WebPEncodingError error) {
    switch (error) {
    case VP8_ENC_OK: return CodecStatusReady;
    case VP8_ENC_ERROR_USER_ABORT: return CodecStatusMore;
    case VP8_ENC_ERROR_OUT_OF_MEMORY:
    case VP8_ENC_ERROR_BITSTREAM_OUT_OF_MEMORY: return CodecStatusOutOfMemory;
    default: return CodecStatusTooLarge;
    }
}

CodecStatus cellophane_webp_encode(const uint8_t *pixels, CodecPicture size, CodecWebPSettings settings,
                                   bool (*proceeds)(void), CodecWebPFile *file) {
    if (size.width > WEBP_MAX_DIMENSION || size.height > WEBP_MAX_DIMENSION) return CodecStatusTooLarge;
    WebPConfig config;
    WebPPicture picture;
    if (!WebPConfigPreset(&config, WEBP_PRESET_DEFAULT, (float)settings.quality) || !WebPPictureInit(&picture)) {
        return CodecStatusUnsupported;
    }
    // 6 of 9: the default of cwebp.
    if (settings.lossless && !WebPConfigLosslessPreset(&config, 6)) return CodecStatusUnsupported;
    Progress progress = {.proceeds = proceeds};
    WebPMemoryWriter writer;
    WebPMemoryWriterInit(&writer);
    picture.use_argb = settings.lossless;
    picture.width = (int)size.width;
    picture.height = (int)size.height;
    picture.writer = WebPMemoryWrite;
    picture.custom_ptr = &writer;
    picture.progress_hook = on_progress;
    picture.user_data = &progress;
    int stride = (int)size.width * 4;
    bool is_imported = settings.opaque ? WebPPictureImportRGBX(&picture, pixels, stride)
                                       : WebPPictureImportRGBA(&picture, pixels, stride);
    // Lossless keeps the colors of transparent pixels, as PNG does.
    config.exact = settings.lossless;
    bool is_encoded = is_imported && WebPEncode(&config, &picture);
    CodecStatus result = is_encoded ? CodecStatusReady
                         : picture.error_code == VP8_ENC_OK ? CodecStatusOutOfMemory
                                                            : status(picture.error_code);
    WebPPictureFree(&picture);
    if (result == CodecStatusReady) {
        *file = (CodecWebPFile){.bytes = writer.mem, .count = writer.size};
    } else {
        WebPMemoryWriterClear(&writer);
    }
    return result;
}

void cellophane_webp_release(CodecWebPFile file) {
    WebPFree(file.bytes);
}

#endif
