/// The conversion of samples to red, green, blue and alpha, with the results of libpng.
///
/// Depths below 8 bits are scaled to 0...255. Depths of 16 bits are reduced to the high byte. The transparent
/// color of tRNS is compared before the reduction.
struct PNGExpansion {
  private enum Samples {
    /// One sample of 1...8 bits: a palette index or gray.
    case indices(depth: Int)
    case gray16, grayAlpha8, grayAlpha16, rgb8, rgb16, rgba8, rgba16
  }

  private let samples: Samples
  /// The pixel for each index: 256 entries, or none for color models without indices.
  private let colors: [UInt32]
  /// The transparent color, in the byte order in which a row is loaded. ``noColor`` if the file has none.
  private let transparent: UInt64
  /// The distance between pixels in bytes, at least 1, as defined for filters.
  let pixelBytes: Int

  /// The number of bytes after a row that are read but not used: pixels of six bytes are loaded as eight.
  static let overread = 2

  private static let opaque: UInt32 = 0xFF00_0000
  private static let noColor = UInt64.max

  /// Creates the expansion for `header`. `palette` and `transparency` are the contents of PLTE and tRNS.
  init(_ header: ImageHeader, palette: ArraySlice<UInt8>, transparency: ArraySlice<UInt8>) {
    let depth = header.bitDepth
    pixelBytes = max(header.pngPixelBits / 8, 1)
    let key = transparency.reduce(0) { $0 << 8 | UInt64($1) }
    var transparent = Self.noColor
    switch header.colorModel {
    case .indexed:
      samples = .indices(depth: depth)
      colors = Self.colors(palette: palette, alphas: transparency)
    case .gray where depth <= 8:
      samples = .indices(depth: depth)
      colors = Self.grays(depth: depth, transparent: transparency.isEmpty ? nil : Int(key))
    case .gray:
      (samples, colors) = (.gray16, [])
      if !transparency.isEmpty { transparent = key }
    case .rgb where depth == 8:
      (samples, colors) = (.rgb8, [])
      // tRNS has two bytes per sample; only the low byte is significant. A row is loaded in little-endian
      // order.
      if !transparency.isEmpty { transparent = (key >> 32 & 0xFF) | (key >> 8 & 0xFF00) | (key & 0xFF) << 16 }
    case .rgb:
      (samples, colors) = (.rgb16, [])
      if !transparency.isEmpty { transparent = key.byteSwapped >> 16 }
    case .grayAlpha: (samples, colors) = (depth == 8 ? .grayAlpha8 : .grayAlpha16, [])
    case .rgba, .cmyk: (samples, colors) = (depth == 8 ? .rgba8 : .rgba16, [])
    }
    self.transparent = transparent
  }

  /// Returns the pixels of a palette. Indices beyond the palette are opaque black, as in libpng.
  private static func colors(palette: ArraySlice<UInt8>, alphas: ArraySlice<UInt8>) -> [UInt32] {
    var colors = Array(repeating: opaque, count: 256)
    let bytes = Array(palette)
    for index in 0..<bytes.count / 3 {
      let (red, green, blue) = (bytes[index * 3], bytes[index * 3 + 1], bytes[index * 3 + 2])
      colors[index] |= UInt32(red) | UInt32(green) << 8 | UInt32(blue) << 16
    }
    for (index, alpha) in alphas.enumerated() {
      colors[index] = colors[index] & ~opaque | UInt32(alpha) << 24
    }
    return colors
  }

  private static func grays(depth: Int, transparent: Int?) -> [UInt32] {
    let maximum = 1 << depth - 1
    return (0..<256).map { index in
      let gray = UInt32((index & maximum) * 255 / maximum)
      let alpha = index == transparent.map { $0 & maximum } ? 0 : opaque
      return gray * 0x01_0101 | alpha
    }
  }

  /// Writes `width` pixels of four bytes. ``overread`` more bytes must follow `row`.
  ///
  /// Uses pointers for the same reason as ``PNGFilter/undo(_:above:count:pixel:)``.
  @unsafe
  func expand(_ row: UnsafeRawPointer, width: Int, to pixels: UnsafeMutableRawPointer) {
    switch samples {
    case .indices(8):
      unsafe colors.withUnsafeBufferPointer { colors in
        unsafe Self.writePixels(width, pixels) {
          unsafe colors[Int(row.load(fromByteOffset: $0, as: UInt8.self))]
        }
      }
    case .indices(4): unsafe expand(packed: row, width, depth: 4, to: pixels)
    case .indices(2): unsafe expand(packed: row, width, depth: 2, to: pixels)
    case .indices: unsafe expand(packed: row, width, depth: 1, to: pixels)
    case .gray16:
      unsafe Self.writePixels(width, pixels) { index in
        let gray = UInt16(bigEndian: unsafe row.loadUnaligned(fromByteOffset: index * 2, as: UInt16.self))
        return UInt32(gray >> 8) * 0x01_0101 | (UInt64(gray) == transparent ? 0 : Self.opaque)
      }
    case .grayAlpha8:
      unsafe Self.writePixels(width, pixels) { index in
        let pixel = UInt32(
          UInt16(littleEndian: unsafe row.loadUnaligned(fromByteOffset: index * 2, as: UInt16.self)))
        return (pixel & 0xFF) * 0x01_0101 | (pixel & 0xFF00) << 16
      }
    case .grayAlpha16:
      unsafe Self.writePixels(width, pixels) { index in
        let pixel = unsafe Self.load4(row + index * 4)
        return (pixel & 0xFF) * 0x01_0101 | (pixel & 0xFF_0000) << 8
      }
    case .rgb8 where transparent == Self.noColor:
      unsafe Self.writePixels(width, pixels) { unsafe Self.load4(row + $0 * 3) | Self.opaque }
    case .rgb8:
      unsafe Self.writePixels(width, pixels) { index in
        let color = unsafe Self.load4(row + index * 3) & ~Self.opaque
        return UInt64(color) == transparent ? color : color | Self.opaque
      }
    case .rgb16:
      unsafe Self.writePixels(width, pixels) { index in
        let pixel = unsafe Self.load8(row + index * 6) & 0xFFFF_FFFF_FFFF
        let color = UInt32(truncatingIfNeeded: pixel & 0xFF | pixel >> 8 & 0xFF00 | pixel >> 16 & 0xFF_0000)
        return pixel == transparent ? color : color | Self.opaque
      }
    case .rgba8:
      unsafe pixels.copyMemory(from: row, byteCount: width * 4)
    case .rgba16:
      unsafe Self.writePixels(width, pixels) { index in
        let pixel = unsafe Self.load8(row + index * 8)
        let low = pixel & 0xFF | pixel >> 8 & 0xFF00
        return UInt32(truncatingIfNeeded: low | pixel >> 16 & 0xFF_0000 | pixel >> 24 & 0xFF00_0000)
      }
    }
  }

  /// Expands packed indices; the first index of a byte has the highest bits. Inlined as a separate loop for
  /// each depth.
  @inline(__always)
  private func expand(
    packed row: UnsafeRawPointer, _ width: Int, depth: Int, to pixels: UnsafeMutableRawPointer
  ) {
    let perByte = 8 / depth
    unsafe colors.withUnsafeBufferPointer { colors in
      unsafe Self.writePixels(width, pixels) { index in
        let byte = Int(unsafe row.load(fromByteOffset: index / perByte, as: UInt8.self))
        let shift = 8 &- depth &* (index % perByte &+ 1)
        return unsafe colors[byte &>> shift & (1 << depth - 1)]
      }
    }
  }

  @inline(__always)
  private static func writePixels(
    _ width: Int, _ pixels: UnsafeMutableRawPointer, _ color: (Int) -> UInt32
  ) {
    for index in 0..<width {
      let pixel = color(index).littleEndian
      unsafe pixels.storeBytes(of: pixel, toByteOffset: index &* 4, as: UInt32.self)
    }
  }

  /// Loads four bytes in little-endian order.
  @inline(__always)
  private static func load4(_ source: UnsafeRawPointer) -> UInt32 {
    UInt32(littleEndian: unsafe source.loadUnaligned(as: UInt32.self))
  }

  /// Loads eight bytes in little-endian order.
  @inline(__always)
  private static func load8(_ source: UnsafeRawPointer) -> UInt64 {
    UInt64(littleEndian: unsafe source.loadUnaligned(as: UInt64.self))
  }
}
