#if AVIF && GIF && WebP
  internal import Cellophane
  internal import CellophaneAVIF
  internal import CellophaneGIF
  internal import CellophaneWebP

  // The code about codecs in Sources/Cellophane/Cellophane.docc/ImageDecoding.md.

  func decoderOfAllFormats() -> ImageDecoder {
    let decoder = ImageDecoder(codecs: [.png, .jpeg, .webP, .gif, .avif])
    return decoder
  }
#endif
