extension InflatedPNG {
  /// The layout of the buffer for the inflated rows.
  ///
  /// Zeros precede the first row and serve as the row above it. If pixels are expanded in place, the rows
  /// begin late enough that pixels, written from the start of the buffer, never overwrite a row that is still
  /// needed.
  struct Layout {
    /// The bytes of a row with its filter type.
    let stride: Int
    /// The offset of the first row.
    let firstRow: Int
    private let height: Int
    private let pixelBytes: Int

    /// The maximum number of bytes that are inflated at once. 32 MB are about 11 megapixels of RGB or 8 of
    /// RGBA.
    ///
    /// libdeflate needs all of them in memory, libpng needs two rows. Larger images are streamed through
    /// libpng, which keeps the peak memory for the thumbnail of a 12-megapixel photograph below 40 MB.
    static let maxInflatedBytes = 32 << 20
    /// The maximum expansion factor of Deflate: four copies of 258 bytes, of two bits each, from one byte.
    private static let maxExpansion = 1032
    /// The number of zeros after the last row.
    private static let overread = max(PNGFilter.overread, PNGExpansion.overread)

    /// Returns nil if the header requires libpng. `expandsInPlace` reserves space for all pixels.
    init?(_ header: ImageHeader, expandsInPlace: Bool) {
      // A row has at least one bit per pixel, so the next lines cannot overflow.
      guard !header.isProgressive, let area = header.size.area,
        area <= Self.maxInflatedBytes * 8
      else { return nil }
      (height, pixelBytes) = (header.size.height, area * 4)
      stride = 1 + header.pngRowBytes
      guard stride * height <= Self.maxInflatedBytes else { return nil }
      let pixelRowBytes = header.size.width * 4
      firstRow = expandsInPlace ? max(stride, pixelRowBytes, pixelBytes - stride * (height - 1)) : stride
    }

    /// The size of the buffer.
    var byteCount: Int { firstRow + stride * height + Self.overread }

    /// The maximum number of bytes of compressed data.
    ///
    /// Rows that cannot be compressed need no more than this: an eighth and 64 KB are enough for the block
    /// headers. A larger size indicates a malicious file.
    var maxCompressedBytes: Int { stride * height * 9 / 8 + 64 << 10 }

    /// Returns true if the buffer is hardly larger than `count` bytes of pixels, so that it can become the
    /// result. This is the case for all depths except 16 bits.
    func isReusable(forPixels count: Int) -> Bool { byteCount - count <= 2 * stride + height + Self.overread }

    /// Inflates the concatenation of `parts` of `file` into a new buffer. Returns nil if the data has any
    /// error.
    func inflated(_ parts: [Range<Int>], of file: [UInt8]) -> [UInt8]? {
      let count = stride * height
      let compressed = parts.reduce(0) { $0 + $1.count }
      // Impossible lengths are rejected before any allocation.
      guard let first = parts.first, compressed >= count / Self.maxExpansion,
        compressed <= maxCompressedBytes,
        let inflater = Inflater()
      else { return nil }
      // zlib rejects distances beyond the window size in the stream header. libdeflate ignores that size.
      let window = 256 << Int(file[first.lowerBound] >> 4)
      guard window >= min(count, 32 << 10) else { return nil }
      if parts.count == 1 {
        return inflater.inflated(file, in: first, count: count, before: firstRow, after: Self.overread)
      }
      var joined: [UInt8] = []
      joined.reserveCapacity(compressed)
      for part in parts { joined.append(contentsOf: file[part]) }
      return inflater.inflated(
        joined, in: joined.indices, count: count, before: firstRow, after: Self.overread)
    }

    /// Returns true if every row in `buffer` has a defined filter type.
    func hasValidFilters(_ buffer: [UInt8]) -> Bool {
      (0..<height).allSatisfy { buffer[firstRow + $0 * stride] <= PNGFilter.paeth.rawValue }
    }
  }
}

extension ImageHeader {
  /// The bits of one pixel in a PNG.
  var pngPixelBits: Int {
    switch colorModel {
    case .gray, .indexed: bitDepth
    case .grayAlpha: bitDepth * 2
    case .rgb: bitDepth * 3
    case .rgba, .cmyk: bitDepth * 4
    }
  }

  /// The bytes of one row in a PNG, without its filter type.
  var pngRowBytes: Int { (size.width * pngPixelBits + 7) / 8 }
}
