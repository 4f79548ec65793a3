/// The contents of a file, of which the zeros at the end of each part that was written take no memory, as the holes of
/// a sparse file take no room on a disk. Modelled pictures are little else: a run that has a thousand of them on its
/// modelled disk would need 50 MB for zeros.
struct SparseBytes: Sendable {
  private struct Part: Sendable {
    let bytes: [UInt8]
    /// How many zeros follow.
    let zeros: Int
  }

  /// The fewest zeros that are worth a copy of what is before them: a block of a disk.
  private static let shortestHole = 4_096

  private let parts: [Part]
  /// How many bytes there are.
  let count: Int

  /// The bytes of `parts`, one after the other. A part that does not end with zeros is shared, not copied.
  init(_ parts: [[UInt8]] = []) {
    count = parts.reduce(0) { $0 + $1.count }
    self.parts = parts.map { bytes in
      let zeros = Self.zeros(atEndOf: bytes)
      guard zeros >= Self.shortestHole else { return Part(bytes: bytes, zeros: 0) }
      return Part(bytes: Array(bytes.dropLast(zeros)), zeros: zeros)
    }
  }

  /// How many of them take memory.
  var stored: Int { parts.reduce(0) { $0 + $1.bytes.count } }

  /// All bytes. O(n), unless they were written at once and do not end with zeros.
  var all: [UInt8] {
    if parts.count == 1, let only = parts.first, only.zeros == 0 { return only.bytes }
    var all: [UInt8] = []
    all.reserveCapacity(count)
    for part in parts {
      all += part.bytes
      all.append(contentsOf: repeatElement(0, count: part.zeros))
    }
    return all
  }

  /// How many zeros `bytes` end with, counted in words of eight.
  private static func zeros(atEndOf bytes: [UInt8]) -> Int {
    // As words: one byte after the other takes as long as all the rest of a write.
    unsafe bytes.withUnsafeBytes { bytes in
      var end = bytes.count
      while end >= 8, unsafe bytes.loadUnaligned(fromByteOffset: end - 8, as: UInt64.self) == 0 { end -= 8 }
      return bytes.count - end
    }
  }
}
