/// About how often each key was asked for lately: a count-min sketch (Cormode and Muthukrishnan, Journal of
/// Algorithms 2005) whose counts are halved now and then (Einziger, Friedman and Manes, "TinyLFU", ACM
/// Transactions on Storage 2017). Keys that share counters look more frequent than they are, never less.
///
/// Without that paper's doorkeeper, a filter before the counters that saves memory where most keys come once:
/// four bytes an entry beside a decoded picture need no saving.
struct FrequencySketch: Sendable {
  /// Four counters a key, as in Caffeine, the TinyLFU authors' cache: that frequent keys share all four with
  /// a rare one is unlikely.
  private static let rows = 4
  /// Counts end at 15, as in Caffeine: what comes so often within a sample needs no finer order.
  private static let mostCounted: UInt8 = 15
  /// Counts are halved after so many requests for each entry: Caffeine's sample.
  private static let sampleFactor = 10
  /// Enough for the entries of the smallest cache worth the name; it grows from there.
  private static let smallestWidth = 16

  private let seed: UInt64
  private var counters: [UInt8] = []
  private var counted = 0
  /// Counters a row: a power of two, at least as many as there are entries.
  private var width = 0

  /// An empty sketch. Keys fall on counters by `seed`: the same in every process.
  init(seed: UInt64) {
    self.seed = seed
    widen(to: Self.smallestWidth)
  }

  /// After how many requests counts are halved.
  var sample: Int { Self.sampleFactor * width }

  /// Counts a request for `key` in a cache of `entries`. O(1) amortised. When the entries outgrow the
  /// sketch, it starts again with a larger one.
  mutating func count(_ key: Int, entries: Int) {
    while entries > width { widen(to: 2 * width) }
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
    return row * width + Int(truncatingIfNeeded: mixed & UInt64(width - 1))
  }

  private mutating func halve() {
    for index in counters.indices { counters[index] >>= 1 }
    counted /= 2
  }

  private mutating func widen(to width: Int) {
    self.width = width
    counters = Array(repeating: 0, count: Self.rows * width)
    counted = 0
  }
}
