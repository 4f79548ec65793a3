extension InflatedPNG {
  /// Where the inflated rows lie: behind zeros, which stand for the row above the first, and far enough back
  /// that pixels written from the start on never reach a row that is still needed.
  struct Layout {
    /// Bytes of a row with its filter.
    let stride: Int
    /// Where the first row begins.
    let firstRow: Int
    private let height: Int
    private let pixelBytes: Int

    /// The most bytes that are inflated at once. 32 MB, about 11 Mpx of RGB or 8 of RGBA: libdeflate needs
    /// the whole of them in memory, where libpng needs two rows. Larger pictures stream through libpng,
    /// which keeps the thumbnail of a photograph of 12 Mpx below 40 MB.
    static let mostInflatedBytes = 32 << 20
    /// The most bytes that deflate makes of one: four copies of 258 in two bits each.
    private static let mostExpansion = 1032
    /// Zeros behind the last row.
    private static let overread = max(PNGFilter.overread, PNGExpansion.overread)

    /// Nil when the header says that libpng has to read the file. `forWhole` leaves room for all pixels.
    init?(_ header: ImageHeader, forWhole: Bool) {
      // A row is at least one bit per pixel, so that nothing below overflows.
      guard header.format == .png, !header.isProgressive, let area = header.size.area,
        area <= Self.mostInflatedBytes * 8
      else { return nil }
      (height, pixelBytes) = (header.size.height, area * 4)
      stride = 1 + header.pngRowBytes
      guard stride * height <= Self.mostInflatedBytes else { return nil }
      let rowOfPixels = header.size.width * 4
      firstRow = forWhole ? max(stride, rowOfPixels, pixelBytes - stride * (height - 1)) : stride
    }

    /// Bytes in all.
    var byteCount: Int { firstRow + stride * height + Self.overread }

    /// The most bytes of compressed data that are joined: as many as rows that could not be compressed take,
    /// with an eighth and 64 KB for the heads of their blocks. What is larger was made to be.
    var mostStoredBytes: Int { stride * height * 9 / 8 + 64 << 10 }

    /// Whether the buffer is about as large as the pixels, so that it can be given away with them: always but
    /// for 16 bits.
    func isAsLargeAs(pixels count: Int) -> Bool { byteCount - count <= 2 * stride + height + Self.overread }

    /// The buffer with its rows, from `parts` of `file`, which follow each other; nil unless their data is
    /// flawless.
    func inflated(_ parts: [Range<Int>], of file: [UInt8]) -> [UInt8]? {
      let count = stride * height
      let stored = parts.reduce(0) { $0 + $1.count }
      // What is too short or too long is known before anything is allocated.
      guard let first = parts.first, stored >= count / Self.mostExpansion, stored <= mostStoredBytes,
        let inflater = Inflater()
      else { return nil }
      // zlib refuses distances beyond the window that the stream states; libdeflate does not look at it.
      let window = 256 << Int(file[first.lowerBound] >> 4)
      guard window >= min(count, 32 << 10) else { return nil }
      if parts.count == 1 {
        return inflater.inflated(file, in: first, count: count, before: firstRow, after: Self.overread)
      }
      var joined: [UInt8] = []
      joined.reserveCapacity(stored)
      for part in parts { joined.append(contentsOf: file[part]) }
      return inflater.inflated(
        joined, in: joined.indices, count: count, before: firstRow, after: Self.overread)
    }

    /// Whether every row in `buffer` has a filter that exists.
    func knowsFilters(in buffer: [UInt8]) -> Bool {
      (0..<height).allSatisfy { buffer[firstRow + $0 * stride] <= PNGFilter.paeth.rawValue }
    }
  }
}

extension ImageHeader {
  /// Bits of one pixel in a PNG.
  var pngPixelBits: Int {
    switch colorModel {
    case .gray, .indexed: bitDepth
    case .grayAlpha: bitDepth * 2
    case .rgb: bitDepth * 3
    case .rgba, .cmyk: bitDepth * 4
    }
  }

  /// Bytes of one row in a PNG, without its filter.
  var pngRowBytes: Int { (size.width * pngPixelBits + 7) / 8 }
}
