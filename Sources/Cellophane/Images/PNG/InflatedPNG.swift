/// A whole PNG, inflated at once, whose rows come without libpng: for files that are common and flawless.
/// All others are libpng's, errors and partial pictures included.
///
/// What it accepts, libpng accepts too and makes the same pixels of. One exception is known: libdeflate gives
/// codes a meaning that RFC 1951 leaves without one (lengths 286 and 287, distances 30 and 31, codes of
/// incomplete tables, repeats beyond the last code), where zlib fails. No encoder writes them, and damage does not keep three checksums.
struct InflatedPNG: ~Copyable {
  /// Zeros, at least a row of them; the rows as stored, each behind its filter and turned back when it is its
  /// turn; a few zeros.
  private var buffer: [UInt8]
  private let layout: Layout
  private let size: PixelSize
  private let expansion: PNGExpansion
  private var nextRow = 0

  /// Nil when the header says that libpng has to read the file, when anything in it is unusual, or when
  /// memory ran out. Otherwise all is well to the end of the file, and either all rows can be read or, if
  /// made `forWhole`, all pixels taken at once.
  init?(_ bytes: [UInt8], header: ImageHeader, forWhole: Bool) {
    guard let layout = Layout(header, forWhole: forWhole), let parts = FlawlessPNG(bytes, header: header),
      let buffer = layout.inflated(parts.compressed, of: bytes), layout.knowsFilters(in: buffer)
    else { return nil }
    size = header.size
    self.layout = layout
    self.buffer = buffer
    expansion = PNGExpansion(
      header, palette: bytes[parts.palette ?? 0..<0], transparency: bytes[parts.transparency ?? 0..<0])
  }

  /// The most that is held beside the result at once, in bytes; nil when the header says that libpng has to
  /// read the file.
  static func workingBytes(_ header: ImageHeader, forWhole: Bool) -> Int? {
    guard let layout = Layout(header, forWhole: forWhole) else { return nil }
    let held = layout.byteCount + layout.mostStoredBytes
    guard forWhole, let pixels = header.size.byteCount, layout.isAsLargeAs(pixels: pixels) else {
      return held
    }
    return held - pixels
  }

  /// Delivers the next `count` rows, 4 bytes per pixel, into `pixels`, from `offset` bytes on.
  mutating func read<Element: BitwiseCopyable>(
    _ count: Int, to pixels: inout MutableSpan<Element>, at offset: Int
  ) {
    let first = nextRow
    precondition(count >= 0 && first + count <= size.height)
    nextRow += count
    let (layout, width, expansion) = (layout, size.width, expansion)
    unsafe pixels.withUnsafeMutableBytes { destination in
      precondition(offset >= 0 && offset + count * width * 4 <= destination.count)
      guard let destination = destination.baseAddress else { return }
      unsafe buffer.withUnsafeMutableBytes { buffer in
        guard let rows = buffer.baseAddress else { return }
        for index in 0..<count {
          let row = layout.firstRow + (first + index) * layout.stride
          let pixels = offset + index * width * 4
          unsafe expansion.turnBack(rows + row, stride: layout.stride, width: width, to: destination + pixels)
        }
      }
    }
  }

  /// All pixels, written over the rows that they come from.
  consuming func pixels(_ watch: DecodingWatch) throws(LoadError) -> [UInt8] {
    let (layout, size, expansion) = (layout, size, expansion)
    let rowBytes = size.width * 4
    for strip in stride(from: 0, to: size.height, by: Drawing.stripHeight) {
      unsafe buffer.withUnsafeMutableBytes { buffer in
        guard let base = buffer.baseAddress else { return }
        for row in strip..<min(strip + Drawing.stripHeight, size.height) {
          let source = layout.firstRow + row * layout.stride
          precondition((row + 1) * rowBytes <= source && source + layout.stride <= buffer.count)
          unsafe expansion.turnBack(
            base + source, stride: layout.stride, width: size.width, to: base + row * rowBytes)
        }
      }
      try watch.look()
    }
    let count = rowBytes * size.height
    if !layout.isAsLargeAs(pixels: count) { return Array(buffer[..<count]) }
    buffer.removeLast(buffer.count - count)
    return buffer
  }
}

extension PNGExpansion {
  /// Undoes the filter of `row`, a byte before its samples, and writes its pixels. The row above it must lie
  /// `stride` bytes before it.
  @unsafe
  fileprivate func turnBack(
    _ row: UnsafeMutableRawPointer, stride: Int, width: Int, to pixels: UnsafeMutableRawPointer
  ) {
    let samples = unsafe row + 1
    // Every filter was checked when the picture was inflated.
    let filter = PNGFilter(rawValue: unsafe row.load(as: UInt8.self)) ?? .none
    unsafe filter.undo(samples, above: samples - stride, count: stride - 1, pixel: pixelBytes)
    unsafe expand(samples, width: width, to: pixels)
  }
}
