/// One of the numbers that a study shows of each case.
struct StudyNumber: Sendable {
  /// Its name in a column.
  let title: String
  /// What it is, for who does not know the name.
  let meaning: String
  let path: MetricPath
  let format: @Sendable (Double) -> String

  /// The number that cases are compared by.
  static let blank = StudyNumber(
    title: "blank", meaning: "blank share of picture area", path: .metric(.blankRatio),
    format: Quantity.percent)

  /// Those that matter most.
  static let all = [
    blank,
    StudyNumber(
      title: "at rest", meaning: "blank share while at rest", path: .metric(.blankRatioAtRest),
      format: Quantity.percent),
    StudyNumber(
      title: "p90 image", meaning: "time to image, for 90 % of the rows within",
      path: .quantile(.timeToImage, .p90), format: Quantity.milliseconds),
    StudyNumber(
      title: "memory hit", meaning: "share of what slots asked for that memory answered",
      path: .metric(.memoryHits), format: Quantity.percent),
    StudyNumber(
      title: "received", meaning: "bytes received in a run", path: .metric(.bytesDown),
      format: Quantity.bytes),
    StudyNumber(
      title: "wasted", meaning: "bytes received for pictures that were never on the screen",
      path: .metric(.wastedBytes), format: Quantity.bytes),
  ]
}

extension StudyResult {
  /// What `one` is called: its values.
  static func name(of one: Case) -> String { one.values.joined(separator: "/") }

  /// What is shown of `number` in `one`: with a mark where a case of a sweep is shown to be better or worse than the
  /// first, and of the blank share with half of its interval.
  func cell(_ one: Case, _ number: StudyNumber) -> String {
    guard let mean = one.metrics[number.path]?.mean else { return Quantity.unknown }
    let mark =
      switch claim(of: one, number) {
      case .better: "*"
      case .worse: "!"
      case .less, .more, nil: ""
      }
    guard number.path == StudyNumber.blank.path,
      let half = one.metrics[number.path]?.interval?.halfWidth, half > 0
    else { return mark + number.format(mean) }
    return mark + number.format(mean) + " ±" + number.format(half).replacing(" %", with: "")
  }

  /// What can be said of `one` beside the first case; nil outside of sweeps, whose first case is any.
  func claim(of one: Case, _ number: StudyNumber) -> MetricDifference.Claim? {
    kind == .sweep ? one.metrics[number.path]?.difference?.claim(number.path.better) : nil
  }
}
