/// The use of transfers that started before a slot requested their image. Pure.
struct PrefetchTally: Sendable {
  /// An image that was prefetched and not shown since.
  private struct PrefetchedImage {
    /// The size of the file; nil until the transfer is complete.
    var bytes: Int?
    /// True if a slot requested the image before the transfer was complete.
    var isLate = false
  }

  private var prefetched: [String: PrefetchedImage] = [:]
  /// The URLs of the running transfers that started before a slot requested them, by number.
  private var running: [Int: String] = [:]
  /// The URL that each slot is bound to.
  private var boundURLs: [Int: String] = [:]
  /// Body bytes received by prefetching, also by cancelled transfers.
  private var bytes = 0
  /// Of these, the bytes of images that were shown.
  private var shownBytes = 0
  /// Prefetched images that slots showed.
  private var served = 0
  /// Of these, the ones that were complete when the slot requested them.
  private var timely = 0
  /// Transfers that started because a slot requested the image.
  private var fetches = 0

  /// Binds `slot` to the image at `url`.
  mutating func bind(_ slot: Int, to url: String) {
    boundURLs[slot] = url
    if let known = prefetched[url] { prefetched[url]?.isLate = known.bytes == nil }
  }

  /// Releases `slot` from its image.
  mutating func release(_ slot: Int) { boundURLs[slot] = nil }

  /// Adds the start of transfer `number` of `url`.
  mutating func begin(_ number: Int, _ url: String) {
    guard !boundURLs.values.contains(url) else {
      fetches += 1
      return
    }
    running[number] = url
    prefetched[url] = PrefetchedImage()
  }

  /// Adds the end of transfer `number`, after `bytes`.
  mutating func end(_ number: Int, bytes: Int, isComplete: Bool) {
    guard let url = running.removeValue(forKey: number) else { return }
    self.bytes += bytes
    if isComplete { prefetched[url]?.bytes = bytes } else { prefetched[url] = nil }
  }

  /// Notes that a slot shows the image at `url`.
  mutating func show(_ url: String) {
    guard let known = prefetched[url], let bytes = known.bytes else { return }
    prefetched[url] = nil
    shownBytes += bytes
    served += 1
    if !known.isLate { timely += 1 }
  }

  /// The metrics of prefetching that are known.
  var values: [Metric: Double] {
    func share(_ part: Int, of total: Int) -> Double? { total > 0 ? Double(part) / Double(total) : nil }
    let values: [Metric: Double?] = [
      .prefetchPrecision: share(shownBytes, of: bytes),
      .prefetchRecall: share(served, of: served + fetches),
      .prefetchTimely: share(timely, of: served),
    ]
    return values.compactMapValues(\.self)
  }
}
