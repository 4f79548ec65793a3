/// What one cache removed since it last had its turn at the ledger.
struct Credit {
  /// ``Ledger/sweeps`` before the first of it was removed.
  let sweeps: UInt64
  /// What it counted.
  var bytes = 0
}

/// The right to write bytes, taken from the ledger.
struct Lease {
  /// Who holds it, in the names of its files.
  let holder: String
  /// Keeps others from believing that the holder died.
  let claim: any FileClaim
  /// What may still be written.
  var unspent = 0
  /// What the holder's file says: at least what was written since then and may still be; nil before the first
  /// bytes are leased.
  var recorded: Int?
  /// What was written since the holder's file was. Whoever writes a new amount there adds this to what the ledger
  /// says was leased: a sweep that runs now may have missed it, and will not find it in the file.
  var spent: UInt64 { UInt64(max(0, (recorded ?? 0) - unspent)) }
  /// Numbers the files in the making.
  var files: UInt32 = 0

  /// What one lease is, at most. A 64th of the limit, so that several processes leave each other room; 4 MB: two
  /// hundred thumbnails for one turn at the lock.
  static func size(limit: Int) -> Int { min(limit / 64 & ~4_095, 4 << 20) }

  /// The contents of the holder's file: version, amount, checksum.
  static func encoded(_ amount: Int) -> [UInt8] {
    var contents: [UInt8] = []
    contents.append(littleEndian: UInt32(EntryName.version))
    contents.append(littleEndian: amount)
    contents.append(littleEndian: XXH3.checksum(contents.span))
    return contents
  }

  /// The amount in a holder's file; nil when it is damaged.
  static func amount(in contents: [UInt8]) -> Int? {
    var reader = ByteReader(contents, 0..<contents.count)
    guard contents.count == 20, reader.integer(UInt32.self) == UInt32(EntryName.version),
      let amount = reader.integer(UInt64.self).flatMap(Int.init(exactly:)), amount <= Ledger.mostOfOne,
      reader.integer(UInt64.self) == XXH3.checksum(contents.span.extracting(first: 12))
    else { return nil }
    return amount
  }
}
