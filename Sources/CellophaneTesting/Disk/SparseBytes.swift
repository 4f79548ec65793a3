/// The contents of a file. Zeros at the end of a written part take no memory, as holes of a sparse file take no space
/// on a disk. Modeled images consist mostly of zeros: a simulation with a thousand of them on its modeled disk would
/// need 50 MB for zeros.
struct SparseBytes: Sendable {
  private struct Part: Sendable {
    let bytes: [UInt8]
    /// The number of zeros that follow.
    let zeros: Int
  }

  /// The fewest zeros that justify a copy of the bytes before them: one block of a disk.
  private static let shortestHole = 4_096

  private let parts: [Part]
  /// The number of bytes.
  let count: Int

  /// Creates the bytes of `parts`, in order. A part that does not end with zeros is shared, not copied.
  init(_ parts: [[UInt8]] = []) {
    count = parts.reduce(0) { $0 + $1.count }
    self.parts = parts.map { bytes in
      let zeros = Self.zeros(atEndOf: bytes)
      guard zeros >= Self.shortestHole else { return Part(bytes: bytes, zeros: 0) }
      return Part(bytes: Array(bytes.dropLast(zeros)), zeros: zeros)
    }
  }

  /// The number of bytes in memory.
  var stored: Int { parts.reduce(0) { $0 + $1.bytes.count } }

  /// All bytes. O(n), unless they are a single part that does not end with zeros.
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

  /// Returns the number of zeros at the end of `bytes`, in multiples of eight.
  private static func zeros(atEndOf bytes: [UInt8]) -> Int {
    // Reads words: a loop over bytes takes as long as the rest of a write.
    unsafe bytes.withUnsafeBytes { bytes in
      var end = bytes.count
      while end >= 8, unsafe bytes.loadUnaligned(fromByteOffset: end - 8, as: UInt64.self) == 0 { end -= 8 }
      return bytes.count - end
    }
  }
}
