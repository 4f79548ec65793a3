/// A metric that tables and figures of a study show for each case.
struct StudyNumber: Sendable {
  /// The title of its column.
  let title: String
  /// An explanation of the title.
  let meaning: String
  let path: MetricPath
  let format: @Sendable (Double) -> String

  /// The main metric of every comparison.
  static let blank = StudyNumber(
    title: "blank", meaning: "blank share of the image area", path: .metric(.blankRatio),
    format: Quantity.percent)

  private static let soon = StudyNumber(
    title: "in 400 ms", meaning: "share of rows with their image within 400 ms",
    path: .metric(.seenWithin400ms), format: Quantity.percent)
  private static let bytes = [
    StudyNumber(
      title: "received", meaning: "bytes received per replica", path: .metric(.bytesDown),
      format: Quantity.bytes),
    StudyNumber(
      title: "wasted", meaning: "bytes received for images that were never on the screen",
      path: .metric(.wastedBytes), format: Quantity.bytes),
  ]

  /// The numbers of ``TableRow/main``, with memory hits instead of the first frame: a sweep often varies the memory.
  static let ofSweep =
    [
      blank, soon,
      StudyNumber(
        title: "complete", meaning: "time from the start or a stop to a complete screen, p90",
        path: .quantile(.settleTime, .p90), format: Quantity.milliseconds),
      StudyNumber(
        title: "memory hit", meaning: "share of slot requests that the memory cache answered",
        path: .metric(.memoryHits), format: Quantity.percent),
    ] + bytes

  /// The numbers of a suite, which states the start and the movement apart.
  static let ofSuite =
    [
      blank,
      StudyNumber(
        title: "cold", meaning: "blank share until the first movement of the list",
        path: .metric(.blankRatioCold), format: Quantity.percent),
      StudyNumber(
        title: "warm", meaning: "blank share from the first movement of the list on",
        path: .metric(.blankRatioWarm), format: Quantity.percent),
      soon,
    ] + bytes
}

extension StudyResult {
  /// The metrics that tables and figures show for each case.
  var numbers: [StudyNumber] { kind == .suite ? StudyNumber.ofSuite : StudyNumber.ofSweep }

  /// Returns the name of a case: its values, joined by slashes.
  static func name(of one: Case) -> String { one.values.joined(separator: "/") }

  /// Returns the text of `number` for `one`. In a sweep, `*` marks a case that is better than the first and
  /// `!` a case that is worse. The blank share has half the width of its interval after `±`.
  func cell(_ one: Case, _ number: StudyNumber) -> String {
    guard let mean = one.metrics[number.path]?.mean else { return Quantity.unknown }
    let mark = claim(of: one, number)?.mark ?? ""
    guard number.path == StudyNumber.blank.path,
      let half = one.metrics[number.path]?.interval?.halfWidth, half > 0
    else { return mark + number.format(mean) }
    return mark + number.format(mean) + " ±" + number.format(half).replacing(" %", with: "")
  }

  /// Returns the confirmed difference of `one` from the first case; nil without one, and for all studies
  /// except sweeps.
  func claim(of one: Case, _ number: StudyNumber) -> DifferenceFamily.Claim? {
    kind == .sweep ? family.claim(one.metrics[number.path]?.difference, in: number.path) : nil
  }

  /// The differences that the tables show: all numbers of all cases.
  private var family: DifferenceFamily {
    DifferenceFamily(cases.flatMap { one in numbers.compactMap { one.metrics[$0.path]?.difference } })
  }
}
