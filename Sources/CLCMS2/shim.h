#pragma once
#include <lcms2.h>

// Layouts of a pixel of 4 bytes, which lcms2 has as macros that Swift does not see.

/// Red, green, blue, and a byte that is left alone.
static const cmsUInt32Number cellophane_lcms_rgba = TYPE_RGBA_8;
/// A shade of grey, and three bytes that are left alone.
static const cmsUInt32Number cellophane_lcms_gray_of_rgba =
    COLORSPACE_SH(PT_GRAY) | CHANNELS_SH(1) | EXTRA_SH(3) | BYTES_SH(1);
/// The complements of cyan, magenta, yellow and black.
static const cmsUInt32Number cellophane_lcms_cmyk_complements = TYPE_CMYK_8_REV;
