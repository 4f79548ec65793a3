/// The sums of transfers and their bytes. A transfer and its bytes count in the phase in which it started.
struct TransferSums: Additive {
  var begun = 0
  var cancelled = 0
  /// How often a transfer started while another one of the same URL was running.
  var duplicates = 0
  /// Body bytes received, and those of URLs that had been received completely before.
  var bytes = 0
  var repeatedBytes = 0
  /// The time from the reuse of a slot to the end of the transfer that it had waited for, in ticks of 0.1 ms.
  var cancelLatency = WaitHistogram()

  static func += (sum: inout TransferSums, other: TransferSums) {
    sum.begun += other.begun
    sum.cancelled += other.cancelled
    sum.duplicates += other.duplicates
    sum.bytes += other.bytes
    sum.repeatedBytes += other.repeatedBytes
    sum.cancelLatency += other.cancelLatency
  }
}

/// The bytes of images that were never on the screen, by cause.
struct WasteSums: Additive {
  /// The bytes of transfers that were cancelled or failed.
  var partial = 0
  /// The bytes of complete transfers.
  var completed = 0
  /// The bytes that arrived after the cancellation.
  var afterCancel = 0

  static func += (sum: inout WasteSums, other: WasteSums) {
    sum.partial += other.partial
    sum.completed += other.completed
    sum.afterCancel += other.afterCancel
  }
}

/// The transfers of a run, counted during the run. Keeps the running transfers and totals for each URL.
struct TransferTally: Sendable {
  private struct Running {
    let url: String
    let phase: RunPhase
    /// True if the same URL had been received completely before it started.
    let isRepeated: Bool
    var bytes = 0
    /// The bytes and the outcome at its end for the loader; nil while it runs.
    var end: (bytes: Int, outcome: TransferOutcome)?
  }

  private struct URLTotals {
    var size: Int?
    /// The bytes, by the cause of their waste if the image is never shown.
    var spent = PerPhase<WasteSums>()
    var running = 0
    /// The time at which the last slot that waited for it was bound to another row.
    var abandonedAt: Duration?
  }

  /// The unit of ``TransferSums/cancelLatency``.
  static let ticksPerSecond = 10_000

  private var running: [Int: Running] = [:]
  private var totalsByURL: [String: URLTotals] = [:]
  private(set) var sums = PerPhase<TransferSums>()
  /// The number of running transfers, and its peak.
  private(set) var count = 0
  private(set) var peakRunning = 0

  /// Returns the size of the file at `url`; nil until it was received.
  func size(of url: String) -> Int? { totalsByURL[url]?.size }

  /// Adds the start of transfer `number` of `url`.
  mutating func begin(_ number: Int, _ url: String, in phase: RunPhase) {
    var totals = totalsByURL.removeValue(forKey: url) ?? URLTotals()
    sums[phase].begun += 1
    if totals.running > 0 { sums[phase].duplicates += 1 }
    totals.running += 1
    count += 1
    peakRunning = max(peakRunning, count)
    running[number] = Running(url: url, phase: phase, isRepeated: totals.size != nil)
    totalsByURL[url] = totals
  }

  /// Updates the number of bytes that transfer `number` has received. Returns the number of new bytes.
  @discardableResult
  mutating func progress(_ number: Int, bytes: Int) -> Int {
    guard var transfer = running.removeValue(forKey: number) else { return 0 }
    let new = bytes - transfer.bytes
    transfer.bytes = bytes
    sums[transfer.phase].bytes += new
    if transfer.isRepeated { sums[transfer.phase].repeatedBytes += new }
    running[number] = transfer
    return new
  }

  /// Adds the end of transfer `number` for the loader. Later calls are ignored; later bytes are counted.
  mutating func end(_ number: Int, _ outcome: TransferOutcome, at time: Duration) {
    guard let transfer = running[number], transfer.end == nil, var totals = totalsByURL[transfer.url] else {
      return
    }
    running[number]?.end = (transfer.bytes, outcome)
    count -= 1
    totals.running -= 1
    switch outcome {
    case .completed(let size):
      totals.spent[transfer.phase].completed += transfer.bytes
      if let size { totals.size = size }
    case .failed: totals.spent[transfer.phase].partial += transfer.bytes
    case .cancelled:
      totals.spent[transfer.phase].partial += transfer.bytes
      sums[transfer.phase].cancelled += 1
      if let abandonedAt = totals.abandonedAt {
        let ticks = (time - abandonedAt) / (.seconds(1) / Self.ticksPerSecond)
        sums[transfer.phase].cancelLatency.add(Int(ticks.rounded(.up)), hasEnded: true)
      }
    }
    totals.abandonedAt = nil
    totalsByURL[transfer.url] = totals
  }

  /// Notes that the transport has closed transfer `number`.
  mutating func close(_ number: Int) {
    guard let transfer = running.removeValue(forKey: number), let end = transfer.end,
      case .cancelled = end.outcome
    else { return }
    totalsByURL[transfer.url]?.spent[transfer.phase].afterCancel += transfer.bytes - end.bytes
  }

  /// Notes that a slot that waited for `url` was bound to another row.
  mutating func abandon(_ url: String, at time: Duration) {
    guard let running = totalsByURL[url]?.running, running > 0 else { return }
    totalsByURL[url]?.abandonedAt = time
  }

  /// Notes that a slot waits for `url`.
  mutating func noteWaiter(for url: String) { totalsByURL[url]?.abandonedAt = nil }

  /// Returns the bytes of URLs for which `isSeen` returns false, by the cause of their waste.
  func waste(isSeen: (String) -> Bool) -> PerPhase<WasteSums> {
    var waste = PerPhase<WasteSums>()
    for (url, totals) in totalsByURL where !isSeen(url) {
      for phase in RunPhase.allCases { waste[phase] += totals.spent[phase] }
    }
    // Ended for the loader, but not for the transport.
    for transfer in running.values where !isSeen(transfer.url) {
      guard let end = transfer.end, case .cancelled = end.outcome else { continue }
      waste[transfer.phase].afterCancel += transfer.bytes - end.bytes
    }
    return waste
  }
}
