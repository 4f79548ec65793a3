internal import Cellophane
#if AVIF
  internal import CellophaneAVIF
#endif
#if GIF
  internal import CellophaneGIF
#endif
#if WebP
  internal import CellophaneWebP
#endif

extension PictureCodec {
  /// The codecs of the tool: PNG, JPEG, and those of the package traits with which it was built.
  static var ofTool: [PictureCodec] {
    var codecs: [PictureCodec] = []
    codecs += [.png, .jpeg]
    #if AVIF
      codecs.append(.avif)
    #endif
    #if GIF
      codecs.append(.gif)
    #endif
    #if WebP
      codecs.append(.webP)
    #endif
    return codecs
  }
}
