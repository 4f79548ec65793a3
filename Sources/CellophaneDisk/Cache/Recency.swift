/// The entries that one cache knows, ordered by their last use: the files that a sweep listed, and the files
/// that the cache wrote since. A full cache evicts by this order and need not list its directory repeatedly.
///
/// Writes, uses and removals of other processes are not included. Therefore a file is checked before it is
/// evicted, and reinserted if it was used since. Takes 32 bytes per entry.
struct Recency {
  /// The time in seconds for which it is usable. Files that other processes write are not included and would
  /// outlive older files that are. An hour, as in ``Ledger/needsSweep(at:)``.
  static let lifetime = Duration.seconds(3_600)

  /// One entry or prefix.
  struct File: Comparable {
    let high: UInt64
    let low: UInt64
    let kind: EntryName.Kind
    private let blocks: UInt32
    /// The time of the last use in nanoseconds since 1970.
    let used: Int64

    /// Creates the record of a file; nil if `name` is not the name of an entry or prefix.
    init?(_ name: String, used: Duration, cost: Int) {
      guard let digest = EntryName.digest(in: name) else { return nil }
      (high, low) = digest
      kind = EntryName.role(of: name) == .prefix ? .prefix : .response
      blocks = UInt32(clamping: cost / 4_096)
      self.used = used.clampedNanoseconds
    }

    /// The cost of the file at the last check, in bytes; see ``Ledger/cost(ofFileSize:)``.
    var cost: Int { Int(blocks) * 4_096 }

    var name: String { EntryName.name(of: kind, digest: (high, low)) }

    static func < (a: File, b: File) -> Bool {
      (a.used, a.high, a.low, a.kind.rawValue) < (b.used, b.high, b.low, b.kind.rawValue)
    }
  }

  /// A binary heap: the children of index n are at 2n + 1 and 2n + 2 and are not smaller.
  private var files: [File] = []
  private let createdAt: Duration
  /// The total cost in bytes; a file that was inserted twice counts twice.
  private(set) var bytes = 0

  /// Creates an empty order at `now`.
  init(at now: Duration) { createdAt = now }

  var count: Int { files.count }

  /// Returns whether the order is usable. False after its lifetime, or if the clock was set back, because
  /// dates from before then are meaningless.
  func isCurrent(at now: Duration) -> Bool {
    (.zero...Self.lifetime).contains(now - createdAt + DiskCache.dateResolution)
  }

  /// Inserts a file; an outdated record of the same file may remain.
  mutating func insert(_ file: File) {
    files.append(file)
    bytes += file.cost
    var index = files.count - 1
    while index > 0, files[index] < files[(index - 1) / 2] {
      files.swapAt(index, (index - 1) / 2)
      index = (index - 1) / 2
    }
  }

  /// Removes and returns the least recently used file.
  mutating func popFirst() -> File? {
    guard let first = files.first, let last = files.popLast() else { return nil }
    bytes -= first.cost
    if files.isEmpty { return first }
    files[0] = last
    var index = 0
    while case let left = 2 * index + 1, left < files.count {
      let right = left + 1
      let least = right < files.count && files[right] < files[left] ? right : left
      guard files[least] < files[index] else { break }
      files.swapAt(least, index)
      index = least
    }
    return first
  }
}

extension Duration {
  /// The duration in nanoseconds, clamped to the range of `Int64`, which is 292 years around 1970.
  fileprivate var clampedNanoseconds: Int64 {
    let (seconds, attoseconds) = components
    let (product, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
    let (sum, sumOverflow) = product.addingReportingOverflow(attoseconds / 1_000_000_000)
    return overflow || sumOverflow ? (seconds < 0 ? .min : .max) : sum
  }
}
