/// What came of transfers that began before a slot wanted their picture. Pure.
struct PrefetchTally: Sendable {
  /// What was loaded ahead and not shown since.
  private struct Ahead {
    /// Nil until it is whole.
    var bytes: Int?
    /// True when a slot came to want it before it was whole.
    var isLate = false
  }

  private var ahead: [String: Ahead] = [:]
  /// The running transfers that no slot wanted when they began, by their numbers.
  private var running: [Int: String] = [:]
  /// What each slot stands for.
  private var wanted: [Int: String] = [:]
  /// Body bytes received ahead, also by transfers that were given up.
  private var bytes = 0
  /// Of those, the bytes of pictures that were shown.
  private var shownBytes = 0
  /// Pictures that slots showed for the first time after they were loaded ahead.
  private var served = 0
  /// Of those, the ones that were whole before a slot wanted them.
  private var timely = 0
  /// Transfers that began because a slot wanted their picture.
  private var fetches = 0

  /// Slot `slot` stands for the picture at `url` from now on.
  mutating func bind(_ slot: Int, to url: String) {
    wanted[slot] = url
    if let known = ahead[url] { ahead[url]?.isLate = known.bytes == nil }
  }

  /// Slot `slot` stands for nothing any more.
  mutating func release(_ slot: Int) { wanted[slot] = nil }

  /// Transfer `number` of `url` began.
  mutating func begin(_ number: Int, _ url: String) {
    guard !wanted.values.contains(url) else {
      fetches += 1
      return
    }
    running[number] = url
    ahead[url] = Ahead()
  }

  /// Transfer `number` ended after `bytes`.
  mutating func end(_ number: Int, bytes: Int, isWhole: Bool) {
    guard let url = running.removeValue(forKey: number) else { return }
    self.bytes += bytes
    if isWhole { ahead[url]?.bytes = bytes } else { ahead[url] = nil }
  }

  /// A slot shows the picture at `url`.
  mutating func show(_ url: String) {
    guard let known = ahead[url], let bytes = known.bytes else { return }
    ahead[url] = nil
    shownBytes += bytes
    served += 1
    if !known.isLate { timely += 1 }
  }

  /// What it comes to, as far as there was anything.
  var values: [Metric: Double] {
    func share(_ part: Int, of whole: Int) -> Double? { whole > 0 ? Double(part) / Double(whole) : nil }
    let values: [Metric: Double?] = [
      .prefetchPrecision: share(shownBytes, of: bytes),
      .prefetchRecall: share(served, of: served + fetches),
      .prefetchTimely: share(timely, of: served),
    ]
    return values.compactMapValues(\.self)
  }
}
