/// The evidence that tells the refusals of single records from a limit of their host. Pure.
///
/// A host with a limit refuses any record, and answers some of the refused ones when they are requested again. A host
/// that refuses certain URLs answers most of the others, and refuses these again and again.
struct RefusalEvidence: Equatable {
  /// The number of refused retries from which on refusals may concern their records. 8: a host with a limit, which refuses
  /// half of the retries, refuses eight in a row once in 256 times.
  static var fewestRetries: Int { 8 }
  /// The number of refused retries for each answered one from which on refusals may concern their records. 4: a host with a
  /// limit refuses retries about as often as first requests, and these at most once in four.
  static var refusedPerAnswered: Int { 4 }
  /// The number of retries after which earlier ones count half.
  private static var remembered: Int { 64 }
  /// The number of recent first requests, and the number of refusals among them up to which the host answers most
  /// records. A quarter: a host with a limit refuses more as long as the limits of the batch have not adapted.
  static let (considered, mostRefused) = (20, 5)

  // The retries by their results.
  private var (refusedRetries, answeredRetries) = (0, 0)
  /// One bit for each recent first request, 1 if it was refused. The first requests count as refused until there are
  /// enough.
  private var recent = everyBit
  private static let everyBit: UInt32 = (1 << UInt32(considered)) - 1

  /// Whether refusals concern their records, and not the host.
  var isOfRecords: Bool {
    refusedRetries >= max(Self.fewestRetries, Self.refusedPerAnswered * answeredRetries)
      && recent.nonzeroBitCount <= Self.mostRefused
  }

  /// Counts the result of a record.
  ///
  /// - Parameter isRetry: Whether the record was requested before.
  mutating func note(_ signal: HostSignal, isRetry: Bool) {
    switch signal {
    case .answered, .served: isRetry ? countRetry(isRefused: false) : countFirst(isRefused: false)
    case .recovered:
      if !isRetry { countFirst(isRefused: true) }
      countRetry(isRefused: false)
    case .limited, .limitedAgain, .paused(_, isOfRecord: true), .unavailable, .failed:
      isRetry ? countRetry(isRefused: true) : countFirst(isRefused: true)
    case .kept, .rejected, .refused, .paused, .silent: break
    }
  }

  private mutating func countFirst(isRefused: Bool) {
    recent = (recent << 1 | (isRefused ? 1 : 0)) & Self.everyBit
  }

  private mutating func countRetry(isRefused: Bool) {
    if isRefused { refusedRetries += 1 } else { answeredRetries += 1 }
    guard refusedRetries + answeredRetries > Self.remembered else { return }
    (refusedRetries, answeredRetries) = (refusedRetries / 2, answeredRetries / 2)
  }
}
