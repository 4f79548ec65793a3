/// About how often each key was asked for lately: a count-min sketch (Cormode and Muthukrishnan, Journal of
/// Algorithms 2005) whose counts are halved now and then (Einziger, Friedman and Manes, "TinyLFU", ACM
/// Transactions on Storage 2017). Keys that share counters look more frequent than they are, never less.
///
/// Without that paper's doorkeeper, a filter before the counters that saves memory where most keys come once:
/// sixteen bytes an entry beside a decoded picture need no saving.
struct FrequencySketch: Sendable {
  /// Four counters a key, as in Caffeine, the TinyLFU authors' cache: that frequent keys share all four with
  /// a rare one is unlikely.
  private static let rows = 4
  /// Counters a row for each entry: with four rows as many as Caffeine has. With one, keys share so many that up to
  /// 5 % fewer requests hit (Zipf of exponent 0.8).
  private static let countersAnEntry = 4
  /// Counts end at 15, as in Caffeine: what comes so often within a sample needs no finer order.
  private static let mostCounted: UInt8 = 15
  /// Counts are halved after so many requests for each entry: Caffeine's sample.
  private static let sampleFactor = 10
  /// Enough for the entries of the smallest cache worth the name; it grows from there.
  private static let fewestEntries = 16

  private let seed: UInt64
  private var counters: [UInt8] = []
  private var counted = 0
  /// For so many entries: a power of two.
  private var entries = 0

  /// An empty sketch. Keys fall on counters by `seed`: the same in every process.
  init(seed: UInt64) {
    self.seed = seed
    widen(to: Self.fewestEntries)
  }

  /// After how many requests counts are halved.
  var sample: Int { Self.sampleFactor * entries }

  /// Counts a request for `key` in a cache of `entries`. O(1) amortised. When the entries outgrow the
  /// sketch, it starts again with a larger one.
  mutating func count(_ key: Int, entries: Int) {
    while entries > self.entries { widen(to: 2 * self.entries) }
    var isCounted = false
    for row in 0..<Self.rows {
      let index = index(of: key, row: row)
      guard counters[index] < Self.mostCounted else { continue }
      counters[index] += 1
      isCounted = true
    }
    guard isCounted else { return }
    counted += 1
    if counted >= sample { halve() }
  }

  /// How often `key` was asked for lately, 0...15.
  func frequency(of key: Int) -> Int {
    var least = Self.mostCounted
    for row in 0..<Self.rows { least = min(least, counters[index(of: key, row: row)]) }
    return Int(least)
  }

  private func index(of key: Int, row: Int) -> Int {
    var ofRow = SplitMix64(seed: seed &+ UInt64(row))
    var ofKey = SplitMix64(seed: ofRow.next() ^ UInt64(bitPattern: Int64(key)))
    let mixed = ofKey.next()
    let width = Self.countersAnEntry * entries
    return row * width + Int(truncatingIfNeeded: mixed & UInt64(width - 1))
  }

  private mutating func halve() {
    for index in counters.indices { counters[index] >>= 1 }
    counted /= 2
  }

  private mutating func widen(to entries: Int) {
    self.entries = entries
    counters = Array(repeating: 0, count: Self.rows * Self.countersAnEntry * entries)
    counted = 0
  }
}
