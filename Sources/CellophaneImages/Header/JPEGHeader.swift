/// A parser of the segments of a JPEG before its first scan (ITU-T T.81, annex B).
package struct JPEGHeader {
  /// The first bytes of every JPEG.
  package static let signature: [UInt8] = [0xFF, 0xD8, 0xFF]

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
    var segments = JPEGSegments(file)
    while true {
      let (marker, segment) = try segments.next()
      switch marker {
      case 0xC4, 0xCC: continue
      case 0xC0...0xCF: try header.readFrame(segment, marker: marker)
      case 0xDE: throw unsupported("hierarchical")
      case 0xF7: throw unsupported("JPEG-LS")
      case 0xE1: header.readExif(segment)
      case 0xDA: return try header.imageHeader(firstScan: segment)
      default: continue
      }
    }
  }

  private mutating func readFrame(_ segment: ByteView, marker: UInt8) throws(LoadError) {
    guard frame == nil else { throw LoadError(.corrupt, "the JPEG has two frame headers") }
    guard let precision = segment.byte(at: 0), let height = segment.number16(at: 1),
      let width = segment.number16(at: 3), let components = segment.byte(at: 5)
    else { throw LoadError(.corrupt, "the frame header of the JPEG is too short") }
    switch marker {
    case 0xC0, 0xC1, 0xC2, 0xC9, 0xCA: break
    case 0xC3, 0xC7, 0xCB, 0xCF: throw Self.unsupported("lossless")
    case 0xC5, 0xC6, 0xCD, 0xCE: throw Self.unsupported("hierarchical")
    default: throw Self.unsupported("of an unknown type")
    }
    guard precision == 8 else { throw Self.unsupported("of \(precision) bits per sample") }
    guard width > 0, components > 0, segment.count == 6 + Int(components) * 3 else {
      throw LoadError(.corrupt, "the frame header of the JPEG is invalid")
    }
    guard [1, 3, 4].contains(components) else { throw Self.unsupported("of \(components) components") }
    guard height > 0 else { throw Self.unsupported("without a height in its header (DNL)") }
    let size = PixelSize(width: width, height: height)
    frame = Frame(
      size: size, components: Int(components), isProgressive: marker == 0xC2 || marker == 0xCA,
      isArithmetic: marker == 0xC9 || marker == 0xCA,
      coefficientBytes: try coefficientBytes(segment, size: size, components: Int(components)))
  }

  private static func unsupported(_ property: String) -> LoadError {
    LoadError(
      .unsupported,
      "the JPEG is \(property); only baseline and progressive JPEG of 8 bits per sample can be decoded")
  }

  /// Returns the memory for the coefficients: blocks of 64 coefficients of 2 bytes.
  ///
  /// The blocks of each component fill complete units of the interleaved scan (T.81, A.1.1 and A.2.4). No
  /// side exceeds 65 535, so no product overflows.
  private func coefficientBytes(
    _ segment: ByteView, size: PixelSize, components: Int
  ) throws(LoadError) -> Int {
    let factors = (0..<components).compactMap { segment.byte(at: 7 + $0 * 3) }
      .map { (across: Int($0 >> 4), down: Int($0 & 15)) }
    guard factors.allSatisfy({ (1...4).contains($0.across) && (1...4).contains($0.down) }) else {
      throw LoadError(.corrupt, "the sampling factors of the JPEG are not from 1 to 4")
    }
    let across = factors.map(\.across).max() ?? 1
    let down = factors.map(\.down).max() ?? 1
    let units = (size.width + 8 * across - 1) / (8 * across) * ((size.height + 8 * down - 1) / (8 * down))
    return units * factors.map { $0.across * $0.down }.reduce(0, +) * 128
  }

  private mutating func readExif(_ segment: ByteView) {
    if orientation == nil, let tiff = segment.exif { orientation = Orientation(tiff: tiff) }
  }

  private func imageHeader(firstScan segment: ByteView) throws(LoadError) -> ImageHeader {
    guard let frame, let scanComponents = segment.byte(at: 0) else {
      throw LoadError(.corrupt, "the first scan of the JPEG precedes its frame header")
    }
    let hasSeveralScans = frame.isProgressive || Int(scanComponents) < frame.components
    let model: ImageHeader.ColorModel =
      switch frame.components {
      case 1: .gray
      case 3: .rgb
      default: .cmyk
      }
    return ImageHeader(
      format: .jpeg, size: frame.size, orientation: orientation ?? .up, bitDepth: 8, colorModel: model,
      isProgressive: hasSeveralScans, bufferBytes: hasSeveralScans ? frame.coefficientBytes : 0,
      minimumFileBytes: minimumFileBytes(frame))
  }

  /// Returns the minimum size of a complete file, in bytes.
  ///
  /// A Huffman code has at least one bit, and every block of 8x8 samples needs a code. If no component is sampled
  /// at the full resolution of the grid, the components have together at least half as many blocks as the grid.
  /// Arithmetic coding has no such bound.
  private func minimumFileBytes(_ frame: Frame) -> Int {
    frame.isArithmetic ? 0 : (frame.size.area ?? 0) / 128 / 8
  }
}
