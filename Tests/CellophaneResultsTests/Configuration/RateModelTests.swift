import Cellophane
import CellophaneNetwork
import Testing

@testable import CellophaneResults

@Suite struct RateModelTests {
  static let models: [(name: String, model: RateModel)] = [
    ("3g", .threeG), ("lte", .lte), ("5g", .fiveG),
  ]

  /// Returns the mean rates of the seconds of a schedule, in Mbit/s.
  static func seconds(of schedule: RateSchedule) -> [Double] {
    (0..<schedule.period / 1_000_000_000).map { second in
      let start = second * 1_000_000_000
      return Double(schedule.bits(from: start, to: start + 1_000_000_000)) / 1e15
    }
  }

  static func mean(_ values: [Double]) -> Double { values.reduce(0, +) / Double(values.count) }

  static func covariance(_ values: [Double], lag: Int) -> Double {
    let mean = mean(values)
    return zip(values, values.dropFirst(lag)).reduce(0) { $0 + ($1.0 - mean) * ($1.1 - mean) }
      / Double(values.count - lag)
  }

  @Test(arguments: models)
  func `mean, variation, correlation and outages are those of the model`(name: String, model: RateModel) {
    let schedules = (1...60).map { model.schedule(mean: 10_000_000, seed: $0) }
    let all = schedules.map(Self.seconds)
    // 60 schedules: the standard error of the mean is at most 1.7 %, that of the variation 1 %.
    #expect(abs(Self.mean(all.map(Self.mean)) - 10) < 0.5)
    let squares = Self.mean(all.map { seconds in Self.mean(seconds.map { $0 * $0 }) }) / 100
    #expect(abs((squares - 1).squareRoot() - model.variation) < 0.05 * model.variation, "\(squares)")
    // The published traces have 0.7 to 0.92 after a second.
    let correlation = Self.mean(all.map { Self.covariance($0, lag: 1) / Self.covariance($0, lag: 0) })
    #expect((0.75...0.92).contains(correlation), "\(correlation)")
    let steps = schedules.flatMap(\.rates)
    let outages = zip(steps, steps.dropFirst()).count { $0 > 0 && $1 == 0 }
    let minutes = Double(steps.count * RateModel.step) / 60_000
    #expect(abs(Double(outages) / minutes - model.outagesPerMinute) < 0.1 * model.outagesPerMinute)
    let length = Double(steps.count { $0 == 0 } * RateModel.step) / 1_000 / Double(outages)
    #expect(abs(length - model.outageLength) < 0.1 * model.outageLength)
  }

  @Test func `the rates are those of the seed on every machine`() {
    let schedule = RateModel.lte.schedule(mean: 12_000_000, seed: 1)
    #expect(schedule == RateModel.lte.schedule(mean: 12_000_000, seed: 1))
    #expect(schedule != RateModel.lte.schedule(mean: 12_000_000, seed: 2))
    // Computed by another implementation of the model and of the draws, in Python.
    #expect(schedule.rates.prefix(5) == [5_664_000, 5_124_000, 5_340_000, 5_280_000, 5_808_000])
    #expect(schedule.rates.reduce(0, +) == 76_204_260_000)
    // In steps of 12 kbit/s, a thousandth of the mean.
    #expect(schedule.rates.allSatisfy { $0 % 12_000 == 0 })
  }

  @Test func `a link of the slowest mean still delivers`() {
    for (_, model) in Self.models {
      let schedule = model.schedule(mean: 1_000, seed: 7)
      #expect(schedule.mean > 300 && schedule.peak < 100_000)
    }
  }

  @Test func `a network whose rate varies by a model is part of a scenario`() throws {
    let network = try ScenarioTests.read(#"{"network":{"preset":"vary-lte","down_kbps":6000}}"#).network
      .profile
    #expect(network.name == "vary-lte,down=6000.0,up=12000.0,rtt=70.0")
    #expect(network.variation == .model(.lte) && network.downBitsPerSecond == 6_000_000)
    var configuration = SimulationConfiguration()
    configuration.network.profile = network
    #expect(try SimulationConfiguration(scenario: configuration.scenario()) == configuration)
    #expect(configuration.command?.contains("--network vary-lte,down=6000.0,up=12000.0,rtt=70.0 ") == true)
    configuration.network.profile = try NetworkProfile(parsing: "vary-5g")
    #expect(try SimulationConfiguration(scenario: configuration.scenario()).network.profile.name == "vary-5g")
    let completed = configuration.completed(layout: try configuration.checkedLayout(), meanBytes: 1)
    #expect(completed.assumptions?.contains { $0.contains("2.8 outages of 1.4 s per minute") } == true)
  }
}
