/// The outcome of one replica: the measurements of all loaders under one seed.
package struct ReplicaOutcome: Sendable {
  let seed: UInt64
  /// The mean size of a generated file; nil if unknown.
  package let meanBytes: Int?
  package var runs: [LoaderUnderTest: RunMeasurement]
  /// The hash of all events of all loaders; nil if runs are not repeatable.
  let fingerprint: UInt64?
  /// The slots of Cellophane that wait for an image that will never arrive, and their rows.
  let waitingRows: [(slot: Int, row: Int)]
  /// The amount of Cellophane's work that continued after all requests ended and all work had time to finish.
  let leftOver: Int
  /// The recording of Cellophane; nil unless requested.
  var recording: Recording?
  /// The recording of the naive loader; nil unless requested.
  var naiveRecording: Recording?
  /// The requests of Cellophane's slots; nil unless requested.
  var requests: RequestTrace?
  /// The run as a trace; nil unless requested.
  var trace: [UInt8]?
  /// The loader under test: Cellophane, unless another one was measured.
  package var subject: LoaderUnderTest { runs[.other] == nil ? .cellophane : .other }

  /// Creates the outcome from `observations`. `expected` returns the image of a row; nil if it is unknown.
  package init(
    seed: UInt64, meanBytes: Int?, _ observations: [LoaderUnderTest: RunObservation],
    expected: (Int) -> PictureIdentity?
  ) {
    self.seed = seed
    self.meanBytes = meanBytes
    runs = observations.mapValues { RunMeasurement($0, expected: expected) }
    let own = observations[.other] ?? observations[.cellophane]
    waitingRows = own?.waitingRows ?? []
    leftOver = own?.leftOver ?? 0
    recording = own?.recording
    naiveRecording = observations[.naive]?.recording
    requests = own?.requests
    trace = own?.trace
    fingerprint = Self.combined(LoaderUnderTest.allCases.compactMap { observations[$0] }.map(\.fingerprint))
  }

  package init(
    seed: UInt64, runs: [LoaderUnderTest: RunMeasurement], fingerprint: UInt64? = nil,
    waitingRows: [(slot: Int, row: Int)] = [], leftOver: Int = 0
  ) {
    self.seed = seed
    meanBytes = nil
    self.runs = runs
    self.fingerprint = fingerprint
    self.waitingRows = waitingRows
    self.leftOver = leftOver
  }

  /// How often a slot of Cellophane began to show the image of another row.
  var misplaced: Int { Int(runs[subject]?.overall[.misplacedEvents] ?? 0) }

  /// How often a transfer of Cellophane ran while another one of the same URL was running. Other loaders may do that.
  var duplicateInFlight: Int {
    subject == .cellophane ? Int(runs[.cellophane]?.overall[.duplicateInFlight] ?? 0) : 0
  }

  /// True if an invariant is broken.
  var isBroken: Bool { misplaced + duplicateInFlight + waitingRows.count + leftOver > 0 }

  /// Returns one hash of the hashes of `outcomes`, in their order, in the format of results.
  static func fingerprint(of outcomes: [ReplicaOutcome]) -> String? {
    combined(outcomes.map(\.fingerprint)).map { hash in
      let digits = String(hash, radix: 16)
      return "splitmix64:" + String(repeating: "0", count: 16 - digits.count) + digits
    }
  }

  private static func combined(_ hashes: [UInt64?]) -> UInt64? {
    let known = hashes.compactMap(\.self)
    guard !known.isEmpty, known.count == hashes.count else { return nil }
    return known.reduce(0) { SeededDraw.mixed($0 ^ $1) }
  }
}

extension SimulationResult.Invariants {
  /// Checks the invariants in `outcomes`.
  package init(_ outcomes: [ReplicaOutcome], _ configuration: SimulationConfiguration) {
    misplaced = outcomes.reduce(0) { $0 + $1.misplaced }
    duplicateInFlight = outcomes.reduce(0) { $0 + $1.duplicateInFlight }
    deadlocks = outcomes.reduce(0) { $0 + $1.waitingRows.count }
    leftOver = outcomes.reduce(0) { $0 + $1.leftOver }
    waiting = outcomes.flatMap { outcome in
      outcome.waitingRows.map {
        "slot \($0.slot) waits forever for the image of row \($0.row)"
          + (outcomes.count > 1 ? " (seed \(outcome.seed))" : "")
      }
    }
    repeatBroken = outcomes.first(where: \.isBroken).flatMap { broken in
      var one = configuration
      one.seed = broken.seed
      one.replicas = 1
      return one.command
    }
  }
}
