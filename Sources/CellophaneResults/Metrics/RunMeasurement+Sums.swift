internal import Cellophane

extension RunMeasurement {
  /// The sums of a run, by phase, and the metrics computed from them.
  struct Sums {
    private let tally: RunTally
    private let framesCanBeLate: Bool
    private let totals: RowTally.Totals
    private let waste: PerPhase<WasteSums>
    private let decoding: PerPhase<DecodingTally.Milliseconds>?

    /// The number of rows with an image that could not be verified.
    var unverified: Int { totals.unverified }

    init(_ observation: RunObservation, expected: (Int) -> PictureIdentity?) {
      tally = observation.tally
      framesCanBeLate = observation.framesCanBeLate
      totals = tally.rows.totals(expected: expected)
      let urls = Set(totals.seen.map { [tally] in tally.urls[$0] })
      waste = tally.transfers.waste { urls.contains($0) }
      decoding = tally.decodings.wasted(
        seen: Set(totals.seen.compactMap { [tally] in tally.number(of: $0) }))
    }

    /// Returns the blank share of the image area in `phases`; nil without any area.
    func blankRatio(in phases: [RunPhase]) -> Double? {
      let area = phases.reduce(0) { $0 + totals.sums[$1].area }
      return area > 0 ? phases.reduce(0) { $0 + totals.sums[$1].blank } / area : nil
    }

    /// Returns the measurement of `phase`; of the complete run if it is nil.
    func measurement(of phase: RunPhase?) -> Measurement {
      func sum<Value: Additive>(_ values: PerPhase<Value>) -> Value {
        phase.map { values[$0] } ?? values.total
      }
      let (seen, slots, transfers) = (sum(totals.sums), sum(tally.slots.sums), sum(tally.transfers.sums))
      let (elapsed, waste, played) = (sum(tally.elapsed), sum(waste), sum(tally.animations))
      let misplaced =
        phase.map { totals.misplaced[$0] }
        ?? RunPhase.allCases.reduce(0) { $0 + totals.misplaced[$1] }
      let vsync = 1 / Double(tally.refreshRate)
      func ratio(_ part: Double, _ total: Double) -> Double? { total > 0 ? part / total : nil }
      func share(_ part: Int, of total: Int) -> Double? { ratio(Double(part), Double(total)) }
      func hits(_ source: Source) -> Double? { share(slots.shown[source, default: 0], of: slots.bindings) }
      let cached = slots.bytes[.memory, default: 0] + slots.bytes[.disk, default: 0]

      let values: [Metric: Double?] = [
        .blankRatio: ratio(seen.blank, seen.area),
        .blankRatioAtRest: ratio(seen.blankAtRest, seen.areaAtRest),
        .blankPixelSeconds: seen.blank * vsync,
        .previewRatio: tally.showsPreviews ? ratio(seen.previewed, seen.area) : nil,
        .appearances: Double(seen.appearances),
        .readyOnAppear: share(seen.ready, of: seen.appearances),
        .seenWithin100ms: seen.waits.shareEnded(within: tally.refreshRate / 10),
        .seenWithin400ms: seen.waits.shareEnded(within: tally.refreshRate * 2 / 5),
        .seenWithin1s: seen.waits.shareEnded(within: tally.refreshRate),
        .neverSeen: share(seen.neverSeen, of: seen.noticeable),
        .popIns: Double(seen.popInsMoving + seen.popInsAtRest),
        .popInsMoving: Double(seen.popInsMoving),
        .popInsAtRest: Double(seen.popInsAtRest),
        .popInsAtRestPerMinute: ratio(Double(seen.popInsAtRest), Double(elapsed.vsyncs) * vsync / 60),
        .misplacedEvents: Double(misplaced),
        .misplacedMilliseconds: Double(seen.misplaced) * vsync * 1_000,
        .staleMilliseconds: tally.rows.evidence == .afterwards ? nil : Double(seen.stale) * vsync * 1_000,
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
        .wastedBytes: Double(waste.partial + waste.completed + waste.afterCancel),
        .wastedPartial: Double(waste.partial),
        .wastedUnseen: Double(waste.completed),
        .wastedAfterCancel: Double(waste.afterCancel),
        .refetchedBytes: Double(transfers.repeatedBytes),
        .decodingWasted: decoding.map { sum($0).value },
        .animationFrames: played.frames > 0 ? Double(played.frames) : nil,
        .animationLate: share(played.late, of: played.frames),
        .lateFrames: framesCanBeLate ? Double(elapsed.lateFrames) : nil,
        .hitches: framesCanBeLate ? ratio(Double(elapsed.late) * 1_000, Double(elapsed.moving)) : nil,
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
