#if GIF && WebP
  internal import Cellophane
  internal import CellophaneGIF
  internal import CellophaneWebP

  // The code about codecs in Sources/Cellophane/Cellophane.docc/ImageDecoding.md.

  func decoderOfAllFormats() -> ImageDecoder {
    let decoder = ImageDecoder(codecs: [.png, .jpeg, .webP, .gif])
    return decoder
  }
#endif
