/// The file names in a cache directory. All entries are in one directory.
///
/// The default limit allows at most 65 536 entries, because each counts as at least 4 KB. The directory
/// indexes of current file systems handle that number as fast as a few, and eviction lists one directory.
enum EntryName {
  /// The version of the entry format. It is part of each name, so that versions never open each other's
  /// files.
  static let version = 3

  /// The lock file, which contains the ledger. Its name, like every name here, contains the product's name,
  /// because the user may choose a directory with other files.
  static let ledger = "cellophane-total"

  /// Returns the name of the file that a lease holder claims; `holder` is 16 hexadecimal digits.
  static func lease(of holder: String) -> String { leasePrefix + holder }

  /// Returns the name of an unfinished file. It contains the holder, whose claim shows whether the file is
  /// still being written.
  static func temporary(_ number: UInt32, of holder: String) -> String {
    temporaryPrefix + holder + "-" + String(number, radix: 16)
  }

  /// Returns 64 random bits as 16 hexadecimal digits.
  static func newHolder() -> String {
    let digits = String(UInt64.random(in: .min ... .max), radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }

  /// The kinds of entries for one key. Their names differ in a suffix.
  enum Kind: UInt8 {
    /// The complete response.
    case response
    /// The beginning of a response whose transfer broke.
    case prefix
  }

  /// Returns the name of the entry for the key with these canonical bytes: 32 hexadecimal digits,
  /// `.cellophane-`, the version, and `p` for a prefix.
  static func name(of kind: Kind, forKey key: [UInt8]) -> String {
    name(of: kind, digest: XXH3.digest(key.span))
  }

  /// Returns the name of the entry for a key with this hash.
  static func name(of kind: Kind, digest: (high: UInt64, low: UInt64)) -> String {
    String(hexadecimal: digest, suffix: kind == .prefix ? prefixSuffix : suffix)
  }

  /// Returns the hash in the name of an entry or prefix of this version.
  static func digest(in name: String) -> (high: UInt64, low: UInt64)? {
    guard let high = UInt64(name.prefix(16), radix: 16),
      let low = UInt64(name.dropFirst(16).prefix(16), radix: 16)
    else { return nil }
    return (high, low)
  }

  /// The role of a file in the directory.
  enum Role: Equatable {
    /// The lock file.
    case ledger
    /// An entry of this version.
    case entry
    /// A prefix of this version.
    case prefix
    /// An entry or a prefix of another version of Cellophane.
    case otherVersion
    /// An unfinished file of a live or dead lease holder.
    case temporary(holder: String)
    /// The file of a lease holder.
    case lease(holder: String)
    /// A file that does not belong to the cache: never counted and never changed.
    case foreign
  }

  /// Returns the role of the file called `name`.
  static func role(of name: String) -> Role {
    let bytes = name.utf8
    if name == ledger { return .ledger }
    if name.hasPrefix(leasePrefix) {
      let holder = bytes.dropFirst(leasePrefix.utf8.count)
      return holder.count == 16 && holder.allSatisfy(isHexadecimal)
        ? .lease(holder: String(decoding: holder, as: UTF8.self)) : .foreign
    }
    if name.hasPrefix(temporaryPrefix) {
      let parts = name.dropFirst(temporaryPrefix.count).split(
        separator: "-", omittingEmptySubsequences: false)
      return parts.count == 2 && parts.allSatisfy { !$0.isEmpty && $0.utf8.allSatisfy(isHexadecimal) }
        ? .temporary(holder: String(parts[0])) : .foreign
    }
    var rest = bytes.dropFirst(digits)
    let isPrefix = rest.last == prefixMark
    if isPrefix { rest = rest.dropLast() }
    guard bytes.prefix(digits).count == digits, bytes.prefix(digits).allSatisfy(isHexadecimal),
      rest.starts(with: separator.utf8)
    else { return .foreign }
    let number = rest.dropFirst(separator.utf8.count)
    guard (1...3).contains(number.count),
      number.allSatisfy((UInt8(ascii: "0")...UInt8(ascii: "9")).contains)
    else { return .foreign }
    guard rest.elementsEqual(suffix.utf8) else { return .otherVersion }
    return isPrefix ? .prefix : .entry
  }

  private static let leasePrefix = "cellophane-lease-"
  private static let temporaryPrefix = "cellophane-tmp-"
  private static let digits = 32
  private static let separator = ".cellophane-"
  private static let suffix = separator + "\(version)"
  private static let prefixSuffix = suffix + "p"
  private static let prefixMark = UInt8(ascii: "p")

  private static func isHexadecimal(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"): true
    default: false
    }
  }
}
