/// A PNG whose data is inflated in one call and decoded without libpng: the fast path for valid files.
///
/// libpng decodes all other files, including damaged and partial ones. It also accepts every file that this
/// type accepts, and decodes the same pixels, with one known exception. libdeflate accepts codes that RFC
/// 1951 does not define, where zlib fails: lengths 286 and 287, distances 30 and 31, codes of incomplete
/// tables, repeats beyond the last code. No encoder writes such codes, and damage would have to match three
/// checksums.
struct InflatedPNG: ~Copyable {
  /// At least one row of zeros; the rows, each after its filter type; a few zeros. The filter of a row is
  /// undone in place when the row is read.
  private var buffer: [UInt8]
  private let layout: Layout
  private let size: PixelSize
  private let expansion: PNGExpansion
  private var nextRow = 0

  /// Inflates the data of a PNG.
  ///
  /// Returns nil if the header requires libpng, the file has any error, or an allocation fails. Otherwise the
  /// file is valid to its end. With `expandsInPlace`, call ``pixels(_:)``, else ``read(_:to:at:)``.
  init?(_ bytes: [UInt8], header: ImageHeader, expandsInPlace: Bool) {
    guard let layout = Layout(header, expandsInPlace: expandsInPlace),
      let parts = ValidPNG(bytes, header: header), let buffer = layout.inflated(parts.compressed, of: bytes),
      layout.hasValidFilters(buffer)
    else { return nil }
    size = header.size
    self.layout = layout
    self.buffer = buffer
    expansion = PNGExpansion(
      header, palette: bytes[parts.palette ?? 0..<0], transparency: bytes[parts.transparency ?? 0..<0])
  }

  /// Returns the peak memory in addition to the result, in bytes, or nil if the header requires libpng.
  static func workingBytes(_ header: ImageHeader, expandsInPlace: Bool) -> Int? {
    guard let layout = Layout(header, expandsInPlace: expandsInPlace) else { return nil }
    let total = layout.byteCount + layout.maxCompressedBytes
    guard expandsInPlace, let pixels = header.size.byteCount, layout.isReusable(forPixels: pixels) else {
      return total
    }
    return total - pixels
  }

  /// Writes the next `count` rows, 4 bytes per pixel, to `pixels` at `offset` bytes.
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
          unsafe expansion.unfilterAndExpand(
            rows + row, stride: layout.stride, width: width, to: destination + pixels)
        }
      }
    }
  }

  /// Returns all pixels, expanded in place over the rows.
  ///
  /// - Throws: ``LoadError/cancelled`` or ``LoadError/Kind/timeout``.
  consuming func pixels(_ watch: DecodingWatch) throws(LoadError) -> [UInt8] {
    let (layout, size, expansion) = (layout, size, expansion)
    let rowBytes = size.width * 4
    for strip in stride(from: 0, to: size.height, by: ImageAssembler.stripHeight) {
      unsafe buffer.withUnsafeMutableBytes { buffer in
        guard let base = buffer.baseAddress else { return }
        for row in strip..<min(strip + ImageAssembler.stripHeight, size.height) {
          let source = layout.firstRow + row * layout.stride
          precondition((row + 1) * rowBytes <= source && source + layout.stride <= buffer.count)
          unsafe expansion.unfilterAndExpand(
            base + source, stride: layout.stride, width: size.width, to: base + row * rowBytes)
        }
      }
      try watch.check()
    }
    let count = rowBytes * size.height
    if !layout.isReusable(forPixels: count) { return Array(buffer[..<count]) }
    buffer.removeLast(buffer.count - count)
    return buffer
  }
}

extension PNGExpansion {
  /// Undoes the filter of `row` in place and writes its pixels.
  ///
  /// `row` points to the filter type, one byte before the samples. The row above must be `stride` bytes
  /// before.
  @unsafe
  fileprivate func unfilterAndExpand(
    _ row: UnsafeMutableRawPointer, stride: Int, width: Int, to pixels: UnsafeMutableRawPointer
  ) {
    let samples = unsafe row + 1
    // `Layout.hasValidFilters` has checked the filter type.
    let filter = PNGFilter(rawValue: unsafe row.load(as: UInt8.self)) ?? .none
    unsafe filter.undo(samples, above: samples - stride, count: stride - 1, pixel: pixelBytes)
    unsafe expand(samples, width: width, to: pixels)
  }
}
