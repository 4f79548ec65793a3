/// The division of a file into the parts of an upload. It depends on the length only, so a resumed upload has the same.
package struct PartLayout: Equatable, Sendable {
  /// The maximum number of parts that S3 allows.
  static let mostParts = 10_000

  /// The length of all parts but the last one. 8 MiB: S3 requires at least 5 MiB. A process that is killed sends at most
  /// four such parts again, and an archive of 1 GiB has 128. A larger part would save little: a connection with 100 Mbit/s
  /// and 50 ms to the response is idle for 7 % of the time.
  static let usualPartBytes = 8 << 20

  package let size: Int
  package let partBytes: Int

  package init(size: Int) {
    self.size = size
    // Whole MiB, for files that exceed 78 GiB.
    let needed = (size + Self.mostParts - 1) / Self.mostParts
    partBytes = max(Self.usualPartBytes, ((needed + (1 << 20) - 1) >> 20) << 20)
  }

  package var count: Int { max(1, (size + partBytes - 1) / partBytes) }

  /// Returns the range of a part, whose number begins with 1.
  package func range(of part: Int) -> Range<Int> {
    let start = (part - 1) * partBytes
    return start..<min(start + partBytes, size)
  }
}
