#if WebP
  internal import CellophaneImages

  /// The chunks of a WebP file in file order (RFC 9649, section 2.3). The iteration does not validate their contents.
  struct WebPChunks: Sequence, IteratorProtocol {
    /// The name of a chunk: four letters.
    struct Name: Hashable {
      let code: Int

      static let extended = Name(code: 0x5650_3858)  // VP8X
      static let lossy = Name(code: 0x5650_3820)  // "VP8 "
      static let lossless = Name(code: 0x5650_384C)  // VP8L
      static let alpha = Name(code: 0x414C_5048)  // ALPH
      static let animation = Name(code: 0x414E_494D)  // ANIM
      static let frame = Name(code: 0x414E_4D46)  // ANMF
      static let profile = Name(code: 0x4943_4350)  // ICCP
      static let exif = Name(code: 0x4558_4946)  // EXIF

      /// True for a chunk with pixels.
      var hasPixels: Bool { [.lossy, .lossless, .alpha, .frame].contains(self) }
    }

    private let file: ByteView
    /// After "RIFF", the size of the file, and "WEBP".
    private var offset = 12

    init(_ file: ByteView) {
      self.file = file
    }

    /// Returns the name of the next chunk and the range of its content, or nil at the end of the file. In a truncated file the
    /// range may exceed the file.
    mutating func next() -> (name: Name, content: Range<Int>)? {
      guard let code = file.number32(at: offset),
        let length = file.number32(at: offset + 4, bigEndian: false)
      else { return nil }
      let content = offset + 8..<offset + 8 + length
      // A chunk of odd length is followed by a byte of padding.
      offset = content.upperBound + length % 2
      return (Name(code: code), content)
    }
  }
#endif
