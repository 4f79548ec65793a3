/// What came of one replica: every loader, played under one seed.
struct ReplicaOutcome: Sendable {
  let seed: UInt64
  /// The mean size of a generated file; nil when nobody knows.
  let meanBytes: Int?
  var runs: [Contender: RunMeasurement]
  /// The hash of everything that happened to all of them; nil where the same does not happen twice.
  let fingerprint: UInt64?
  /// The slots of this library that wait for a picture which will never come, with their rows.
  let waitingRows: [(slot: Int, row: Int)]
  /// What this library still does although nobody wants anything any more and everything had its time.
  let leftOver: Int
  /// What this library did, moment by moment; nil unless it was asked for.
  var recording: Recording?
  /// What its slots asked for; nil unless it was asked for.
  var requests: RequestTrace?

  /// What `observations` come to. `expected` is the picture that belongs to a row, if that is known.
  init(
    seed: UInt64, meanBytes: Int?, _ observations: [Contender: RunObservation],
    expected: (Int) -> PictureIdentity?
  ) {
    self.seed = seed
    self.meanBytes = meanBytes
    runs = observations.mapValues { RunMeasurement($0, expected: expected) }
    waitingRows = observations[.cellophane]?.waitingRows ?? []
    leftOver = observations[.cellophane]?.leftOver ?? 0
    recording = observations[.cellophane]?.recording
    requests = observations[.cellophane]?.requests
    fingerprint = Self.joined(Contender.allCases.compactMap { observations[$0] }.map(\.fingerprint))
  }

  init(
    seed: UInt64, runs: [Contender: RunMeasurement], fingerprint: UInt64? = nil,
    waitingRows: [(slot: Int, row: Int)] = [], leftOver: Int = 0
  ) {
    self.seed = seed
    meanBytes = nil
    self.runs = runs
    self.fingerprint = fingerprint
    self.waitingRows = waitingRows
    self.leftOver = leftOver
  }

  /// How often a slot of this library came to show the picture of another row.
  var misplaced: Int { Int(runs[.cellophane]?.whole[.misplacedEvents] ?? 0) }

  /// How often a transfer of this library ran while another of the same URL was running.
  var duplicateInFlight: Int { Int(runs[.cellophane]?.whole[.duplicateInFlight] ?? 0) }

  /// True when something happened that must not.
  var isBroken: Bool { misplaced + duplicateInFlight + waitingRows.count + leftOver > 0 }

  /// One hash of those of `outcomes`, in their order, as a result tells it.
  static func fingerprint(of outcomes: [ReplicaOutcome]) -> String? {
    joined(outcomes.map(\.fingerprint)).map { hash in
      let digits = String(hash, radix: 16)
      return "splitmix64:" + String(repeating: "0", count: 16 - digits.count) + digits
    }
  }

  private static func joined(_ hashes: [UInt64?]) -> UInt64? {
    let known = hashes.compactMap(\.self)
    guard !known.isEmpty, known.count == hashes.count else { return nil }
    return known.reduce(0) { SeededDraw.mixed($0 ^ $1) }
  }
}

extension SimulationResult.Invariants {
  /// Whether they held in `outcomes`.
  init(_ outcomes: [ReplicaOutcome], _ configuration: SimulationConfiguration) {
    misplaced = outcomes.reduce(0) { $0 + $1.misplaced }
    duplicateInFlight = outcomes.reduce(0) { $0 + $1.duplicateInFlight }
    deadlocks = outcomes.reduce(0) { $0 + $1.waitingRows.count }
    leftOver = outcomes.reduce(0) { $0 + $1.leftOver }
    waiting = outcomes.flatMap { outcome in
      outcome.waitingRows.map {
        "slot \($0.slot) waits for ever for the picture of row \($0.row)"
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
