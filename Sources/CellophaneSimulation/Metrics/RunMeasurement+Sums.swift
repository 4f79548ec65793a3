internal import Cellophane

extension RunMeasurement {
  /// The sums of a run, by phase, and what they come to.
  struct Sums {
    private let tally: RunTally
    private let canBeLate: Bool
    private let findings: RowsSeen.Findings
    private let waste: PerPhase<WasteSums>
    private let decoding: PerPhase<DecodingTally.Milliseconds>?

    /// Rows that showed a picture which could not be proven.
    var unverified: Int { findings.unverified }

    init(_ observation: RunObservation, expected: (Int) -> PictureIdentity?) {
      tally = observation.tally
      canBeLate = observation.canBeLate
      findings = tally.rows.findings(expected: expected)
      let urls = Set(findings.seen.map { [tally] in tally.urls[$0] })
      waste = tally.transfers.waste { urls.contains($0) }
      decoding = tally.decodings.wasted(
        seen: Set(findings.seen.compactMap { [tally] in tally.number(of: $0) }))
    }

    /// What they come to in `phase`; nil for the whole run.
    func measurement(of phase: RunPhase?) -> Measurement {
      func sum<Value: Additive>(_ values: PerPhase<Value>) -> Value {
        phase.map { values[$0] } ?? values.total
      }
      let (seen, slots, transfers) = (sum(findings.sums), sum(tally.slots.sums), sum(tally.transfers.sums))
      let (passed, waste) = (sum(tally.passed), sum(waste))
      let misplaced =
        phase.map { findings.misplaced[$0] }
        ?? RunPhase.allCases.reduce(0) { $0 + findings.misplaced[$1] }
      let vsync = 1 / Double(tally.refreshRate)
      func ratio(_ part: Double, _ whole: Double) -> Double? { whole > 0 ? part / whole : nil }
      func share(_ part: Int, of whole: Int) -> Double? { ratio(Double(part), Double(whole)) }
      func hits(_ source: Source) -> Double? { share(slots.shown[source, default: 0], of: slots.bindings) }
      let cached = slots.bytes[.memory, default: 0] + slots.bytes[.disk, default: 0]

      let values: [Metric: Double?] = [
        .blankRatio: ratio(seen.blank, seen.area),
        .blankRatioAtRest: ratio(seen.blankAtRest, seen.areaAtRest),
        .blankPixelSeconds: seen.blank * vsync,
        .previewRatio: tally.showsPreviews ? ratio(seen.previewed, seen.area) : nil,
        .appearances: Double(seen.appearances),
        .readyOnAppear: share(seen.ready, of: seen.appearances),
        .neverSeen: share(seen.neverSeen, of: seen.noticeable),
        .popIns: Double(seen.popInsMoving + seen.popInsAtRest),
        .popInsMoving: Double(seen.popInsMoving),
        .popInsAtRest: Double(seen.popInsAtRest),
        .popInsAtRestPerMinute: ratio(Double(seen.popInsAtRest), Double(passed.vsyncs) * vsync / 60),
        .misplacedEvents: Double(misplaced),
        .misplacedMilliseconds: Double(seen.misplaced) * vsync * 1_000,
        .staleMilliseconds: tally.rows.proof == .afterwards ? nil : Double(seen.stale) * vsync * 1_000,
        .flickerEvents: Double(slots.flickers),
        .slotRequests: Double(slots.bindings),
        .memoryHits: hits(.memory),
        .diskHits: hits(.disk),
        .networkHits: hits(.network),
        .byteHits: share(cached, of: slots.bytes.values.reduce(0, +)),
        .transfers: Double(transfers.begun),
        .cancelledTransfers: Double(transfers.cancelled),
        .failedLoads: Double(slots.failures),
        .duplicateInFlight: Double(transfers.duplicates),
        .bytesDown: Double(transfers.bytes),
        .wastedBytes: Double(waste.partial + waste.whole + waste.afterCancel),
        .wastedPartial: Double(waste.partial),
        .wastedUnseen: Double(waste.whole),
        .wastedAfterCancel: Double(waste.afterCancel),
        .refetchedBytes: Double(transfers.repeatedBytes),
        .decodingWasted: decoding.map { sum($0).value },
        .lateFrames: canBeLate ? Double(passed.lateFrames) : nil,
        .hitches: canBeLate ? ratio(Double(passed.late) * 1_000, Double(passed.moving)) : nil,
      ]
      return Measurement(
        values: values.compactMapValues(\.self),
        waits: [
          .timeToImage: seen.waits,
          .timeToPreview: tally.showsPreviews ? seen.previewWaits : WaitHistogram(),
          .settleTime: sum(tally.rests.waits),
          .cancelLatency: transfers.cancelLatency,
        ], refreshRate: tally.refreshRate)
    }
  }
}
