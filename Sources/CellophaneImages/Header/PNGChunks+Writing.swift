extension PNGChunks {
  /// Returns an encoded chunk with its checksum.
  static func chunk(_ name: String, _ content: [UInt8]) -> [UInt8] {
    var chunk: [UInt8] = []
    chunk.append(bigEndian: UInt32(content.count))
    chunk += Array(name.utf8) + content
    chunk.append(bigEndian: crc32(chunk, in: 4..<chunk.count))
    return chunk
  }
}

extension [UInt8] {
  fileprivate mutating func append(bigEndian number: UInt32) {
    for shift in stride(from: 24, through: 0, by: -8) {
      append(UInt8(truncatingIfNeeded: number >> UInt32(shift)))
    }
  }
}
