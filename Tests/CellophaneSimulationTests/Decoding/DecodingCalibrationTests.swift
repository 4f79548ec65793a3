import Cellophane
import CellophaneTesting
import FoundationEssentials
import Testing

@testable import CellophaneResults
@testable import CellophaneSimulation
internal import TestSupport

@Suite(.thorough)
struct DecodingCalibrationTests {
  static let small = [24, 32, 40, 48].map { PixelSize(width: $0, height: $0) }

  @Test
  func `a calibration measures each class and format, uses the list's image size, and is read as costs`()
    async throws
  {
    var configuration = SimulationConfiguration()
    configuration.list.image = PixelSize(width: 300, height: 250)
    let calibration = try await DecodingCalibration(
      for: configuration, sizes: Self.small, rounds: 3, timeline: Timeline())
    #expect(calibration.costs.map(\.size.width) == [24, 24, 300, 300, 40, 40, 48, 48])
    #expect(calibration.costs.map(\.isPNG) == [true, false, true, false, true, false, true, false])
    #expect(calibration.costs.allSatisfy { $0.millisecondsPerMegapixel > 0 && $0.decodings == 9 })
    let read = try SimulationConfiguration(scenario: calibration.json()).decoding
    let measured = calibration.applied(to: configuration.decoding)
    for (read, measured) in zip(read.png + read.jpeg, measured.png + measured.jpeg) {
      #expect(abs(read - measured) <= 0.000_6)
    }
  }

  @Test func `a cost is the median of times of the timeline`() async throws {
    let clock = SteppingClock()
    let calibration = try await DecodingCalibration(
      for: SimulationConfiguration(), sizes: Self.small, rounds: 1, timeline: clock.timeline)
    // A decoding takes at least one step of the clock, and a whole number of steps.
    for cost in calibration.costs {
      let steps = cost.millisecondsPerMegapixel * Double(cost.size.width * cost.size.height) / 1_000_000
      #expect(steps >= 1 && steps.rounded() == (steps * 1_000).rounded() / 1_000)
    }
  }

  /// A clock that advances by 1 ms with each reading.
  private struct SteppingClock: Clock {
    let start = VirtualTime().now
    let readings = Notes<Void>()
    var now: VirtualTime.Instant {
      readings.add(())
      return start.advanced(by: .milliseconds(readings.all.count))
    }
    var minimumResolution: Duration { .nanoseconds(1) }
    func sleep(until deadline: VirtualTime.Instant, tolerance: Duration?) async throws {}
    var timeline: Timeline { Timeline(clock: self) { 0 } }
  }
}
