internal import ArgumentParser
internal import Cellophane

/// A number of bytes, with an optional unit: `500000`, `500kB`, `2MB`, `1GB`, `500k`, `2M`, `1G`, or `256MiB`.
struct ByteCount: ExpressibleByArgument {
  let bytes: Int

  /// Units in the order of `defaultValueDescription`. The decimal ones can be written without their B.
  private static let units: [(name: String, bytes: Int)] = [
    ("GB", 1_000_000_000), ("MB", 1_000_000), ("kB", 1_000), ("GiB", 1 << 30), ("MiB", 1 << 20),
    ("KiB", 1 << 10),
  ]

  init?(argument: String) {
    let digits = argument.prefix { $0.isNumber }
    var unit = argument.dropFirst(digits.count).lowercased()
    if unit.hasSuffix("b") { unit.removeLast() }
    let factor = unit.isEmpty ? 1 : Self.units.first { $0.name.dropLast().lowercased() == unit }?.bytes
    guard let number = Int(digits), let factor else { return nil }
    let (bytes, isTooLarge) = number.multipliedReportingOverflow(by: factor)
    guard !isTooLarge else { return nil }
    self.bytes = bytes
  }

  init(bytes: Int) { self.bytes = bytes }

  /// The default size limit of the disk cache.
  static let cacheLimit = ByteCount(bytes: DiskCache.defaultLimit)

  /// The default size limit of a body.
  static let bodyLimit = ByteCount(bytes: TransferLimits().bodyBytes)

  /// The number in the first unit that needs no rounding.
  var defaultValueDescription: String {
    for (name, factor) in Self.units where bytes > 0 && bytes.isMultiple(of: factor) {
      return "\(bytes / factor)\(name)"
    }
    return "\(bytes)"
  }

  /// Checks that a cache of this size can store an entry.
  ///
  /// - Throws: `ValidationError` if it cannot.
  func checkAsCacheLimit() throws {
    // The smallest file occupies a block of 4096 bytes, and a file may occupy at most an eighth of the cache.
    guard bytes >= 32_768 else { throw ValidationError("--cache-limit must be at least 32768 bytes") }
  }
}
