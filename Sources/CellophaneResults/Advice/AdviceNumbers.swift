/// The numbers by which an ``Advice`` compares settings: means over the replicas.
package struct AdviceNumbers: Sendable, Hashable, Encodable {
  /// The blank share of the image area.
  package let blank: Double
  /// The bytes received per minute of scrolling.
  package let bytes: Double
  /// Of these, the bytes of images that were never on the screen.
  package let unused: Double

  enum CodingKeys: String, CodingKey {
    case blank = "blank_ratio"
    case bytes = "bytes_per_min"
    case unused = "unused_bytes_per_min"
  }

  /// Creates numbers.
  package init(blank: Double, bytes: Double, unused: Double) {
    (self.blank, self.bytes, self.unused) = (blank, bytes, unused)
  }

  /// Returns the means over `outcomes`, whose runs lasted for `duration`.
  package init(_ outcomes: [ReplicaOutcome], duration: Duration) {
    func mean(_ metric: Metric) -> Double? {
      let known = outcomes.compactMap { $0.runs[.cellophane]?.overall[metric] }
      return known.isEmpty ? nil : known.reduce(0, +) / Double(known.count)
    }
    self.init(mean, duration: duration)
  }

  /// Takes the means of one case of a study, whose runs lasted for `duration`.
  package init(_ one: StudyResult.Case, duration: Duration) {
    self.init({ one.metrics[.metric($0)]?.mean }, duration: duration)
  }

  private init(_ mean: (Metric) -> Double?, duration: Duration) {
    let minutes = duration.seconds / 60
    // A blank share is unknown only if no image area was on the screen. Nothing was blank then.
    self.init(
      blank: mean(.blankRatio) ?? 0, bytes: (mean(.bytesDown) ?? 0) / minutes,
      unused: (mean(.wastedBytes) ?? 0) / minutes)
  }

  /// Returns true if these numbers are at least as good in blank share and in bytes, and better in one of them.
  func beats(_ other: AdviceNumbers) -> Bool {
    blank <= other.blank && bytes <= other.bytes && (blank < other.blank || bytes < other.bytes)
  }
}
