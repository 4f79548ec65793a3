internal import Cellophane

/// Everything that was observed of one run, by the screen, the transport, the origin and the loader.
struct RunObservation: Sendable {
  var record: ScreenRecord
  /// The rows' URLs.
  var urls: [String]
  var transfers: TransferLog
  /// The most transfers that were on the line at once; nil where only the loader's side is known.
  var mostInFlight: Int?
  /// Loads whose slot moved on, and whose pictures were kept from it.
  var stalePrevented = 0
  /// Of those, the ones whose pictures came and were dropped; the others were cancelled before.
  var staleDropped = 0
  /// The most that the memory cache held, in bytes.
  var peakMemoryCost = 0
  /// False where drawing takes no time, so that no frame can be late.
  var canBeLate = true
  /// The slots that wait for a picture which will never come, with their rows.
  var waitingRows: [(slot: Int, row: Int)] = []
  /// What is still being done although nobody wants anything any more and everything had its time.
  var leftOver = 0
  /// The hash of everything that happened; nil where the same does not happen twice.
  var fingerprint: UInt64?
}

extension RunMetrics {
  /// The metrics of `observation`, given the picture that belongs to each row, if that is known.
  init(_ observation: RunObservation, expected: (Int) -> PictureIdentity?) {
    let screen = ScreenMetrics(observation.record, expected: expected)
    let transfers = observation.transfers
    let seen = Set(screen.rowsSeen.map { observation.urls[$0] })
    let partial = transfers.bytes {
      !seen.contains($0.url) && ($0.outcome == .cancelled || $0.outcome == .failed)
    }
    let unseen = transfers.bytes { !seen.contains($0.url) && $0.outcome == .completed }
    let record = observation.record
    func share(_ source: Source) -> Double? {
      record.bindings > 0 ? Double(record.shown[source, default: 0]) / Double(record.bindings) : nil
    }
    let values: [Metric: Double?] = [
      .blankRatio: screen.blankRatio,
      .blankRatioAtRest: screen.blankRatioAtRest,
      .blankPixelSeconds: screen.blankArea,
      .appearances: Double(screen.appearances),
      .readyOnAppear: screen.readyOnAppear,
      .neverSeen: screen.neverSeen,
      .misplacedEvents: Double(screen.misplaced),
      .misplacedMilliseconds: screen.misplacedTime.milliseconds,
      .unverifiedRows: Double(screen.unverified),
      .slotRequests: Double(record.bindings),
      .memoryHits: share(.memory),
      .diskHits: share(.disk),
      .networkHits: share(.network),
      .transfers: Double(transfers.transfers.count),
      .cancelledTransfers: Double(transfers.count(.cancelled)),
      .failedLoads: Double(record.failures),
      .duplicateInFlight: Double(transfers.duplicatesInFlight),
      .peakInFlight: Double(observation.mostInFlight ?? transfers.mostRunning),
      .bytesDown: Double(transfers.bytes()),
      .wastedBytes: Double(partial + unseen),
      .wastedPartial: Double(partial),
      .wastedUnseen: Double(unseen),
      .refetchedBytes: Double(transfers.bytes(where: \.isRepeated)),
      .stalePrevented: Double(observation.stalePrevented),
      .staleCancelled: Double(observation.stalePrevented - observation.staleDropped),
      .staleDropped: Double(observation.staleDropped),
      .peakResidentBytes: record.peakResidentBytes.map(Double.init),
      .peakMemoryCost: Double(observation.peakMemoryCost),
      .lateFrames: observation.canBeLate ? Double(screen.lateFrames) : nil,
      .hitches: observation.canBeLate ? screen.hitches : nil,
    ]
    self.init(timeToImage: TimeToImage(screen.timeToImage), values: values.compactMapValues(\.self))
  }
}
