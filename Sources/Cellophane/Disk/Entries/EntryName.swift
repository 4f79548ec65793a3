/// The names in a cache directory. All entries lie in one directory: at the default limit there are at most
/// 65 536 (each counts as 4 KB or more), which the directory indexes of current file systems look up in the
/// same time as a few, and eviction reads the list as one.
enum EntryName {
  /// The format of the entries; part of their names, so that versions never open one another's files.
  static let version = 3

  /// The lock file, which holds the upper bound of the bytes in the directory. It says whose it is, as every
  /// name here does: they are written to, and removed from, whatever directory somebody names.
  static let total = "cellophane-total"

  /// The file that one holder of a lease claims; `holder` is 16 hexadecimal digits.
  static func lease(of holder: String) -> String { leasePrefix + holder }

  /// A file that `holder` makes: its name says whom to ask whether it is still in the making.
  static func temporary(_ number: UInt32, of holder: String) -> String {
    temporaryPrefix + holder + "-" + String(number, radix: 16)
  }

  /// 64 random bits as 16 hexadecimal digits.
  static func newHolder() -> String {
    let digits = String(UInt64.random(in: .min ... .max), radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }

  /// What lies beside an entry, under the entry's name and a letter.
  enum Part: UInt8 {
    /// The whole response.
    case whole
    /// What arrived of a response before its transfer broke.
    case prefix
  }

  /// The name of what is kept for the key with these canonical bytes: 32 hexadecimal digits, `.cellophane-`, the
  /// version, and a `p` for a prefix.
  static func name(of part: Part, forKey key: [UInt8]) -> String {
    name(of: part, digest: XXH3.digest(key.span))
  }

  /// The name of what is kept for a key with this hash.
  static func name(of part: Part, digest: (high: UInt64, low: UInt64)) -> String {
    var name: [UInt8] = []
    name.reserveCapacity(digits + suffix.utf8.count + 1)
    name.append(hexadecimal: digest)
    name.append(contentsOf: suffix.utf8)
    if part == .prefix { name.append(prefixMark) }
    return String(decoding: name, as: UTF8.self)
  }

  /// The hash in the name of an entry or prefix of this version.
  static func digest(in name: String) -> (high: UInt64, low: UInt64)? {
    guard let high = UInt64(name.prefix(16), radix: 16),
      let low = UInt64(name.dropFirst(16).prefix(16), radix: 16)
    else { return nil }
    return (high, low)
  }

  /// What a file in the directory is.
  enum Role: Equatable {
    /// The lock file.
    case ledger
    /// An entry of this version.
    case entry
    /// A prefix of this version.
    case prefix
    /// An entry or a prefix that another version of Cellophane wrote.
    case otherVersion
    /// A file that a holder of a lease makes, or left behind when it died.
    case temporary(holder: String)
    /// The file of a holder of a lease.
    case lease(holder: String)
    /// Not ours: never counted, never touched.
    case foreign
  }

  /// What the file called `name` is.
  static func role(of name: String) -> Role {
    let bytes = name.utf8
    if name == total { return .ledger }
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
      rest.starts(with: mark.utf8)
    else { return .foreign }
    let number = rest.dropFirst(mark.utf8.count)
    guard (1...3).contains(number.count),
      number.allSatisfy((UInt8(ascii: "0")...UInt8(ascii: "9")).contains)
    else { return .foreign }
    guard rest.elementsEqual(suffix.utf8) else { return .otherVersion }
    return isPrefix ? .prefix : .entry
  }

  private static let leasePrefix = "cellophane-lease-"
  private static let temporaryPrefix = "cellophane-tmp-"
  private static let digits = 32
  private static let mark = ".cellophane-"
  private static let suffix = mark + "\(version)"
  private static let prefixMark = UInt8(ascii: "p")

  private static func isHexadecimal(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"): true
    default: false
    }
  }
}
