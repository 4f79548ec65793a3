#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Darwin
#endif

/// A fling in closed form: the offset and the speed of a list at any time after the finger left it. Lengths in px, times in
/// s, without a direction.
public struct Fling: Sendable, Hashable {
  /// The deceleration of a fling.
  private enum Decay: Hashable {
    /// v(t) = v·e^(−rate·t), until the remaining distance is `rest`.
    case exponential(rate: Double, rest: Double)
    /// v(t) = v·(1 − t/duration)^(exponent−1).
    case power(exponent: Double, duration: Double)
    /// ``FlingSpline``, from `elapsed` on, of a fling that was released at `release` and lasts `duration`.
    case spline(release: Double, duration: Double, elapsed: Double)
  }

  /// The speed at release, at least 0.
  public let speed: Double
  private let decay: Decay

  /// Creates a fling with `physics` that starts at `speed` px/s.
  public init(_ physics: ScrollPhysics, speed: Double) {
    self.speed = max(0, speed)
    switch physics {
    case .ios: decay = Self.deceleration(perMillisecond: 0.998)
    case .iosFast: decay = Self.deceleration(perMillisecond: 0.99)
    case .android:
      decay = .spline(release: self.speed, duration: Self.splineDuration(speed: self.speed), elapsed: 0)
    case .flutter: decay = Self.friction
    case .flutterAndroid: decay = Self.clamping(speed: self.speed)
    }
  }

  /// Creates a fling that starts at `speed` and approaches `distance` with the deceleration of `physics`. For scroll views
  /// that report their landing, such as the start of a page.
  public init(_ physics: ScrollPhysics, speed: Double, distance: Double) {
    guard speed > 0, distance > 0, speed.isFinite, distance.isFinite else {
      self.init(physics, speed: 0)
      return
    }
    let decay: Decay =
      switch physics {
      case .ios, .iosFast: .exponential(rate: speed / distance, rest: Self.stillness)
      case .flutter: .exponential(rate: speed / distance, rest: Self.slowest * distance / speed)
      case .android: .spline(release: speed, duration: distance / (FlingSpline.inflexion * speed), elapsed: 0)
      case .flutterAndroid: .power(exponent: Self.exponent, duration: Self.exponent * distance / speed)
      }
    self.init(speed: speed, decay: decay)
  }

  private init(speed: Double, decay: Decay) {
    self.speed = speed
    self.decay = decay
  }

  /// The remaining distance at which a fling on iOS ends: half a pixel, which is invisible.
  private static let stillness = 0.5

  /// `UIScrollView.decelerationRate` is the factor by which the velocity shrinks every millisecond.
  private static func deceleration(perMillisecond factor: Double) -> Decay {
    .exponential(rate: -1000 * log(factor), rest: Self.stillness)
  }

  /// Flutter's `FrictionSimulation` with the drag of `BouncingScrollSimulation`, 0.135. It ends when the list moves less
  /// than a physical pixel in 50 ms (`ScrollPhysics.toleranceFor`), on the phone that Lighthouse emulates, with 1.75
  /// physical pixels per px.
  private static var friction: Decay {
    let rate = -log(0.135)
    return .exponential(rate: rate, rest: slowest / rate)
  }

  private static let slowest = 1 / (0.050 * 1.75)

  /// `DECELERATION_RATE` of AOSP's `android.widget.OverScroller`.
  private static let exponent = log(0.78) / log(0.9)

  /// The duration of a fling in `OverScroller` (`getSplineFlingDuration`). The distance is `INFLEXION` · speed ·
  /// duration.
  private static func splineDuration(speed: Double) -> Double {
    // `SCROLL_FRICTION` of `ViewConfiguration`, times `mPhysicalCoeff` of `OverScroller`: gravity in m/s² · inches per
    // metre · pixels per inch · 0.84, which AOSP calls a tuning of look and feel. A px is 1/160 inch.
    let friction = 0.015 * (9.80665 * 39.37 * 160 * 0.84)
    return pow(FlingSpline.inflexion * speed / friction, 1 / (exponent - 1))
  }

  /// Flutter's `ClampingScrollSimulation` (`scroll_simulation.dart`): the distance of `OverScroller`, travelled in 83 %
  /// of its time. The deceleration depends on the present speed only. At 8000 px/s, both are up to 261 px apart on the
  /// way.
  private static func clamping(speed: Double) -> Decay {
    .power(exponent: exponent, duration: exponent * FlingSpline.inflexion * splineDuration(speed: speed))
  }

  /// The distance that the fling approaches. ``travelled(after:)`` at its ``duration`` is at most half a pixel less, in
  /// Flutter 6 px.
  public var distance: Double {
    switch decay {
    case .exponential(let rate, _): speed / rate
    case .power(let exponent, let duration): speed * duration / exponent
    case .spline(let release, let duration, let elapsed):
      duration > 0
        ? FlingSpline.inflexion * release * duration * (1 - FlingSpline.way(after: elapsed / duration)) : 0
    }
  }

  /// The time until the list rests.
  public var duration: Double {
    switch decay {
    case .exponential(let rate, let rest):
      distance > rest ? log(distance / rest) / rate : 0
    case .power(_, let duration): duration
    case .spline(_, let duration, let elapsed): duration - elapsed
    }
  }

  /// Returns the distance travelled at `time` after release.
  public func travelled(after time: Double) -> Double {
    let time = min(max(time, 0), duration)
    switch decay {
    case .exponential(let rate, _): return distance * (1 - exp(-rate * time))
    case .power(let exponent, let duration):
      return duration > 0 ? distance * (1 - pow(1 - time / duration, exponent)) : 0
    case .spline(let release, let duration, let elapsed):
      guard duration > 0 else { return 0 }
      let before = FlingSpline.way(after: elapsed / duration)
      let way = FlingSpline.way(after: (elapsed + time) / duration) - before
      return FlingSpline.inflexion * release * duration * way
    }
  }

  /// Returns the speed at `time` after release; 0 at rest.
  package func speed(after time: Double) -> Double {
    guard time < duration else { return 0 }
    let time = max(time, 0)
    switch decay {
    case .exponential(let rate, _): return speed * exp(-rate * time)
    case .power(let exponent, let duration): return speed * pow(1 - time / duration, exponent - 1)
    case .spline(let release, let duration, let elapsed):
      return release * FlingSpline.speed(after: (elapsed + time) / duration)
    }
  }

  /// Returns the rest of the fling from `time` after release, as a fling that starts then.
  package func rest(after time: Double) -> Fling {
    let time = min(max(0, time), duration)
    switch decay {
    case .exponential: return Fling(speed: speed(after: time), decay: decay)
    case .power(let exponent, let duration):
      return Fling(
        speed: speed(after: time), decay: .power(exponent: exponent, duration: duration - time))
    case .spline(let release, let duration, let elapsed):
      return Fling(
        speed: speed(after: time),
        decay: .spline(release: release, duration: duration, elapsed: elapsed + time))
    }
  }

  /// Returns the time after which `distance` is travelled; nil when the list rests before.
  public func time(toTravel distance: Double) -> Double? {
    guard distance <= travelled(after: duration) else { return nil }
    guard distance > 0 else { return 0 }
    let remaining = 1 - distance / self.distance
    switch decay {
    case .exponential(let rate, _): return -log(remaining) / rate
    case .power(let exponent, let duration): return duration * (1 - pow(remaining, 1 / exponent))
    case .spline(let release, let duration, let elapsed):
      let before = FlingSpline.way(after: elapsed / duration)
      let way = before + distance / (FlingSpline.inflexion * release * duration)
      return max(0, duration * FlingSpline.time(toTravel: way) - elapsed)
    }
  }
}
