/// The contents of a cache directory's lock file: an upper bound of the bytes in the directory, so that a
/// write need not list it.
///
/// A process leases a share of the free bytes under the lock and spends it without the lock. It therefore
/// takes the lock once for many writes. `bytes` includes a lease in full from the moment it is granted. The
/// unspent bytes of a dead process stay counted until a sweep lists the directory and counts again.
struct Ledger: Hashable {
  /// The upper bound of the bytes in the directory and in leases; `Int.max` if unknown.
  var bytes: Int
  /// The sum of all leases ever granted, modulo 2⁶⁴. A sweep lists without the lock and takes the difference
  /// between its start and its end as the bytes that it may have missed.
  var leased: UInt64
  /// The number of holders that appeared since the last sweep and did not return their lease: running and
  /// dead ones.
  var holders: UInt32
  /// Seconds since 1970 of the last sweep.
  var sweptAt: Int64
  /// The number of completed sweeps. Removed bytes may be subtracted from `bytes` only while this is
  /// unchanged: a later sweep may or may not have counted them.
  var sweeps: UInt64

  /// The ledger of a directory whose size is unknown.
  static let unknown = Ledger(bytes: .max, leased: 0, holders: 0, sweptAt: 0, sweeps: 0)

  init(bytes: Int, leased: UInt64, holders: UInt32, sweptAt: Int64, sweeps: UInt64) {
    self.bytes = bytes
    self.leased = leased
    self.holders = holders
    self.sweptAt = sweptAt
    self.sweeps = sweeps
  }

  /// Reads the lock file; unknown if it is new, damaged or of another version.
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
      // A value above the sum of all possible files is invalid.
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

  /// Grants `wanted` bytes or, if fewer are free under `limit`, `needed` bytes; nil if not even those are
  /// free.
  mutating func lease(_ wanted: Int, atLeast needed: Int, limit: Int) -> Int? {
    let free = limit.subtractingReportingOverflow(bytes)
    guard !free.overflow, needed <= free.partialValue else { return nil }
    let granted = wanted <= free.partialValue ? max(wanted, needed) : needed
    bytes += granted
    leased &+= UInt64(granted)
    return granted
  }

  /// Returns whether the directory should be swept at `now`.
  ///
  /// That is the case after an hour, which also corrects leftovers of dead processes, a lock file older than
  /// the files after a power failure, and clock changes. It is also the case after 16 holders that did not
  /// return their lease.
  func needsSweep(at now: Int64) -> Bool {
    let (age, overflow) = now.subtractingReportingOverflow(sweptAt)
    return overflow || !(0..<3_600).contains(age) || holders > 16
  }

  /// Returns the number of bytes to evict before `wanted` bytes fit under `limit`; nil if unknown.
  func shortage(of wanted: Int, limit: Int) -> Int? {
    bytes == .max ? nil : max(0, bytes + wanted - limit)
  }

  /// Subtracts removed bytes, if they are known to be counted.
  mutating func apply(_ credit: Credit?) {
    if let credit, credit.sweeps == sweeps, bytes != .max { bytes = max(0, bytes - credit.bytes) }
  }

  /// Replaces the bound with the `count` of a sweep. If another sweep ended since this one `began`, both
  /// bounds are valid: this count may include files that the other sweep evicted.
  mutating func replaceBound(with count: Int, countedSince began: UInt64, at now: Int64) {
    bytes = sweeps == began ? count : min(bytes, count)
    holders = 0
    sweptAt = now
    sweeps &+= 1
  }

  /// Returns the cost of a file of `size` bytes in blocks of 4 KB, the allocation unit of file systems. The
  /// limit therefore bounds both the space on the device and the number of files.
  static func cost(ofFileSize size: Int) -> Int {
    (min(max(size, 1), maxCost) + 4_095) & ~4_095
  }

  /// The maximum cost of a file or lease, 1 TB. No response is that large; a sparse file may claim to be.
  /// Eight million of these can be added without overflow.
  static let maxCost = 1 << 40

  private static let length = 56
  // "CELLTOTL" as a little-endian integer.
  private static let magic: UInt64 = 0x4C54_4F54_4C4C_4543
}
