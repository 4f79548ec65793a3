extension JPEGSegments {
  /// Returns an encoded segment, or nil if the content exceeds 64 KB.
  static func segment(_ marker: UInt8, _ content: [UInt8]) -> [UInt8]? {
    guard let length = UInt16(exactly: content.count + 2) else { return nil }
    return [0xFF, marker, UInt8(length >> 8), UInt8(length & 0xFF)] + content
  }
}
