#if WebP
  internal import CWebPCodec
  internal import CellophaneCore
  public import CellophaneImages

  /// The codec of WebP: libwebp. It decodes the first frame of an animation.
  struct WebPCodec: FormatCodec {
    var format: ImageFormat { .webP }

    func match(_ file: ByteView) -> SignatureMatch {
      let outer = file.match("RIFF".utf8)
      guard outer == .complete else { return outer }
      guard let inner = file.part(from: 8, length: file.count - 8) else { return .partial }
      return inner.count == 0 ? .partial : inner.match("WEBP".utf8)
    }

    func header(of file: ByteView) throws(LoadError) -> ImageHeader { try WebPHeader.read(file) }

    func colors(of file: ByteView, _ model: ImageHeader.ColorModel) -> DeclaredColorSpace.Reading {
      for (name, content) in WebPChunks(file) {
        if name == .profile { return DeclaredColorSpace.Reading(profile: file.part(content), model) }
        if name.hasPixels { break }
      }
      return DeclaredColorSpace.Reading(profile: nil, model)
    }

    func profileBytes(of file: ByteView) -> Int? {
      for (name, content) in WebPChunks(file) {
        if name == .profile { return content.count }
        if name.hasPixels { return 0 }
      }
      return nil
    }

    /// libwebp averages rows as they are decoded. It ignores alpha in lossy images, so that colors of transparent pixels
    /// would show at edges: images with alpha, and animations, are decoded at full size.
    func scaling(_ header: ImageHeader) -> CodecScaling {
      header.colorModel == .rgb ? CodecScaling(denominators: [8, 4, 2], isFree: true) : .none
    }

    func workingBytes(_ header: ImageHeader, _ framing: Framing, discardsPixels: Bool) -> Int {
      let (width, height) = (framing.decoded.width, framing.decoded.height)
      let rows = framing.isIdentity && !discardsPixels ? 0 : width * 4 * ImageAssembler.stripHeight
      // libwebp keeps the decoded rows. A lossy image also needs about 32 rows of one byte for each component.
      return rows + width * height * 4 + header.bufferBytes + header.size.width * 4 * 32 + 64 << 10
    }

    func reachesPixels(_ file: ByteView) -> Bool { WebPChunks(file).contains { $0.name.hasPixels } }

    /// The EXIF chunk follows the pixels.
    var hasLateOrientation: Bool { true }

    func open() -> OpaquePointer? { unsafe cellophane_webp_reader() }

    func exif(in file: ByteView) -> ByteView? { WebPHeader.exif(in: file) }
  }

  extension ImageFormat {
    /// WebP (RFC 9649), lossy or lossless.
    public static let webP = ImageFormat(
      "webp", name: "WebP", mediaType: "image/webp", fileExtension: "webp")
  }

  extension PictureCodec {
    /// WebP by libwebp.
    public static let webP = PictureCodec(WebPCodec())
  }
#endif
