internal import Cellophane
internal import Testing

/// Compares flings with distances and durations from each system's formula. Those of Android come from the
/// logarithm and exponent of `OverScroller`, not from the form in `Fling`. `FlingReferenceTests` compares the way.
@Suite struct FlingTests {
  struct Row: Sendable {
    let physics: ScrollPhysics
    let speed, distance, duration: Double
    /// The remaining distance when the list rests.
    var remaining = 0.5
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
    Row(physics: .android, speed: 500, distance: 58.3223, duration: 0.333270),
    Row(physics: .android, speed: 1000, distance: 194.314, duration: 0.555182),
    Row(physics: .android, speed: 2000, distance: 647.399, duration: 0.924855),
    Row(physics: .android, speed: 4000, distance: 2156.95, duration: 1.54068),
    Row(physics: .android, speed: 8000, distance: 7186.36, duration: 2.56656),
    Row(physics: .flutterAndroid, speed: 500, distance: 58.3223, duration: 0.275071),
    Row(physics: .flutterAndroid, speed: 1000, distance: 194.314, duration: 0.458231),
    Row(physics: .flutterAndroid, speed: 2000, distance: 647.399, duration: 0.763348),
    Row(physics: .flutterAndroid, speed: 4000, distance: 2156.95, duration: 1.27163),
    Row(physics: .flutterAndroid, speed: 8000, distance: 7186.36, duration: 2.11836),
    Row(physics: .flutter, speed: 500, distance: 249.690, duration: 1.88691, remaining: 5.71),
    Row(physics: .flutter, speed: 1000, distance: 499.381, duration: 2.23305, remaining: 5.71),
    Row(physics: .flutter, speed: 2000, distance: 998.761, duration: 2.57919, remaining: 5.71),
    Row(physics: .flutter, speed: 4000, distance: 1997.523, duration: 2.92534, remaining: 5.71),
    Row(physics: .flutter, speed: 8000, distance: 3995.045, duration: 3.27148, remaining: 5.71),
  ]

  @Test(arguments: table) func `distance and duration match the system's formula`(row: Row) {
    let fling = Fling(row.physics, speed: row.speed)
    #expect(abs(fling.distance / row.distance - 1) < 0.001)
    #expect(abs(fling.duration / row.duration - 1) < 0.001)
    #expect(row.distance - fling.travelled(after: row.duration) < row.remaining + 0.01)
  }

  @Test(arguments: table) func `the speed is the derivative of the distance`(row: Row) {
    let fling = Fling(row.physics, speed: row.speed)
    let step = 1e-5
    for fraction in [0.0, 0.1, 0.5, 0.9] {
      let time = fraction * fling.duration
      let slope = (fling.travelled(after: time + step) - fling.travelled(after: time)) / step
      #expect(abs(slope - fling.speed(after: time + step / 2)) < 0.001 * row.speed)
    }
    #expect(fling.speed(after: fling.duration) == 0)
  }

  @Test(arguments: table)
  func `the time to travel a distance is the inverse of the distance`(row: Row) throws {
    let fling = Fling(row.physics, speed: row.speed)
    for fraction in [0.0, 0.1, 0.5, 0.9] {
      let distance = fling.travelled(after: fraction * fling.duration)
      let time = try #require(fling.time(toTravel: distance))
      #expect(abs(time - fraction * fling.duration) < 1e-6)
    }
    #expect(fling.time(toTravel: fling.distance + 1) == nil)
  }

  @Test(arguments: ScrollPhysics.allCases)
  func `a fling without speed does not move`(physics: ScrollPhysics) {
    let fling = Fling(physics, speed: 0)
    #expect(fling.duration == 0)
    #expect(fling.travelled(after: 1) == 0)
    #expect(fling.speed(after: 0) == 0)
  }

  @Test(arguments: table) func `the rest of a fling is a fling that starts at the present speed`(row: Row) {
    let whole = Fling(row.physics, speed: row.speed)
    for fraction in [0.0, 0.2, 0.7, 1] {
      let time = fraction * whole.duration
      let rest = whole.rest(after: time)
      let restarted = Fling(row.physics, speed: whole.speed(after: time))
      // Android's spline depends on the speed at release, so that a restarted fling is another one.
      for fling in row.physics == .android ? [rest, rest.rest(after: 0)] : [rest, restarted] {
        #expect(abs(fling.speed - whole.speed(after: time)) < 1e-6 * row.speed)
        let expected = fraction == 1 ? 0 : whole.distance - whole.travelled(after: time)
        #expect(abs(fling.distance - expected) < 1e-6 * row.distance)
        #expect(abs(fling.duration - (fraction == 1 ? 0 : whole.duration - time)) < 1e-6)
      }
    }
  }

  @Test(arguments: table)
  func `the rest of a fling moves as the fling does from then on`(row: Row) throws {
    let whole = Fling(row.physics, speed: row.speed)
    for begin in [0.1, 0.3, 0.6] {
      // A rest of a rest is a rest, too.
      let rest = whole.rest(after: begin / 2 * whole.duration).rest(after: begin / 2 * whole.duration)
      for passed in [0.05, 0.2, 0.35] {
        let time = passed * whole.duration
        let then = begin * whole.duration + time
        let way = whole.travelled(after: then) - whole.travelled(after: begin * whole.duration)
        #expect(abs(rest.travelled(after: time) - way) < 1e-9 * row.distance)
        #expect(abs(rest.speed(after: time) - whole.speed(after: then)) < 1e-9 * row.speed)
        #expect(abs(try #require(rest.time(toTravel: way)) - time) < 1e-6)
      }
    }
  }

  @Test(arguments: table) func `a fling with a given distance travels that distance`(row: Row) {
    let own = Fling(row.physics, speed: row.speed, distance: row.distance)
    #expect(abs(own.distance / row.distance - 1) < 1e-9)
    #expect(abs(own.duration / row.duration - 1) < 0.001)
    let half = Fling(row.physics, speed: row.speed, distance: row.distance / 2)
    #expect(half.speed(after: 0) == row.speed)
    #expect(abs(half.travelled(after: 100) - row.distance / 2) < row.remaining + 0.01)
  }
}
