internal import CellophaneCore

/// Approximate recent request counts of keys: a count-min sketch (Cormode and Muthukrishnan, Journal of
/// Algorithms 2005) whose counts are halved periodically (Einziger, Friedman and Manes, "TinyLFU", ACM
/// Transactions on Storage 2017). Keys that share counters may appear more frequent than they are, but never
/// less frequent.
///
/// The paper's doorkeeper is omitted. It is a filter before the counters that saves memory if most keys occur
/// once; 16 bytes per entry are negligible next to a decoded image.
struct FrequencySketch: Sendable {
  /// Four counters per key, as in Caffeine, the cache of the TinyLFU authors. A rare key is then unlikely to
  /// share all four with frequent keys.
  private static let rows = 4
  /// The number of counters per row and entry; with four rows as many as in Caffeine. With one counter,
  /// sharing lowers the hit rate by up to 5 % (Zipf distribution with exponent 0.8).
  private static let countersPerEntry = 4
  /// The maximum count, 15 as in Caffeine: more frequent keys within a sample need no finer order.
  private static let maxCount: UInt8 = 15
  /// The number of requests per entry after which counts are halved: Caffeine's sample.
  private static let sampleFactor = 10
  /// The initial number of entries, enough for the smallest useful cache; the sketch grows from there.
  private static let minEntries = 16

  private let seed: UInt64
  private var counters: [UInt8] = []
  private var counted = 0
  /// The number of entries that the sketch is sized for: a power of two.
  private var entries = 0

  /// Creates an empty sketch. `seed` determines the counters of each key, equally in every process.
  init(seed: UInt64) {
    self.seed = seed
    grow(to: Self.minEntries)
  }

  /// The number of requests after which counts are halved.
  var sample: Int { Self.sampleFactor * entries }

  /// Counts a request for `key` in a cache of `entries`. Amortized O(1). A sketch that is too small for the
  /// entries is replaced by an empty, larger one.
  mutating func count(_ key: Int, entries: Int) {
    while entries > self.entries { grow(to: 2 * self.entries) }
    var isCounted = false
    for row in 0..<Self.rows {
      let index = index(of: key, row: row)
      guard counters[index] < Self.maxCount else { continue }
      counters[index] += 1
      isCounted = true
    }
    guard isCounted else { return }
    counted += 1
    if counted >= sample { halve() }
  }

  /// Returns the approximate number of recent requests for `key`, 0...15.
  func frequency(of key: Int) -> Int {
    var least = Self.maxCount
    for row in 0..<Self.rows { least = min(least, counters[index(of: key, row: row)]) }
    return Int(least)
  }

  private func index(of key: Int, row: Int) -> Int {
    var rowGenerator = SplitMix64(seed: seed &+ UInt64(row))
    var keyGenerator = SplitMix64(seed: rowGenerator.next() ^ UInt64(bitPattern: Int64(key)))
    let mixed = keyGenerator.next()
    let width = Self.countersPerEntry * entries
    return row * width + Int(truncatingIfNeeded: mixed & UInt64(width - 1))
  }

  private mutating func halve() {
    for index in counters.indices { counters[index] >>= 1 }
    counted /= 2
  }

  private mutating func grow(to entries: Int) {
    self.entries = entries
    counters = Array(repeating: 0, count: Self.rows * Self.countersPerEntry * entries)
    counted = 0
  }
}
