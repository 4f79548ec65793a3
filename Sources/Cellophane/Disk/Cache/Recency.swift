/// The entries that one cache knows, by when they were used: what a sweep listed, and what the cache wrote since.
/// It evicts by this, so that a full cache need not list its directory again and again.
///
/// Nobody tells it what others write, use and remove: a file is looked at before it is evicted, and put back when it
/// was used since. Takes 32 bytes for each.
struct Recency {
  /// How long it serves, in seconds. What other processes wrote in the meantime is not in it and outlives what is;
  /// an hour, as in ``Ledger/wantsSweep(at:)``.
  static let lifetime = Duration.seconds(3_600)

  /// One entry or prefix.
  struct File: Comparable {
    let high: UInt64
    let low: UInt64
    let part: EntryName.Part
    private let blocks: UInt32
    /// When it was used, in nanoseconds since 1970.
    let used: Int64

    /// Nil for what has no name of ours.
    init?(_ name: String, used: Duration, cost: Int) {
      guard let digest = EntryName.digest(in: name) else { return nil }
      (high, low) = digest
      part = EntryName.role(of: name) == .prefix ? .prefix : .whole
      blocks = UInt32(clamping: cost / 4_096)
      self.used = used.clampedNanoseconds
    }

    /// What it counted when it was seen last, in bytes; see ``Ledger/cost(ofFileSize:)``.
    var cost: Int { Int(blocks) * 4_096 }

    var name: String { EntryName.name(of: part, digest: (high, low)) }

    static func < (a: File, b: File) -> Bool {
      (a.used, a.high, a.low, a.part.rawValue) < (b.used, b.high, b.low, b.part.rawValue)
    }
  }

  /// A binary heap: each is at most what is at twice its index plus one and plus two.
  private var files: [File] = []
  private let begun: Duration
  /// What they count, in bytes; a file that is noted twice counts twice.
  private(set) var bytes = 0

  /// One that knows nothing, at `now`.
  init(at now: Duration) { begun = now }

  var count: Int { files.count }

  /// False when it has served its time, or the clock was set back: dates from before say nothing then.
  func isCurrent(at now: Duration) -> Bool {
    (.zero...Self.lifetime).contains(now - begun + DiskCache.dateResolution)
  }

  /// Notes a file, also one that is there under another date.
  mutating func insert(_ file: File) {
    files.append(file)
    bytes += file.cost
    var index = files.count - 1
    while index > 0, files[index] < files[(index - 1) / 2] {
      files.swapAt(index, (index - 1) / 2)
      index = (index - 1) / 2
    }
  }

  /// Takes out the least recently used.
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
  /// Whole nanoseconds; the least or the most where they do not fit, 292 years from 1970.
  fileprivate var clampedNanoseconds: Int64 {
    let (seconds, attoseconds) = components
    let (product, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
    let (sum, isTooMuch) = product.addingReportingOverflow(attoseconds / 1_000_000_000)
    return overflow || isTooMuch ? (seconds < 0 ? .min : .max) : sum
  }
}
