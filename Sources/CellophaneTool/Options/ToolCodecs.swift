internal import ArgumentParser
internal import Cellophane
internal import CellophaneBatch
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

extension ImageEncoders {
  /// The encoders of the tool: PNG, JPEG, and those of the package traits with which it was built.
  static var ofTool: ImageEncoders { ImageEncoders(OutputFormat.allCases.compactMap(\.encoder)) }
}

/// The format of written images.
enum OutputFormat: String, Choice {
  /// The format of the body.
  case original
  case png
  case jpeg
  #if WebP
    case webp
  #endif
  #if AVIF
    case avif
  #endif

  /// The encoder; nil for ``original``.
  var encoder: ImageEncoders.Encoder? {
    switch self {
    case .original: nil
    case .png: .png
    case .jpeg: .jpeg
    #if WebP
      case .webp:
        ImageEncoders.Encoder(extensions: ["webp"], hasQuality: true) { .webP(quality: $0) }
    #endif
    #if AVIF
      case .avif:
        ImageEncoders.Encoder(extensions: ["avif"], hasQuality: true) { .avif(quality: $0) }
    #endif
    }
  }
}
