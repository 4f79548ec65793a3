internal import Cellophane
#if WebP
  internal import CellophaneWebP
#endif

extension PictureCodec {
  /// The codecs of the tool: PNG, JPEG, and those of the package traits with which it was built.
  static var ofTool: [PictureCodec] {
    var codecs: [PictureCodec] = [.png, .jpeg]
    #if WebP
      codecs.append(.webP)
    #endif
    return codecs
  }
}
