/// The chunks of a PNG in file order (ISO/IEC 15948, section 5). The iteration validates neither their
/// contents nor their checksums.
struct PNGChunks: Sequence, IteratorProtocol {
  /// A chunk type: four letters.
  struct Name: Hashable {
    let code: Int

    static let header = Name(code: 0x4948_4452)  // IHDR
    static let palette = Name(code: 0x504C_5445)  // PLTE
    static let transparency = Name(code: 0x7452_4E53)  // tRNS
    static let exif = Name(code: 0x6558_4966)  // eXIf
    static let data = Name(code: 0x4944_4154)  // IDAT
    static let end = Name(code: 0x4945_4E44)  // IEND
    static let animationControl = Name(code: 0x6163_544C)  // acTL
    static let frameControl = Name(code: 0x6663_544C)  // fcTL
    static let frameData = Name(code: 0x6664_4154)  // fdAT
    /// The first chunk of Apple's private variant.
    static let appleHeader = Name(code: 0x4367_4249)  // CgBI

    static let codePoints = Name(code: 0x6349_4350)  // cICP
    static let profile = Name(code: 0x6943_4350)  // iCCP
    static let standardRGB = Name(code: 0x7352_4742)  // sRGB
    static let chromaticities = Name(code: 0x6348_524D)  // cHRM
    static let gamma = Name(code: 0x6741_4D41)  // gAMA
  }

  private let file: ByteView
  private var offset = PNGHeader.signature.count

  init(_ file: ByteView) {
    self.file = file
  }

  /// Returns the name of the next chunk and the range of its content in the file, or nil at the end of the
  /// file.
  ///
  /// In a truncated file the range may exceed the file.
  mutating func next() -> (name: Name, content: Range<Int>)? {
    guard let length = file.number32(at: offset), let code = file.number32(at: offset + 4) else { return nil }
    let content = offset + 8..<offset + 8 + length
    // Skips the checksum.
    offset = content.upperBound + 4
    return (Name(code: code), content)
  }
}

extension ByteView {
  /// Returns the content of a chunk of this file; nil if the chunk is truncated or its checksum is wrong.
  func intactChunk(_ content: Range<Int>) -> ByteView? {
    guard let checksum = number32(at: content.upperBound),
      // The checksum includes the name.
      let covered = part(content.lowerBound - 4..<content.upperBound), checksum == Int(covered.crc32)
    else { return nil }
    return part(content)
  }
}
