extension PNGChunks {
  /// Returns an encoded chunk with its checksum.
  static func chunk(_ name: String, _ content: [UInt8]) -> [UInt8] {
    let covered = Array(name.utf8) + content
    return bytes(content.count) + covered + bytes(Int(crc32(covered, in: covered.indices)))
  }

  /// Returns the lowest four bytes of `number`, the highest first.
  static func bytes(_ number: Int) -> [UInt8] {
    stride(from: 24, through: 0, by: -8).map { UInt8(truncatingIfNeeded: number >> $0) }
  }
}
