@testable import CellophaneSimulation
import Testing

/// The tables of distances and durations, computed from each system's own formula: for Android from
/// `OverScroller`'s logarithm and exponent, not from the form that `Fling` uses.
@Suite struct FlingTests {
  struct Row: Sendable {
    let physics: ScrollPhysics
    let speed, distance, duration: Double
  }

  static let table = [
    Row(physics: .ios, speed: 500, distance: 249.750, duration: 3.10370),
    Row(physics: .ios, speed: 1000, distance: 499.500, duration: 3.44992),
    Row(physics: .ios, speed: 2000, distance: 999.000, duration: 3.79615),
    Row(physics: .ios, speed: 4000, distance: 1997.999, duration: 4.14238),
    Row(physics: .ios, speed: 8000, distance: 3995.999, duration: 4.48860),
    Row(physics: .iosFast, speed: 500, distance: 49.7496, duration: 0.457711),
    Row(physics: .iosFast, speed: 1000, distance: 99.4992, duration: 0.526679),
    Row(physics: .iosFast, speed: 2000, distance: 198.998, duration: 0.595646),
    Row(physics: .iosFast, speed: 4000, distance: 397.997, duration: 0.664614),
    Row(physics: .iosFast, speed: 8000, distance: 795.993, duration: 0.733581),
    Row(physics: .android, speed: 500, distance: 58.3223, duration: 0.275071),
    Row(physics: .android, speed: 1000, distance: 194.314, duration: 0.458231),
    Row(physics: .android, speed: 2000, distance: 647.399, duration: 0.763348),
    Row(physics: .android, speed: 4000, distance: 2156.95, duration: 1.27163),
    Row(physics: .android, speed: 8000, distance: 7186.36, duration: 2.11836),
  ]

  @Test(arguments: table) func `distance and duration are the system's`(row: Row) {
    let fling = Fling(row.physics, speed: row.speed)
    #expect(abs(fling.distance / row.distance - 1) < 0.001)
    #expect(abs(fling.duration / row.duration - 1) < 0.001)
    #expect(row.distance - fling.travelled(after: row.duration) < 0.51)
  }

  @Test(arguments: table) func `speed is the derivative of the way`(row: Row) {
    let fling = Fling(row.physics, speed: row.speed)
    let step = 1e-5
    for fraction in [0.0, 0.1, 0.5, 0.9] {
      let time = fraction * fling.duration
      let slope = (fling.travelled(after: time + step) - fling.travelled(after: time)) / step
      #expect(abs(slope - fling.speed(after: time + step / 2)) < 0.001 * row.speed)
    }
    #expect(fling.speed(after: fling.duration) == 0)
  }

  @Test(arguments: table) func `the time to a place is the inverse of the way`(row: Row) throws {
    let fling = Fling(row.physics, speed: row.speed)
    for fraction in [0.0, 0.1, 0.5, 0.9] {
      let way = fling.travelled(after: fraction * fling.duration)
      let time = try #require(fling.time(toTravel: way))
      #expect(abs(time - fraction * fling.duration) < 1e-6)
    }
    #expect(fling.time(toTravel: fling.distance + 1) == nil)
  }

  @Test(arguments: ScrollPhysics.allCases) func `no speed moves nothing`(physics: ScrollPhysics) {
    let fling = Fling(physics, speed: 0)
    #expect(fling.duration == 0)
    #expect(fling.travelled(after: 1) == 0)
    #expect(fling.speed(after: 0) == 0)
  }

  @Test(arguments: [(500.0, 166.174), (1000, 649.666), (2000, 2539.90), (4000, 9929.84), (9000, 40_000)])
  func `repeated flicks accelerate on iOS`(velocity: Double, carried: Double) {
    #expect(abs(ScrollPhysics.ios.carriedMomentum(of: velocity) / carried - 1) < 0.001)
    #expect(abs(ScrollPhysics.ios.carriedMomentum(of: -velocity) / -carried - 1) < 0.001)
    #expect(ScrollPhysics.android.carriedMomentum(of: velocity) == 0)
  }

  @Test func `a flick carries momentum only into its own direction and when it is quick enough`() {
    let carried = ScrollPhysics.ios.carriedMomentum(of: 1000)
    #expect(ScrollPhysics.ios.release(at: 2000, after: 1000) == 2000 + carried)
    #expect(ScrollPhysics.ios.release(at: -2000, after: 1000) == -2000)
    #expect(ScrollPhysics.ios.release(at: 300, after: 1000) == 300)
    #expect(ScrollPhysics.ios.release(at: 20_000, after: 0) == 8000)
    #expect(ScrollPhysics.android.release(at: -20_000, after: -1000) == -8000)
  }
}
