/// Transfers and their bytes, summed. A transfer counts in the phase in which it began, its bytes as well.
struct TransferSums: Additive {
  var begun = 0
  var cancelled = 0
  /// How often one began while another of the same URL was running.
  var duplicates = 0
  /// Body bytes received, and those of URLs that had been received whole before.
  var bytes = 0
  var repeatedBytes = 0
  /// How long it took from a slot's reuse to the end of the transfer that it had waited for, in ticks of 0.1 ms.
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

/// What the bytes of pictures that were never on the screen went into.
struct WasteSums: Additive {
  /// Transfers that were given up or failed.
  var partial = 0
  /// Whole ones.
  var whole = 0
  /// What still came of transfers after they had been given up.
  var afterCancel = 0

  static func += (sum: inout WasteSums, other: WasteSums) {
    sum.partial += other.partial
    sum.whole += other.whole
    sum.afterCancel += other.afterCancel
  }
}

/// The transfers of a run, counted as they happen: kept are those that run, and an account for each URL.
struct TransferTally: Sendable {
  private struct Running {
    let url: String
    let phase: RunPhase
    /// True when the same URL had been received whole before it began.
    let isRepeated: Bool
    var bytes = 0
    /// The bytes with which it ended for the loader, and how; nil while it runs.
    var end: (bytes: Int, outcome: TransferOutcome)?
  }

  private struct Account {
    var size: Int?
    /// What its bytes went into if its picture is never seen.
    var spent = PerPhase<WasteSums>()
    var running = 0
    /// When the last slot that had waited for it was given another row.
    var left: Duration?
  }

  /// The ticks of ``TransferSums/cancelLatency``.
  static let ticksPerSecond = 10_000

  private var running: [Int: Running] = [:]
  private var accounts: [String: Account] = [:]
  private(set) var sums = PerPhase<TransferSums>()
  /// How many run, and the most at once.
  private(set) var count = 0
  private(set) var mostRunning = 0

  /// The size of the file at `url`, once it was received.
  func size(of url: String) -> Int? { accounts[url]?.size }

  /// Transfer `number` of `url` begins.
  mutating func begin(_ number: Int, _ url: String, in phase: RunPhase) {
    var account = accounts.removeValue(forKey: url) ?? Account()
    sums[phase].begun += 1
    if account.running > 0 { sums[phase].duplicates += 1 }
    account.running += 1
    count += 1
    mostRunning = max(mostRunning, count)
    running[number] = Running(url: url, phase: phase, isRepeated: account.size != nil)
    accounts[url] = account
  }

  /// Transfer `number` has received `bytes` so far. Returns how many are new.
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

  /// Transfer `number` is over for the loader. Only the first end counts; later bytes do, as well.
  mutating func end(_ number: Int, _ outcome: TransferOutcome, at time: Duration) {
    guard let transfer = running[number], transfer.end == nil, var account = accounts[transfer.url] else {
      return
    }
    running[number]?.end = (transfer.bytes, outcome)
    count -= 1
    account.running -= 1
    switch outcome {
    case .completed(let size):
      account.spent[transfer.phase].whole += transfer.bytes
      if let size { account.size = size }
    case .failed: account.spent[transfer.phase].partial += transfer.bytes
    case .cancelled:
      account.spent[transfer.phase].partial += transfer.bytes
      sums[transfer.phase].cancelled += 1
      if let left = account.left {
        let ticks = (time - left) / (.seconds(1) / Self.ticksPerSecond)
        sums[transfer.phase].cancelLatency.add(Int(ticks.rounded(.up)), isOver: true)
      }
    }
    account.left = nil
    accounts[transfer.url] = account
  }

  /// The transport has done with transfer `number`.
  mutating func leave(_ number: Int) {
    guard let transfer = running.removeValue(forKey: number), let end = transfer.end,
      case .cancelled = end.outcome
    else { return }
    accounts[transfer.url]?.spent[transfer.phase].afterCancel += transfer.bytes - end.bytes
  }

  /// A slot that had waited for `url` was given another row.
  mutating func abandon(_ url: String, at time: Duration) {
    guard let running = accounts[url]?.running, running > 0 else { return }
    accounts[url]?.left = time
  }

  /// A slot waits for `url`.
  mutating func want(_ url: String) { accounts[url]?.left = nil }

  /// What the bytes went into of URLs for which `isSeen` is false.
  func waste(isSeen: (String) -> Bool) -> PerPhase<WasteSums> {
    var waste = PerPhase<WasteSums>()
    for (url, account) in accounts where !isSeen(url) {
      for phase in RunPhase.allCases { waste[phase] += account.spent[phase] }
    }
    // Not over for the transport, but for the loader.
    for transfer in running.values where !isSeen(transfer.url) {
      guard let end = transfer.end, case .cancelled = end.outcome else { continue }
      waste[transfer.phase].afterCancel += transfer.bytes - end.bytes
    }
    return waste
  }
}
