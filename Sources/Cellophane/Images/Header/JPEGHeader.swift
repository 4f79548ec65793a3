/// Reads what stands before the first scan of a JPEG (ITU-T T.81, annex B).
struct JPEGHeader {
  static let signature: [UInt8] = [0xFF, 0xD8, 0xFF]

  private struct Frame {
    let size: PixelSize
    let components: Int
    let isProgressive: Bool
    let isArithmetic: Bool
    let coefficientBytes: Int
  }

  private var frame: Frame?
  private var orientation: Orientation?

  private init() {}

  static func read(_ file: ByteView) throws(LoadError) -> ImageHeader {
    var header = JPEGHeader()
    var blocks = JPEGBlocks(file)
    while true {
      let (marker, block) = try blocks.next()
      switch marker {
      case 0xC4, 0xCC: continue
      case 0xC0...0xCF: try header.readFrame(block, marker: marker)
      case 0xDE: throw unsupported("hierarchical")
      case 0xF7: throw unsupported("of the kind JPEG-LS")
      case 0xE1: header.readExif(block)
      case 0xDA: return try header.header(firstScan: block)
      default: continue
      }
    }
  }

  private mutating func readFrame(_ block: ByteView, marker: UInt8) throws(LoadError) {
    guard frame == nil else { throw LoadError(.corrupt, "the JPEG has two frames") }
    guard let precision = block.byte(at: 0), let height = block.number16(at: 1),
      let width = block.number16(at: 3), let components = block.byte(at: 5)
    else { throw LoadError(.corrupt, "the JPEG's frame header is too short") }
    switch marker {
    case 0xC0, 0xC1, 0xC2, 0xC9, 0xCA: break
    case 0xC3, 0xC7, 0xCB, 0xCF: throw Self.unsupported("lossless")
    case 0xC5, 0xC6, 0xCD, 0xCE: throw Self.unsupported("hierarchical")
    default: throw Self.unsupported("of an unknown kind")
    }
    guard precision == 8 else { throw Self.unsupported("of \(precision) bits per sample") }
    guard width > 0, components > 0, block.count == 6 + Int(components) * 3 else {
      throw LoadError(.corrupt, "the JPEG's frame header is wrong")
    }
    guard [1, 3, 4].contains(components) else { throw Self.unsupported("of \(components) components") }
    guard height > 0 else { throw Self.unsupported("without a height in its header (DNL)") }
    let size = PixelSize(width: width, height: height)
    frame = Frame(
      size: size, components: Int(components), isProgressive: marker == 0xC2 || marker == 0xCA,
      isArithmetic: marker == 0xC9 || marker == 0xCA,
      coefficientBytes: try coefficientBytes(block, size: size, components: Int(components)))
  }

  private static func unsupported(_ kind: String) -> LoadError {
    LoadError(.unsupported, "the JPEG is \(kind); only baseline and progressive of 8 bits can be decoded")
  }

  /// Blocks of 64 coefficients of 2 bytes; each component's blocks fill whole units of the interleaved scan
  /// (T.81, A.1.1 and A.2.4). At most 65 535 on a side, so that nothing overflows.
  private func coefficientBytes(
    _ block: ByteView, size: PixelSize, components: Int
  ) throws(LoadError) -> Int {
    let factors = (0..<components).compactMap { block.byte(at: 7 + $0 * 3) }
      .map { (across: Int($0 >> 4), down: Int($0 & 15)) }
    guard factors.allSatisfy({ (1...4).contains($0.across) && (1...4).contains($0.down) }) else {
      throw LoadError(.corrupt, "the JPEG's sampling factors are not in 1...4")
    }
    let across = factors.map(\.across).max() ?? 1
    let down = factors.map(\.down).max() ?? 1
    let units = (size.width + 8 * across - 1) / (8 * across) * ((size.height + 8 * down - 1) / (8 * down))
    return units * factors.map { $0.across * $0.down }.reduce(0, +) * 128
  }

  private mutating func readExif(_ block: ByteView) {
    if orientation == nil, let tiff = block.exif { orientation = Orientation(tiff: tiff) }
  }

  private func header(firstScan block: ByteView) throws(LoadError) -> ImageHeader {
    guard let frame, let inScan = block.byte(at: 0) else {
      throw LoadError(.corrupt, "the JPEG's first scan comes before its frame header")
    }
    let hasSeveralScans = frame.isProgressive || Int(inScan) < frame.components
    let model: ImageHeader.ColorModel =
      switch frame.components {
      case 1: .gray
      case 3: .rgb
      default: .cmyk
      }
    return ImageHeader(
      format: .jpeg, size: frame.size, orientation: orientation ?? .up, bitDepth: 8, colorModel: model,
      isProgressive: hasSeveralScans, coefficientBytes: hasSeveralScans ? frame.coefficientBytes : 0,
      isArithmetic: frame.isArithmetic)
  }
}
