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

  /// The ends of an interval from 10 000 draws have a standard error of about 1 % of its width.
  @Test(arguments: StatisticsReference.all)
  func `intervals of means and of differences match numpy`(reference: StatisticsReference) {
    let bootstrap = Bootstrap(count: reference.values.count, seed: 1)
    Self.expect(
      bootstrap.mean(of: reference.values)?.estimate.interval, near: reference.meanInterval,
      within: 0.05, reference.name)
    let difference = MetricDifference(reference.values, reference.others, bootstrap)
    Self.expect(difference.interval, near: reference.pairInterval, within: 0.05, reference.name)
  }

  /// The tolerance is larger here: waits are whole ticks, and the reference has fewer resamples.
  @Test(arguments: StatisticsReference.all)
  func `quantiles of waits and their intervals match numpy`(reference: StatisticsReference) {
    let shares = WaitEstimate.Quantile.allCases.map(\.share)
    let replicas = reference.waits.map { PooledWaits($0.map(\.histogram)) }
    let count = reference.values.count
    #expect(
      replicas[0].quantiles(at: shares, weights: reference.values.map { _ in 1 }) == reference.quantiles)
    let bootstrap = Bootstrap(count: count, resamples: 4_000, seed: 1)
    let samples = replicas.map { bootstrap.quantiles(of: $0, at: shares) }
    for index in shares.indices {
      Self.expect(
        Estimate(percentilesOf: samples[0][index], count: count).interval,
        near: reference.quantileIntervals[index], within: 0.09, "\(reference.name), \(shares[index])")
      let pairs = zip(samples[0][index], samples[1][index]).map { $0 - $1 }
      Self.expect(
        pairs.contains(where: \.isNaN) ? nil : Estimate(percentilesOf: pairs, count: count).interval,
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
    let distribution = WaitDistribution(pooled, ticksPerSecond: 1)
    let shares = [0.1, 0.5, 0.9, 1]
    let quantiles = PooledWaits(replicas).quantiles(at: shares, weights: weights.map(Double.init))
    #expect(
      quantiles.map { $0.map { .seconds($0) } } == shares.map { distribution.quantile($0) }, "seed \(seed)")
  }

  @Test(arguments: 1..<10)
  func `fewer than ten replicas have no interval`(count: Int) {
    let values = (0..<count).map { Double?(Double($0)) }
    #expect(Bootstrap(count: count, seed: 1).mean(of: values) == nil)
    #expect(MetricSummary(values, Bootstrap(count: count, seed: 1)).mean == Double(count - 1) / 2)
  }

  @Test func `unknown values do not count`() throws {
    let bootstrap = Bootstrap(count: 12, resamples: 500, seed: 1)
    let none: [Double?] = [nil, nil]
    let known = (0..<10).map { Double?(Double($0)) }
    #expect(bootstrap.mean(of: none + known.dropLast() + [nil]) == nil)
    #expect(MetricSummary(none + known.dropLast() + [nil], bootstrap).mean == 4)
    let mean = try #require(bootstrap.mean(of: none + known))
    #expect(mean.mean == 4.5 && abs(mean.variance - 82.5 / 90) < 1e-12)
    let interval = try #require(mean.estimate.interval?.range)
    #expect(interval.contains(4.5) && interval.lowerBound > 0 && interval.upperBound < 9)
  }

  @Test func `equal values have an interval without width`() {
    let bootstrap = Bootstrap(count: 10, resamples: 100, seed: 1)
    for (value, p) in [(3.0, 0.0), (0, 1)] {
      let estimate = bootstrap.mean(of: Array(repeating: value, count: 10))?.estimate
      #expect(estimate == Estimate(interval: ConfidenceInterval(low: value, high: value), p: p))
    }
  }

  @Test func `the same seed gives the same interval, and another seed gives another`() {
    let values = (0..<12).map { Double?(Double($0 * $0)) }
    func interval(_ seed: UInt64) -> ConfidenceInterval? {
      Bootstrap(count: 12, resamples: 200, seed: seed).mean(of: values)?.estimate.interval
    }
    #expect(interval(1) == interval(1))
    #expect(interval(1) != interval(2))
  }

  @Test func `every metric path has a unique name`() {
    #expect(Set(MetricPath.all.map(\.text)).count == MetricPath.all.count)
    for path in MetricPath.all { #expect(MetricPath(path.text) == path) }
    for text in ["", "blank", "time_to_image", "time_to_image.p12", "blank_ratio.p50", "hit_ratio"] {
      #expect(MetricPath(text) == nil, "\(text)")
    }
  }
}
