#if GIF
  internal import CGIFCodec
  internal import CellophaneCore
  public import CellophaneImages

  /// The codec of GIF: giflib. It decodes the first frame of an animation.
  struct GIFCodec: FormatCodec {
    var format: ImageFormat { .gif }

    func match(_ file: ByteView) -> SignatureMatch {
      let (old, new) = (file.match("GIF87a".utf8), file.match("GIF89a".utf8))
      return old == .none ? new : old
    }

    func header(of file: ByteView) throws(LoadError) -> ImageHeader {
      guard let width = file.number16(at: 6, bigEndian: false),
        let height = file.number16(at: 8, bigEndian: false), file.count >= 13
      else {
        throw LoadError(.truncated, "the GIF ends in its header, after \(file.count) bytes; load it again")
      }
      var frames: [PixelSize] = []
      for block in GIFBlocks(file) {
        guard case .image(let corner) = block.kind else { continue }
        frames.append(corner)
        if frames.count == 2 { break }
      }
      var size = PixelSize(width: width, height: height)
      if width == 0 || height == 0 {
        // Browsers show the first frame of a file whose canvas has no size.
        guard let first = frames.first else {
          throw LoadError(.truncated, "the GIF ends before its first frame; load it again")
        }
        guard first.width > 0, first.height > 0 else {
          throw LoadError(.corrupt, "neither the canvas nor the first frame of the GIF has a size")
        }
        size = first
      }
      return ImageHeader(
        format: .gif, size: size, orientation: .up, bitDepth: 8, colorModel: .indexed, isProgressive: false,
        isAnimated: frames.count > 1)
    }

    /// Browsers ignore profiles in a GIF.
    func colors(of file: ByteView, _ model: ImageHeader.ColorModel) -> DeclaredColorSpace.Reading {
      DeclaredColorSpace.Reading(profile: nil, model)
    }

    func profileBytes(of file: ByteView) -> Int? { 0 }

    func workingBytes(_ header: ImageHeader, _ framing: Framing, discardsPixels: Bool) -> Int {
      let rows =
        framing.isIdentity && !discardsPixels ? 0 : framing.decoded.width * 4 * ImageAssembler.stripHeight
      // One byte for each pixel, one line of the frame, and the tables of giflib.
      return rows + framing.decoded.width * framing.decoded.height + 64 << 10
    }

    func reachesPixels(_ file: ByteView) -> Bool { true }

    var hasLateOrientation: Bool { false }

    func open() -> OpaquePointer? { unsafe cellophane_gif_reader() }

    func exif(in file: ByteView) -> ByteView? { nil }

    /// Returns the file without comments and application extensions, except the one that repeats an animation.
    func stripped(_ file: [UInt8], exif: [UInt8]?) -> [UInt8] {
      let view = ByteView(file)
      var stripped = Array(file.prefix(GIFBlocks.start(in: view)))
      var end = stripped.count
      for block in GIFBlocks(view) {
        end = block.range.upperBound
        if block.affectsPixels { stripped += file[block.range.clamped(to: file.indices)] }
      }
      // Other data after the last block belongs to no image.
      return view.byte(at: end) == 0x3B ? stripped + [0x3B] : stripped
    }
  }

  extension GIFBlocks.Block {
    /// True for a block that affects the display of the pixels: a frame, its control, text, or the repetition.
    fileprivate var affectsPixels: Bool {
      switch kind {
      case .image: true
      case .extension(0xFE, _): false
      case .extension(0xFF, let content):
        content.isNetscape
      case .extension: true
      }
    }
  }

  extension ImageFormat {
    /// GIF (version 87a or 89a).
    public static let gif = ImageFormat("gif", name: "GIF", mediaType: "image/gif", fileExtension: "gif")
  }

  extension PictureCodec {
    /// GIF by giflib.
    public static let gif = PictureCodec(GIFCodec())
  }
#endif
