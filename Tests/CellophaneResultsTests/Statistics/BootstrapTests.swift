import Testing

@testable import CellophaneResults
internal import TestSupport

@Suite(.thorough)
struct BootstrapTests {
  @Test func `all references can be read`() { #expect(StatisticsReference.all.count == 3) }

  static func expect(
    _ interval: ConfidenceInterval?, near expected: [Double?]?, within share: Double, _ name: String
  ) {
    guard let expected else {
      #expect(interval == nil, "\(name)")
      return
    }
    let width = expected[1].flatMap { high in expected[0].map { high - $0 } } ?? 0
    for (end, reference) in zip([interval?.low, interval?.high], expected) {
      guard let end, let reference else {
        #expect(end == reference, "\(name)")
        continue
      }
      #expect(
        abs(end - reference) <= share * width,
        "\(name): \(end) instead of \(reference), interval width \(width)")
    }
  }

  /// The ends of a percentile interval from 10 000 draws have a standard error of 0.7 % of its width.
  @Test(arguments: StatisticsReference.all)
  func `intervals of means and of differences match scipy`(reference: StatisticsReference) {
    let bootstrap = Bootstrap(count: reference.values.count, seed: 1)
    Self.expect(
      bootstrap.interval(ofMeanOf: reference.values), near: reference.meanInterval, within: 0.035,
      reference.name)
    let difference = MetricDifference(reference.values, reference.others, bootstrap)
    Self.expect(difference.interval, near: reference.pairInterval, within: 0.035, reference.name)
  }

  /// The tolerance is larger here: waits are whole ticks, and the reference has fewer resamples.
  @Test(arguments: StatisticsReference.all)
  func `quantiles of waits and their intervals match lifelines`(reference: StatisticsReference) {
    let shares = WaitEstimate.Quantile.allCases.map(\.share)
    let replicas = reference.waits.map { PooledWaits($0.map(\.histogram)) }
    #expect(
      replicas[0].quantiles(at: shares, weights: reference.values.map { _ in 1 }) == reference.quantiles)
    let bootstrap = Bootstrap(count: reference.values.count, resamples: 4_000, seed: 1)
    let samples = replicas.map { bootstrap.quantiles(of: $0, at: shares) }
    for index in shares.indices {
      Self.expect(
        ConfidenceInterval(ofSamples: samples[0][index]), near: reference.quantileIntervals[index],
        within: 0.09, "\(reference.name), \(shares[index])")
      let pairs = zip(samples[0][index], samples[1][index]).map { $0 - $1 }
      Self.expect(
        pairs.contains(where: \.isNaN) ? nil : ConfidenceInterval(ofSamples: pairs),
        near: reference.differenceIntervals[index], within: 0.09,
        "\(reference.name), difference at \(shares[index])")
    }
  }

  @Test(arguments: 1...20 as ClosedRange<UInt64>)
  func `weighted replicas have the quantiles of their pooled histograms`(seed: UInt64) {
    let draw = SeededDraw(seed: seed)
    let replicas = (0..<5).map { replica in
      var waits = WaitHistogram()
      for id in 0..<40 {
        waits.add(
          Int(draw.bits("ticks\(replica)", id) % 30), hasEnded: draw.chance(0.7, "over\(replica)", id))
      }
      return waits
    }
    let weights = (0..<5).map { Int(draw.bits("weight", $0) % 4) }
    var pooled = WaitHistogram()
    for (replica, weight) in zip(replicas, weights) {
      for _ in 0..<weight { pooled += replica }
    }
    let estimate = KaplanMeier(pooled, ticksPerSecond: 1)
    let shares = [0.1, 0.5, 0.9, 1]
    let quantiles = PooledWaits(replicas).quantiles(at: shares, weights: weights)
    #expect(quantiles.map { $0.map { .seconds($0) } } == shares.map { estimate.quantile($0) }, "seed \(seed)")
  }

  /// All differences of five replicas have the same sign by chance in more than 5 % of cases.
  @Test(arguments: 1..<6)
  func `fewer than six replicas have no interval`(count: Int) {
    let values = (0..<count).map { Double?(Double($0)) }
    #expect(Bootstrap(count: count, seed: 1).interval(ofMeanOf: values) == nil)
    #expect(MetricSummary(values, Bootstrap(count: count, seed: 1)).mean == Double(count - 1) / 2)
  }

  @Test func `missing values are ignored`() {
    let six = Bootstrap(count: 6, resamples: 500, seed: 1)
    let none = [Double?](repeating: nil, count: 5)
    #expect(six.interval(ofMeanOf: none + [nil]) == nil)
    #expect(six.interval(ofMeanOf: none + [4]) == ConfidenceInterval(low: 4, high: 4))
    #expect(six.interval(ofMeanOf: [1, 3, 3, 3, 3, 1]).map { $0.low ?? 0 >= 1 && $0.high ?? 9 <= 3 } == true)
    #expect(MetricSummary(none + [4], six).mean == 4)
    #expect(MetricSummary(none + [nil], six).mean == nil)
  }

  @Test func `the same seed gives the same interval, and another seed gives another`() {
    let values = (0..<9).map { Double?(Double($0 * $0)) }
    func interval(_ seed: UInt64) -> ConfidenceInterval? {
      Bootstrap(count: 9, resamples: 200, seed: seed).interval(ofMeanOf: values)
    }
    #expect(interval(1) == interval(1))
    #expect(interval(1) != interval(2))
  }

  @Test(
    arguments: [
      (ConfidenceInterval(low: 1, high: 2), .lower, .worse),
      (ConfidenceInterval(low: 1, high: 2), .higher, .better),
      (ConfidenceInterval(low: 1, high: 2), nil, .more),
      (ConfidenceInterval(low: -2, high: -1), .lower, .better),
      (ConfidenceInterval(low: -2, high: -1), nil, .less),
      (ConfidenceInterval(low: -2, high: 1), .lower, nil), (ConfidenceInterval(low: 0, high: 1), .lower, nil),
      (ConfidenceInterval(low: -1, high: 0), nil, nil),
      (ConfidenceInterval(low: 1, high: nil), .lower, .worse),
      (ConfidenceInterval(low: nil, high: -1), .lower, .better),
      (ConfidenceInterval(low: -1, high: nil), .lower, nil), (nil, .lower, nil),
    ] as [(ConfidenceInterval?, Metric.Direction?, MetricDifference.Claim?)])
  func `a difference with an interval that includes 0 supports no claim`(
    interval: ConfidenceInterval?, better: Metric.Direction?, claim: MetricDifference.Claim?
  ) {
    #expect(MetricDifference(mean: 1, interval: interval).claim(better) == claim)
  }

  @Test func `every metric path has a unique name`() {
    #expect(Set(MetricPath.all.map(\.text)).count == MetricPath.all.count)
    for path in MetricPath.all { #expect(MetricPath(path.text) == path) }
    for text in ["", "blank", "time_to_image", "time_to_image.p12", "blank_ratio.p50", "hit_ratio"] {
      #expect(MetricPath(text) == nil, "\(text)")
    }
  }
}
