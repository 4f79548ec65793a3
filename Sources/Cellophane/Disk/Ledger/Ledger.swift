/// What the lock file of a cache directory says: an upper bound of the bytes in the directory, so that a write
/// need not list it.
///
/// A process leases a share of what is left, under the lock, and spends it on its own; so it takes the lock
/// once for many writes. `bytes` counts a lease as a whole from the moment that it is given. What a process
/// leaves unspent when it dies stays counted until a sweep lists the directory and counts anew.
struct Ledger: Hashable {
  /// At most so many bytes are in the directory or leased; `Int.max` when nobody knows.
  var bytes: Int
  /// All bytes that were ever leased, modulo 2⁶⁴. A sweep, which lists without the lock, takes the difference
  /// between its begin and its end for what it may have missed.
  var leased: UInt64
  /// How many holders of leases came since the last sweep and have not signed off: those that run, and those
  /// that died.
  var holders: UInt32
  /// Seconds since 1970 of the last sweep.
  var sweptAt: Int64
  /// How many sweeps ended. What was removed may be taken off `bytes` only while it stays the same: a sweep that
  /// ended since counted what was there, with or without that.
  var sweeps: UInt64

  /// Of a directory of which nothing is known.
  static let unknown = Ledger(bytes: .max, leased: 0, holders: 0, sweptAt: 0, sweeps: 0)

  init(bytes: Int, leased: UInt64, holders: UInt32, sweptAt: Int64, sweeps: UInt64) {
    self.bytes = bytes
    self.leased = leased
    self.holders = holders
    self.sweptAt = sweptAt
    self.sweeps = sweeps
  }

  /// Reads the lock file; unknown when it is new, damaged or of another version.
  init(_ contents: [UInt8]) {
    var reader = ByteReader(contents, 0..<contents.count)
    guard contents.count == Self.length, reader.integer(UInt64.self) == Self.magic,
      reader.integer(UInt32.self) == UInt32(EntryName.version), let holders = reader.integer(UInt32.self),
      let bytes = reader.integer(UInt64.self), let leased = reader.integer(UInt64.self),
      let sweptAt = reader.integer(UInt64.self),
      let sweeps = reader.integer(UInt64.self),
      reader.integer(UInt64.self) == XXH3.checksum(contents.span.extracting(droppingLast: 8))
    else {
      self = .unknown
      return
    }
    self.init(
      // More than all files can count is no count.
      bytes: bytes < 1 << 62 ? Int(bytes) : .max, leased: leased, holders: holders,
      sweptAt: Int64(bitPattern: sweptAt), sweeps: sweeps)
  }

  /// The contents of the lock file.
  var encoded: [UInt8] {
    var contents: [UInt8] = []
    contents.reserveCapacity(Self.length)
    contents.append(littleEndian: Self.magic)
    contents.append(littleEndian: UInt32(EntryName.version))
    contents.append(littleEndian: holders)
    contents.append(littleEndian: bytes)
    contents.append(littleEndian: leased)
    contents.append(littleEndian: sweptAt)
    contents.append(littleEndian: sweeps)
    contents.append(littleEndian: XXH3.checksum(contents.span))
    return contents
  }

  /// Leases `wanted` bytes or, when there are not so many under `limit`, `needed`; nil when there are not even
  /// those.
  mutating func lease(_ wanted: Int, atLeast needed: Int, limit: Int) -> Int? {
    let free = limit.subtractingReportingOverflow(bytes)
    guard !free.overflow, needed <= free.partialValue else { return nil }
    let given = wanted <= free.partialValue ? max(wanted, needed) : needed
    bytes += given
    leased &+= UInt64(given)
    return given
  }

  /// Whether the directory should be swept at `now`: nobody has for an hour (what dead processes left, what a
  /// power failure made older than the files, and a clock that jumped are put right by then), or so many
  /// processes came and did not sign off that their left-overs may add up.
  func wantsSweep(at now: Int64) -> Bool {
    let (age, overflow) = now.subtractingReportingOverflow(sweptAt)
    return overflow || !(0..<3_600).contains(age) || holders > 16
  }

  /// How many bytes stand in the way of `wanted` more under `limit`; nil when nobody knows.
  func shortage(of wanted: Int, limit: Int) -> Int? {
    bytes == .max ? nil : max(0, bytes + wanted - limit)
  }

  /// Takes off what was removed, where that is known to be counted.
  mutating func take(_ credit: Credit?) {
    if let credit, credit.sweeps == sweeps, bytes != .max { bytes = max(0, bytes - credit.bytes) }
  }

  /// Puts the `count` of a sweep in place of the bound. When another sweep ended since this one `began`, both
  /// bounds hold: this one may count what the other evicted.
  mutating func replaceBound(with count: Int, countedSince began: UInt64, at now: Int64) {
    bytes = sweeps == began ? count : min(bytes, count)
    holders = 0
    sweptAt = now
    sweeps &+= 1
  }

  /// What a file of `size` bytes counts: whole blocks of 4 KB, the unit in which file systems hand out
  /// space. So the limit bounds what the device gives, and how many files there are.
  static func cost(ofFileSize size: Int) -> Int {
    (min(max(size, 1), mostOfOne) + 4_095) & ~4_095
  }

  /// No file and no lease counts more: 1 TB. No response is as large; a sparse file may say that it is, and eight
  /// million of those can be added up.
  static let mostOfOne = 1 << 40

  private static let length = 56
  // "CELLTOTL" as a little-endian integer.
  private static let magic: UInt64 = 0x4C54_4F54_4C4C_4543
}
