#pragma once
#include <lcms2.h>

// Layouts of pixels of 4 bytes. lcms2 defines them as macros that Swift does not import.

/// Red, green, blue, and a byte that is not changed.
static const cmsUInt32Number cellophane_lcms_rgba = TYPE_RGBA_8;
/// A gray value, and three bytes that are not changed.
static const cmsUInt32Number cellophane_lcms_gray_of_rgba =
    COLORSPACE_SH(PT_GRAY) | CHANNELS_SH(1) | EXTRA_SH(3) | BYTES_SH(1);
/// The complements of cyan, magenta, yellow and black.
static const cmsUInt32Number cellophane_lcms_cmyk_complements = TYPE_CMYK_8_REV;
