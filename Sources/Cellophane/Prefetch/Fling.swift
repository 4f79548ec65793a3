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
    case .android: decay = Self.overScroller(speed: self.speed)
    case .flutter: decay = Self.friction
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
      case .android: .power(exponent: Self.exponent, duration: Self.exponent * distance / speed)
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

  /// `DECELERATION_RATE` of OverScroller.java.
  private static let exponent = log(0.78) / log(0.9)

  /// Flutter's `ClampingScrollSimulation`: the distance of Android's `OverScroller` without its spline table.
  private static func overScroller(speed: Double) -> Decay {
    // OverScroller.java: INFLEXION.
    let inflexion = 0.35
    // ViewConfiguration.getScrollFriction; gravity in m/s² · inch per metre · 160 dpi · 0.84 "look and feel".
    let friction = 0.015 * (9.80665 * 39.37 * 160 * 0.84)
    let splineDuration = pow(inflexion * speed / friction, 1 / (exponent - 1))
    return .power(exponent: exponent, duration: exponent * inflexion * splineDuration)
  }

  /// The distance that the fling approaches. ``travelled(after:)`` at its ``duration`` is at most half a pixel less, in
  /// Flutter 6 px.
  public var distance: Double {
    switch decay {
    case .exponential(let rate, _): speed / rate
    case .power(let exponent, let duration): speed * duration / exponent
    }
  }

  /// The time until the list rests.
  public var duration: Double {
    switch decay {
    case .exponential(let rate, let rest):
      distance > rest ? log(distance / rest) / rate : 0
    case .power(_, let duration): duration
    }
  }

  /// Returns the distance travelled at `time` after release.
  public func travelled(after time: Double) -> Double {
    let time = min(max(time, 0), duration)
    switch decay {
    case .exponential(let rate, _): return distance * (1 - exp(-rate * time))
    case .power(let exponent, let duration):
      return duration > 0 ? distance * (1 - pow(1 - time / duration, exponent)) : 0
    }
  }

  /// Returns the speed at `time` after release; 0 at rest.
  package func speed(after time: Double) -> Double {
    guard time < duration else { return 0 }
    let time = max(time, 0)
    switch decay {
    case .exponential(let rate, _): return speed * exp(-rate * time)
    case .power(let exponent, let duration): return speed * pow(1 - time / duration, exponent - 1)
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
    }
  }
}
