#if WebP
  internal import CellophaneCore
  internal import CellophaneImages

  /// A parser of the header of a WebP file (RFC 9649, section 2).
  enum WebPHeader {
    static func read(_ file: ByteView) throws(LoadError) -> ImageHeader {
      var chunks = WebPChunks(file)
      guard let (name, content) = chunks.next() else { throw truncated(file) }
      switch name {
      case .extended: return try extended(file, content, chunks)
      case .lossy:
        return header(try lossySize(file, content), hasAlpha: false, bufferBytes: 0)
      case .lossless:
        let (size, hasAlpha) = try losslessSize(file, content)
        return header(size, hasAlpha: hasAlpha, bufferBytes: losslessBytes(size))
      default: throw LoadError(.corrupt, "the first chunk of the WebP is not VP8, VP8L or VP8X")
      }
    }

    /// Returns the orientation in the EXIF data.
    static func orientation(in file: ByteView) -> Orientation {
      exif(in: file).map(Orientation.init(tiff:)) ?? .up
    }

    /// Returns the TIFF structure of the EXIF chunk. Some programs write the name of a JPEG segment in front of it.
    static func exif(in file: ByteView) -> ByteView? {
      guard let content = WebPChunks(file).first(where: { $0.name == .exif })?.content,
        let chunk = file.part(content)
      else { return nil }
      return chunk.starts(with: "Exif\0\0".utf8) ? chunk.part(from: 6, length: chunk.count - 6) : chunk
    }

    private static func truncated(_ file: ByteView) -> LoadError {
      LoadError(.truncated, "the WebP ends in its header, after \(file.count) bytes; load it again")
    }

    /// Reads VP8X: flags, and the size of the canvas less one in 24 bits each.
    private static func extended(
      _ file: ByteView, _ content: Range<Int>, _ chunks: WebPChunks
    ) throws(LoadError) -> ImageHeader {
      guard content.count >= 10 else { throw LoadError(.corrupt, "the VP8X chunk of the WebP is too short") }
      let start = content.lowerBound
      guard let flags = file.byte(at: start), let width = number24(file, start + 4),
        let height = number24(file, start + 7)
      else { throw truncated(file) }
      let size = PixelSize(width: width + 1, height: height + 1)
      // The product of the sides is limited to 2^32 - 1.
      guard size.width * size.height < 1 << 32 else {
        throw LoadError(.corrupt, "the WebP header has an invalid size: \(size.width)x\(size.height)")
      }
      let (animated, alpha) = (flags & 0x02 != 0, flags & 0x10 != 0)
      return header(
        size, hasAlpha: alpha || animated, orientation: orientation(in: file),
        // The kind of the pixels may follow the bytes received so far: the larger one counts.
        bufferBytes: losslessBytes(size), isAnimated: animated)
    }

    /// Reads the frame header of VP8 (RFC 6386, section 9.1): three bytes, a start code, and 14 bits for each side.
    private static func lossySize(_ file: ByteView, _ content: Range<Int>) throws(LoadError) -> PixelSize {
      let start = content.lowerBound
      guard content.count >= 10 else { throw LoadError(.corrupt, "the VP8 chunk of the WebP is too short") }
      guard let width = file.number16(at: start + 6, bigEndian: false),
        let height = file.number16(at: start + 8, bigEndian: false)
      else { throw truncated(file) }
      let size = PixelSize(width: width & 0x3FFF, height: height & 0x3FFF)
      guard file.holds([0x9D, 0x01, 0x2A], at: start + 3), size.width > 0, size.height > 0 else {
        throw LoadError(.corrupt, "the VP8 header of the WebP is invalid")
      }
      return size
    }

    /// Reads the header of VP8L (RFC 9649, section 3.4): a signature, 14 bits for each side less one, and a bit for alpha.
    private static func losslessSize(
      _ file: ByteView, _ content: Range<Int>
    ) throws(LoadError) -> (size: PixelSize, hasAlpha: Bool) {
      let start = content.lowerBound
      guard content.count >= 5 else { throw LoadError(.corrupt, "the VP8L chunk of the WebP is too short") }
      guard let bits = file.number32(at: start + 1, bigEndian: false) else { throw truncated(file) }
      guard file.byte(at: start) == 0x2F, bits >> 29 == 0 else {
        throw LoadError(.corrupt, "the VP8L header of the WebP is invalid")
      }
      return (PixelSize(width: bits & 0x3FFF + 1, height: bits >> 14 & 0x3FFF + 1), bits >> 28 & 1 == 1)
    }

    /// Reads an unsigned number of three bytes.
    static func number24(_ file: ByteView, _ offset: Int) -> Int? {
      guard let low = file.number16(at: offset, bigEndian: false), let high = file.byte(at: offset + 2) else {
        return nil
      }
      return low | Int(high) << 16
    }

    /// Returns the memory of the lossless decoder: 4 bytes a pixel, and at most half a byte for each of two transforms.
    private static func losslessBytes(_ size: PixelSize) -> Int { size.width * size.height * 5 }

    private static func header(
      _ size: PixelSize, hasAlpha: Bool, orientation: Orientation = .up, bufferBytes: Int,
      isAnimated: Bool = false
    ) -> ImageHeader {
      ImageHeader(
        format: .webP, size: size, orientation: orientation, bitDepth: 8, colorModel: hasAlpha ? .rgba : .rgb,
        isProgressive: false, bufferBytes: bufferBytes, isAnimated: isAnimated)
    }
  }
#endif
