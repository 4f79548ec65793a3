internal import CellophaneImages
internal import TestSupport

/// Returns a PNG with `chunks` inserted before its pixels.
func colored(png: [UInt8], _ chunks: [(String, [UInt8])]) -> [UInt8] {
  // Inserts after the signature and IHDR.
  Array(png[..<33]) + chunks.flatMap { pngChunk($0.0, $0.1) } + png[33...]
}

/// Returns the content of an iCCP chunk.
func iccp(_ profile: [UInt8]) -> [UInt8] { Array("a name".utf8) + [0, 0] + zlibStored(profile) }

/// Returns the content of a cHRM chunk: white, red, green and blue.
func chrm(_ points: [Double]) -> [UInt8] {
  points.flatMap { bigEndian(UInt32(($0 * 100_000).rounded())) }
}

/// Returns the content of a gAMA chunk.
func gama(_ exponent: Double) -> [UInt8] { bigEndian(UInt32((exponent * 100_000).rounded())) }

/// Returns a JPEG with `segments` (marker and content) inserted after its start marker.
func colored(jpeg: [UInt8], _ segments: [(UInt8, [UInt8])]) -> [UInt8] {
  let inserted = segments.flatMap { marker, content -> [UInt8] in
    let length = content.count + 2
    return [0xFF, marker, UInt8(length >> 8), UInt8(length & 255)] + content
  }
  return Array(jpeg[..<2]) + inserted + jpeg[2...]
}

/// Returns the APP2 segments with `profile`, in parts of `size` bytes.
func app2(_ profile: [UInt8], size: Int = 65_000) -> [(UInt8, [UInt8])] {
  let parts = stride(from: 0, to: profile.count, by: size).map {
    profile[$0..<min($0 + size, profile.count)]
  }
  return parts.enumerated().map { index, part in
    (0xE2, Array("ICC_PROFILE\0".utf8) + [UInt8(index + 1), UInt8(parts.count)] + part)
  }
}

/// Returns the EXIF segment of a JPEG with a ColorSpace and an optional interoperability index.
func exif(colorSpace: UInt16, index: String?, bigEndian: Bool) -> (UInt8, [UInt8]) {
  func number(_ value: Int, _ count: Int) -> [UInt8] {
    let bytes = (0..<count).map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
    return bigEndian ? bytes.reversed() : bytes
  }
  func entry(_ tag: Int, _ type: Int, _ count: Int, _ value: [UInt8]) -> [UInt8] {
    number(tag, 2) + number(type, 2) + number(count, 4) + value
  }
  func directory(_ entries: [[UInt8]]) -> [UInt8] {
    number(entries.count, 2) + entries.joined() + number(0, 4)
  }
  var tiff = Array((bigEndian ? "MM" : "II").utf8) + number(42, 2) + number(8, 4)
  tiff += directory([
    entry(0x0112, 3, 1, number(1, 2) + [0, 0]), entry(0x8769, 4, 1, number(8 + 30, 4)),
  ])
  tiff += directory([
    entry(0xA001, 3, 1, number(Int(colorSpace), 2) + [0, 0]), entry(0xA005, 4, 1, number(38 + 30, 4)),
  ])
  if let index { tiff += directory([entry(1, 2, 4, Array(index.utf8) + [0])]) }
  return (0xE1, Array("Exif\0\0".utf8) + tiff)
}

/// Returns a zlib stream that expands about 160 times, to `runs` * 258 + 1 zeros.
func zlibBomb(runs: Int) -> [UInt8] {
  var stream: [UInt8] = [0x78, 0x01]
  var (bits, count) = (UInt32(0), 0)
  func append(_ value: UInt32, _ length: Int) {
    bits |= value << UInt32(count)
    count += length
    while count >= 8 {
      stream.append(UInt8(truncatingIfNeeded: bits))
      bits >>= 8
      count -= 8
    }
  }
  append(0b011, 3)  // the last block, fixed codes
  append(0b0000_1100, 8)  // a zero: 0011 0000, first bit first
  for _ in 0..<runs {
    append(0b1010_0011, 8)  // 258 bytes (symbol 285: 1100 0101)
    append(0, 5)  // distance 1
  }
  append(0, 7)  // the end
  append(0, 7)
  return stream + bigEndian(UInt32((runs * 258 + 1) % 65_521) << 16 | 1)
}
