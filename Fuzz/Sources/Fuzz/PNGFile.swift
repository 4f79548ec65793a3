import CFuzzing

/// The chunks of a PNG file. Reads as many chunks as are complete, and writes correct lengths and checksums.
struct PNGFile {
  struct Chunk {
    var type: [UInt8]
    var content: [UInt8]

    func isNamed(_ name: String) -> Bool { type.elementsEqual(name.utf8) }
  }

  static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

  var chunks: [Chunk]
  /// The bytes after IEND, or an incomplete last chunk.
  var rest: [UInt8] = []

  init(chunks: [Chunk]) {
    self.chunks = chunks
  }

  /// Reads the chunks of `file`. Returns nil if the file has no PNG signature.
  init?(_ file: [UInt8]) {
    guard file.starts(with: Self.signature) else { return nil }
    chunks = []
    var left = file.dropFirst(Self.signature.count)
    while left.count >= 12, chunks.last?.isNamed("IEND") != true {
      let length = left.prefix(4).reduce(0) { $0 << 8 | Int($1) }
      let type = Array(left.dropFirst(4).prefix(4))
      let content = Array(left.dropFirst(8).prefix(min(length, left.count - 12)))
      chunks.append(Chunk(type: type, content: content))
      left = left.dropFirst(content.count + 12)
    }
    rest = Array(left)
  }

  var bytes: [UInt8] {
    var file = Self.signature
    for chunk in chunks {
      let body = chunk.type + chunk.content
      file += Self.bigEndian(UInt32(chunk.content.count)) + body
      file += Self.bigEndian(fuzzing_crc32(body, body.count))
    }
    return file + rest
  }

  private static func bigEndian(_ value: UInt32) -> [UInt8] {
    [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }
  }
}

extension PNGFile {
  /// The contents of all IDAT chunks.
  var deflated: [UInt8] {
    get { chunks.filter { $0.isNamed("IDAT") }.flatMap(\.content) }
    set {
      guard let first = chunks.firstIndex(where: { $0.isNamed("IDAT") }) else { return }
      let type = chunks[first].type
      chunks.removeAll { $0.isNamed("IDAT") }
      chunks.insert(Chunk(type: type, content: newValue), at: first)
    }
  }
}
