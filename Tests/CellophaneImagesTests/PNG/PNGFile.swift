internal import CellophaneImages
internal import TestSupport

/// A PNG built chunk by chunk, so that every part can be valid or invalid. Its rows are random bytes.
struct PNGFile {
  var width: Int
  var height: Int
  var color: UInt8
  var depth: UInt8
  var interlace: UInt8 = 0
  var palette: [UInt8]?
  var transparency: [UInt8]?
  /// The rows, each after its filter type.
  var rows: [UInt8] = []
  /// The first byte of the zlib stream: the compression method and the window size.
  var window: UInt8 = 0x78
  /// The lengths of the IDAT chunks, repeated.
  var parts = [Int.max]

  /// Creates a file of `rows` without PLTE and tRNS.
  init(color: UInt8, depth: UInt8 = 8, _ width: Int, _ height: Int, rows: [UInt8] = []) {
    (self.width, self.height, self.color, self.depth, self.rows) = (width, height, color, depth, rows)
  }

  /// All color types and depths of the standard, with and without tRNS.
  static let kinds: [(color: UInt8, depth: UInt8, transparency: Int?)] = [
    (0, 1, nil), (0, 2, nil), (0, 4, nil), (0, 8, nil), (0, 16, nil), (2, 8, nil), (2, 16, nil),
    (3, 1, nil), (3, 2, nil), (3, 4, nil), (3, 8, nil), (4, 8, nil), (4, 16, nil), (6, 8, nil), (6, 16, nil),
    (0, 1, 2), (0, 2, 2), (0, 4, 2), (0, 8, 2), (0, 16, 2), (2, 8, 6), (2, 16, 6), (3, 1, 2), (3, 2, 1),
    (3, 4, 9), (3, 8, 100),
  ]

  /// Creates a file of `kind`. The rows use the filters in order, repeated.
  ///
  /// With an even seed the samples have only a few values, so that transparent colors occur.
  init(
    _ kind: (color: UInt8, depth: UInt8, transparency: Int?), _ width: Int, _ height: Int, filters: [UInt8],
    seed: Int
  ) {
    (self.width, self.height, color, depth) = (width, height, kind.color, kind.depth)
    var numbers = SplitMix64(seed: seed)
    let few: [UInt8] = [0, 0, 0, 1, 0x80, 0xFF]
    for row in 0..<height where !filters.isEmpty {
      rows.append(filters[row % filters.count])
      for _ in 0..<rowBytes {
        rows.append(
          seed.isMultiple(of: 2)
            ? few[.random(in: few.indices, using: &numbers)] : .random(in: 0...255, using: &numbers)
        )
      }
    }
    if color == 3 {
      // Fewer colors than indices, so that some indices are invalid.
      let count = max(2, (1 << Int(depth)) * 3 / 4)
      palette = (0..<3 * count).map { _ in .random(in: 0...255, using: &numbers) }
      transparency = kind.transparency.map { alphas in
        (0..<min(alphas, count)).map { _ in .random(in: 0...255, using: &numbers) }
      }
    } else {
      transparency = kind.transparency.map { count in
        (0..<count).map { _ in few[.random(in: few.indices, using: &numbers)] }
      }
    }
  }

  var rowBytes: Int {
    let channels = [0: 1, 2: 3, 3: 1, 4: 2, 6: 4][color] ?? 1
    return (width * channels * Int(depth) + 7) / 8
  }

  var header: [UInt8] {
    pngChunk(
      "IHDR", bigEndian(UInt32(width)) + bigEndian(UInt32(height)) + [depth, color, 0, 0, interlace])
  }

  /// The zlib stream of `rows` in stored blocks of at most 1000 bytes.
  var stream: [UInt8] { zlibStored(rows, block: 1000, first: window) }

  var data: [UInt8] {
    var (left, chunks, index) = (stream[...], [UInt8](), 0)
    while !left.isEmpty {
      chunks += pngChunk("IDAT", Array(left.prefix(parts[index % parts.count])))
      left = left.dropFirst(parts[index % parts.count])
      index += 1
    }
    return chunks
  }

  /// The chunks between the header and the data.
  var colors: [UInt8] {
    (palette.map { pngChunk("PLTE", $0) } ?? []) + (transparency.map { pngChunk("tRNS", $0) } ?? [])
  }

  static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
  static let end = pngChunk("IEND", [])

  var bytes: [UInt8] { Self.signature + header + colors + data + Self.end }

  /// Returns `file` with corrected checksums of all complete chunks.
  static func resummed(_ file: [UInt8]) -> [UInt8] {
    var (result, offset) = (Array(file.prefix(8)), 8)
    while offset + 12 <= file.count {
      let length = file[offset..<offset + 4].reduce(0) { $0 << 8 | Int($1) }
      guard length <= file.count - offset - 12 else { break }
      let kind = String(decoding: file[offset + 4..<offset + 8], as: UTF8.self)
      guard kind.utf8.count == 4 else { break }
      result += pngChunk(kind, Array(file[offset + 8..<offset + 8 + length]))
      offset += length + 12
    }
    return result + file[offset...]
  }
}
