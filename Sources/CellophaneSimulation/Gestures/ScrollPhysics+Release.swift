public import Cellophane

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Darwin
#endif

extension ScrollPhysics {
  /// The fastest release that a finger can cause, in px/s: Android's `ViewConfiguration` maximum, which
  /// Flutter uses on iOS too (`gestures/constants.dart`).
  public static let fastestRelease = 8000.0

  /// The slowest release that starts a fling, in px/s: 50 in Android's `ViewConfiguration`; twice that on
  /// iOS (Flutter, `BouncingScrollPhysics`).
  public var slowestRelease: Double {
    switch self {
    case .ios, .iosFast, .flutter: 100
    case .android: 50
    }
  }

  /// How long a list stays at its end after it ran into it. iOS bounces for about 0.4 s, and Flutter like it
  /// (assumed; a bounce brings no row into view); Android stops.
  var bounce: Duration {
    switch self {
    case .ios, .iosFast, .flutter: .milliseconds(400)
    case .android: .zero
    }
  }

  /// The velocity that a list moving at `velocity` adds to the next flick, in px/s. Flicks in quick
  /// succession accelerate on iOS: Flutter's fit, `scroll_physics.dart`, `carriedMomentum`.
  public func carriedMomentum(of velocity: Double) -> Double {
    switch self {
    case .ios, .iosFast, .flutter: sign(velocity) * min(0.000816 * pow(abs(velocity), 1.967), 40_000)
    case .android: 0
    }
  }

  /// The velocity at which a list moves when a finger lets go at `velocity` after having stopped a list that
  /// moved at `previous`, both signed and in px/s.
  ///
  /// Momentum is carried only into the same direction, and only by a flick at least half as fast as what it
  /// would carry (Flutter, `ScrollDragController.end`).
  public func release(at velocity: Double, after previous: Double) -> Double {
    let limited = sign(velocity) * min(abs(velocity), Self.fastestRelease)
    let carried = carriedMomentum(of: previous)
    let carries = sign(limited) == sign(carried) && abs(limited) > 0.5 * abs(carried)
    return carries ? limited + carried : limited
  }

  private func sign(_ value: Double) -> Double { value == 0 ? 0 : (value < 0 ? -1 : 1) }
}
