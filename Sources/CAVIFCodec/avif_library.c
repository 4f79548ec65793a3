#ifdef CELLOPHANE_AVIF

#include "avif_library.h"

#include "CAVIFCodec.h"

#include <dlfcn.h>
#include <pthread.h>

// The structures of libavif differ between these numbers, so that only the one of the headers may be loaded.
#ifdef __APPLE__
static const char name[] = "libavif.16.dylib";
#elif AVIF_VERSION_MAJOR >= 1
static const char name[] = "libavif.so.16";
#elif AVIF_VERSION >= 110000
static const char name[] = "libavif.so.15";
#else
#error "libavif 0.11 or newer is needed"
#endif

static AVIFLibrary functions;
static bool is_loaded;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void load(void) {
    void *library = dlopen(name, RTLD_NOW | RTLD_LOCAL);
    if (!library) return;
    struct {
        const char *name;
        void *address;
    } symbols[] = {
        {"avifDecoderCreate", &functions.decoder_create},
        {"avifDecoderDestroy", &functions.decoder_destroy},
        {"avifDecoderSetIOMemory", &functions.decoder_set_io_memory},
        {"avifDecoderParse", &functions.decoder_parse},
        {"avifDecoderNextImage", &functions.decoder_next_image},
        {"avifRGBImageSetDefaults", &functions.rgb_image_set_defaults},
        {"avifImageYUVToRGB", &functions.image_yuv_to_rgb},
        {"avifImageCreate", &functions.image_create},
        {"avifImageDestroy", &functions.image_destroy},
        {"avifImageSetProfileICC", &functions.image_set_profile_icc},
        {"avifImageSetMetadataExif", &functions.image_set_metadata_exif},
        {"avifImageRGBToYUV", &functions.image_rgb_to_yuv},
        {"avifEncoderCreate", &functions.encoder_create},
        {"avifEncoderWrite", &functions.encoder_write},
        {"avifEncoderDestroy", &functions.encoder_destroy},
        {"avifRWDataFree", &functions.data_free},
    };
    is_loaded = true;
    for (size_t index = 0; index < sizeof symbols / sizeof *symbols; index++) {
        void *symbol = dlsym(library, symbols[index].name);
        *(void **)symbols[index].address = symbol;
        is_loaded = is_loaded && symbol;
    }
}

const AVIFLibrary *avif_library(void) {
    pthread_once(&once, load);
    return is_loaded ? &functions : NULL;
}

const char *cellophane_avif_missing_library(void) {
    return avif_library() ? NULL : name;
}

#endif
