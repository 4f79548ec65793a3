/// What the lock file of a cache directory says: an upper bound of the bytes in the directory, so that a write
/// need not list it. Every process adds to it, under the lock, before it writes; whatever dies in between
/// leaves it too high, and the next sweep, which counts anew, puts it right.
struct ByteTotal: Hashable {
  /// At most so many bytes are in the directory.
  var bytes: Int
  /// Seconds since 1970 of the last sweep.
  var sweptAt: Int64

  init(bytes: Int, sweptAt: Int64) {
    self.bytes = bytes
    self.sweptAt = sweptAt
  }

  /// Reads the lock file; nil when it is new or damaged.
  init?(_ contents: [UInt8]) {
    var reader = ByteReader(contents[...])
    guard contents.count == 24, let bytes = reader.integer(UInt64.self),
      let sweptAt = reader.integer(UInt64.self), let checksum = reader.integer(UInt64.self),
      checksum == XXH3.checksum(contents.span.extracting(first: 16)), let bytes = Int(exactly: bytes)
    else { return nil }
    self.init(bytes: bytes, sweptAt: Int64(bitPattern: sweptAt))
  }

  /// The contents of the lock file.
  var encoded: [UInt8] {
    var contents: [UInt8] = []
    contents.append(littleEndian: bytes)
    contents.append(littleEndian: sweptAt)
    contents.append(littleEndian: XXH3.checksum(contents.span))
    return contents
  }

  /// This total with `cost` added when it may be used as it stands: it stays within `limit`, and the last
  /// sweep is recent. Once an hour a sweep removes what processes left behind that died, and corrects a total
  /// that a power failure made older than the files; a clock that jumped causes one too.
  func adding(_ cost: Int, limit: Int, now: Int64) -> ByteTotal? {
    let (sum, overflow) = bytes.addingReportingOverflow(cost)
    let (age, ageOverflow) = now.subtractingReportingOverflow(sweptAt)
    guard !overflow, sum <= limit, !ageOverflow, (0..<3_600).contains(age) else { return nil }
    return ByteTotal(bytes: sum, sweptAt: sweptAt)
  }

  /// What a file of `size` bytes counts: whole blocks of 4 KB, the unit in which file systems hand out
  /// space. So the limit bounds what the device gives, and how many files there are.
  static func cost(ofFileSize size: Int) -> Int {
    let (sum, overflow) = max(size, 1).addingReportingOverflow(4_095)
    return overflow ? .max : sum & ~4_095
  }
}
