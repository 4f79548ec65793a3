#if WebP
  internal import CellophaneCore
  internal import CellophaneImages

  /// A writer of the container of WebP (RFC 9649, section 2).
  enum WebPContainer {
    /// The flags of a VP8X chunk.
    private enum Flag {
      static let exif: UInt8 = 0x08, alpha: UInt8 = 0x10, profile: UInt8 = 0x20
    }

    /// Returns a file with the chunks `content`.
    static func file(_ content: [UInt8]) -> [UInt8] {
      Array("RIFF".utf8) + bytes(content.count + 4, 4) + Array("WEBP".utf8) + content
    }

    /// Returns a chunk, padded to an even length.
    static func chunk(_ name: String, _ content: some Collection<UInt8>) -> [UInt8] {
      Array(name.utf8) + bytes(content.count, 4) + content + (content.count % 2 == 1 ? [0] : [])
    }

    /// Returns a file of `size` with the chunks of pixels in `file`.
    ///
    /// - Parameter exif: The TIFF structure of EXIF.
    static func file(
      pixels file: [UInt8], _ size: PixelSize, hasAlpha: Bool, profile: [UInt8]?, exif: [UInt8]?
    ) -> [UInt8] {
      let flags =
        (hasAlpha ? Flag.alpha : 0) | (profile == nil ? 0 : Flag.profile) | (exif == nil ? 0 : Flag.exif)
      var content = chunk(
        "VP8X", [flags, 0, 0, 0] + bytes(size.width - 1, 3) + bytes(size.height - 1, 3))
      if let profile { content += chunk("ICCP", profile) }
      for (name, range) in WebPChunks(ByteView(file)) where name.hasPixels {
        content += file[range.lowerBound - 8..<min(file.count, range.upperBound + range.count % 2)]
      }
      if let exif { content += chunk("EXIF", exif) }
      return Self.file(content)
    }

    /// Returns the lowest `count` bytes of `number`, the lowest first.
    private static func bytes(_ number: Int, _ count: Int) -> [UInt8] {
      (0..<count).map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) }
    }
  }
#endif
