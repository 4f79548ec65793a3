/// Every transfer of a run, as the transport saw it. Pure.
struct TransferLog: Sendable {
  /// How a transfer stands.
  enum Outcome: String, Sendable {
    case running
    case completed
    /// Given up by the loader.
    case cancelled
    /// Ended by an error, or by a status that is not a success.
    case failed
  }

  /// One transfer.
  struct Transfer: Hashable, Sendable {
    let url: String
    var outcome: Outcome
    /// The body's bytes received.
    var bytes: Int
    /// True when the same URL had been received whole before this began.
    let isRepeated: Bool
  }

  private(set) var transfers: [Transfer] = []
  /// How often a transfer began while another of the same URL was running.
  private(set) var duplicatesInFlight = 0
  /// How many are running.
  private(set) var running = 0
  /// The most that were running at once.
  private(set) var mostRunning = 0
  private var runningByURL: [String: Int] = [:]
  private var completed: Set<String> = []

  /// Notes that a transfer of `url` begins; returns its number.
  mutating func begin(_ url: String) -> Int {
    if runningByURL[url, default: 0] > 0 { duplicatesInFlight += 1 }
    runningByURL[url, default: 0] += 1
    running += 1
    mostRunning = max(mostRunning, running)
    transfers.append(
      Transfer(url: url, outcome: .running, bytes: 0, isRepeated: completed.contains(url)))
    return transfers.count - 1
  }

  /// Notes that transfer `number` has received `bytes` so far.
  mutating func note(_ bytes: Int, of number: Int) { transfers[number].bytes = bytes }

  /// Notes that transfer `number` ended after `bytes`. Only the first end counts, but later bytes do: those
  /// of a transfer that is given up may still come in.
  mutating func end(_ number: Int, _ outcome: Outcome, bytes: Int) {
    note(bytes, of: number)
    guard transfers[number].outcome == .running else { return }
    transfers[number].outcome = outcome
    running -= 1
    let url = transfers[number].url
    runningByURL[url, default: 1] -= 1
    if outcome == .completed { completed.insert(url) }
  }

  /// The number of transfers that ended, or not, as `outcome`.
  func count(_ outcome: Outcome) -> Int { transfers.count { $0.outcome == outcome } }

  /// The bytes of all transfers that meet a condition.
  func bytes(where isMeant: (Transfer) -> Bool = { _ in true }) -> Int {
    transfers.reduce(0) { isMeant($1) ? $0 + $1.bytes : $0 }
  }
}
