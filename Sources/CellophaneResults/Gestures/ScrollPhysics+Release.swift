package import Cellophane

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Darwin
#endif

extension ScrollPhysics {
  /// The maximum velocity at release, in px/s: the maximum of Android's `ViewConfiguration`, which Flutter
  /// also uses on iOS (`gestures/constants.dart`).
  package static let fastestRelease = 8000.0

  /// The minimum velocity that starts a fling, in px/s: 50 in Android's `ViewConfiguration`, twice as much on
  /// iOS (Flutter, `BouncingScrollPhysics`).
  package var slowestRelease: Double {
    switch self {
    case .ios, .iosFast, .flutter: 100
    case .android, .flutterAndroid: 50
    }
  }

  /// The time that a list stays at its end after a fling reached it. A bounce takes about 0.4 s on iOS and in
  /// Flutter (assumed) and brings no row into view. Android stops.
  var bounce: Duration {
    switch self {
    case .ios, .iosFast, .flutter: .milliseconds(400)
    case .android, .flutterAndroid: .zero
    }
  }

  /// Returns the velocity that a list moving at `velocity` adds to the next flick, in px/s. On iOS, flicks in
  /// quick succession accelerate: Flutter's fit, `carriedMomentum` in `scroll_physics.dart`.
  package func carriedMomentum(of velocity: Double) -> Double {
    switch self {
    case .ios, .iosFast, .flutter: sign(velocity) * min(0.000816 * pow(abs(velocity), 1.967), 40_000)
    case .android, .flutterAndroid: 0
    }
  }

  /// Returns the velocity of a list after a finger stopped it at the velocity `previous` and releases it at
  /// `velocity`. Both are signed and in px/s.
  ///
  /// Momentum is carried in the same direction only, and only by a flick of at least half the carried
  /// velocity (Flutter, `ScrollDragController.end`).
  package func release(at velocity: Double, after previous: Double) -> Double {
    let limited = sign(velocity) * min(abs(velocity), Self.fastestRelease)
    let carried = carriedMomentum(of: previous)
    let carries = sign(limited) == sign(carried) && abs(limited) > 0.5 * abs(carried)
    return carries ? limited + carried : limited
  }

  private func sign(_ value: Double) -> Double { value == 0 ? 0 : (value < 0 ? -1 : 1) }
}
