internal import ArgumentParser
internal import Cellophane

/// A number of bytes, written with or without a unit: `500000`, `500kB`, `2MB`, `1GB`, or `500k`, `2M`, `1G`.
struct ByteCount: ExpressibleByArgument {
  let bytes: Int

  init?(argument: String) {
    let digits = argument.prefix { $0.isNumber }
    let factors = ["": 1, "k": 1_000, "m": 1_000_000, "g": 1_000_000_000]
    var unit = argument.dropFirst(digits.count).lowercased()
    if unit.hasSuffix("b") { unit.removeLast() }
    guard let number = Int(digits), let factor = factors[unit] else { return nil }
    let (bytes, isTooLarge) = number.multipliedReportingOverflow(by: factor)
    guard !isTooLarge else { return nil }
    self.bytes = bytes
  }

  private init(bytes: Int) { self.bytes = bytes }

  /// The most that a cache holds when nothing else is said.
  static let cacheLimit = ByteCount(bytes: DiskCache.defaultLimit)

  /// The largest body when nothing else is said.
  static let bodyLimit = ByteCount(bytes: TransferLimits().bodyBytes)

  /// In the largest unit that does not round.
  var defaultValueDescription: String {
    for (unit, factor) in [("GB", 1_000_000_000), ("MB", 1_000_000), ("kB", 1_000)]
    where bytes.isMultiple(of: factor) {
      return "\(bytes / factor)\(unit)"
    }
    return "\(bytes)"
  }

  /// - Throws: when a cache that may hold so much can hold nothing.
  func checkAsCacheLimit() throws {
    // The smallest file takes a block of 4096 bytes, and none may take more than an eighth.
    guard bytes >= 32_768 else { throw ValidationError("--cache-limit is at least 32768") }
  }
}
