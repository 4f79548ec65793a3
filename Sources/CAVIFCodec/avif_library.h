#pragma once

#include <avif/avif.h>

/// The functions of libavif. It brings 25 libraries, which take 7 ms at each start of a process and 23 MB of its address space.
/// Therefore it is loaded when the first AVIF is read.
typedef struct {
    __typeof__(avifDecoderCreate) *decoder_create;
    __typeof__(avifDecoderDestroy) *decoder_destroy;
    __typeof__(avifDecoderSetIOMemory) *decoder_set_io_memory;
    __typeof__(avifDecoderParse) *decoder_parse;
    __typeof__(avifDecoderNextImage) *decoder_next_image;
    __typeof__(avifRGBImageSetDefaults) *rgb_image_set_defaults;
    __typeof__(avifImageYUVToRGB) *image_yuv_to_rgb;
    __typeof__(avifImageCreate) *image_create;
    __typeof__(avifImageDestroy) *image_destroy;
    __typeof__(avifImageSetProfileICC) *image_set_profile_icc;
    __typeof__(avifImageSetMetadataExif) *image_set_metadata_exif;
    __typeof__(avifImageRGBToYUV) *image_rgb_to_yuv;
    __typeof__(avifEncoderCreate) *encoder_create;
    __typeof__(avifEncoderWrite) *encoder_write;
    __typeof__(avifEncoderDestroy) *encoder_destroy;
    __typeof__(avifRWDataFree) *data_free;
} AVIFLibrary;

/// Returns the functions; NULL if the library cannot be loaded.
const AVIFLibrary *avif_library(void);
