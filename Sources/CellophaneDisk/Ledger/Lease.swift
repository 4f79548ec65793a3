/// The bytes that one cache removed since its last transaction on the ledger.
struct Credit {
  /// The value of ``Ledger/sweeps`` before the first removal.
  let sweeps: UInt64
  /// The removed bytes.
  var bytes = 0
}

/// The right to write a number of bytes, granted by the ledger.
struct Lease {
  /// The identifier of the holder in the names of its files.
  let holder: String
  /// The claim that shows other processes that the holder is alive.
  let claim: any FileClaim
  /// The bytes that may still be written.
  var unspent = 0
  /// The amount in the holder's file: at least the bytes written since then plus the unspent ones. Nil before
  /// the first grant.
  var recorded: Int?
  /// The bytes written since the holder's file was updated.
  ///
  /// An update of the file adds them to ``Ledger/leased``: a running sweep may have missed the written files,
  /// and will no longer find the amount in the holder's file.
  var spent: UInt64 { UInt64(max(0, (recorded ?? 0) - unspent)) }
  /// The number of the last temporary file.
  var files: UInt32 = 0

  /// Returns the maximum size of a lease. A 64th of the limit, so that several processes can write. 4 MB: one
  /// transaction for two hundred thumbnails.
  static func size(limit: Int) -> Int { min(limit / 64 & ~4_095, 4 << 20) }

  /// Returns the contents of a holder's file: version, amount, checksum.
  static func encoded(_ amount: Int) -> [UInt8] {
    var contents: [UInt8] = []
    contents.append(littleEndian: UInt32(EntryName.version))
    contents.append(littleEndian: amount)
    contents.append(littleEndian: XXH3.checksum(contents.span))
    return contents
  }

  /// Returns the amount in a holder's file; nil if it is damaged.
  static func amount(in contents: [UInt8]) -> Int? {
    var reader = ByteReader(contents, 0..<contents.count)
    guard contents.count == 20, reader.integer(UInt32.self) == UInt32(EntryName.version),
      let amount = reader.integer(UInt64.self).flatMap(Int.init(exactly:)), amount <= Ledger.maxCost,
      reader.integer(UInt64.self) == XXH3.checksum(contents.span.extracting(first: 12))
    else { return nil }
    return amount
  }
}
