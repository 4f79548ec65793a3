public import Cellophane

/// The scrolling behavior of a viewer: the length of rests, the speed of flicks, and the share of flicks
/// back.
///
/// No published distribution of flick velocities was found. The numbers of `GestureParameters` are
/// assumptions unless their comment names a source. Results list them as assumptions.
public enum ScrollProfile: Sendable, Hashable {
  /// Reads: long rests and slow flicks.
  case reader
  /// Browses back and forth.
  case browser
  /// Skims fast, and often jumps back to the top.
  case skimmer
  /// Flicks at high speed without rests.
  case stress
  /// Scrolls at a constant velocity in px/s, down to the end, back up, and so on.
  case constant(Double)
  /// Repeats a recorded scroll.
  case log(ScrollLog)

  /// The profiles without a parameter.
  package static let named: [ScrollProfile] = [.reader, .browser, .skimmer, .stress]

  /// Creates the profile with the name `text`: `reader`, `browser`, `skimmer`, `stress`, `constant:V` with V
  /// in px/s, or `log:FILE`. The file of a log is not read.
  ///
  /// - Throws: ``LoadError/Kind/invalidRequest`` if no profile has that name.
  public init(parsing text: String) throws(LoadError) {
    if let profile = Self.named.first(where: { $0.name == text }) {
      self = profile
      return
    }
    if text.hasPrefix("log:"), text.count > "log:".count {
      self = .log(ScrollLog(name: String(text.dropFirst("log:".count))))
      return
    }
    let prefix = "constant:"
    guard text.hasPrefix(prefix), let velocity = Double(text.dropFirst(prefix.count)),
      Self.velocities.contains(velocity)
    else {
      throw LoadError(
        .invalidRequest,
        "unknown scroll profile '\(text)'; use reader, browser, skimmer, stress, constant:V "
          + "with V from 1 to 100000 px/s, or log:FILE"
      )
    }
    self = .constant(velocity)
  }

  /// The accepted velocities of a constant scroll, in px/s. At 100 000 px/s a hundred screens pass per
  /// second, and no two frames show the same rows.
  package static let velocities = 1.0...100_000.0

  /// True if the profile has flings, which depend on the scroll physics.
  package var isFlung: Bool {
    switch self {
    case .reader, .browser, .skimmer, .stress: true
    case .constant, .log: false
    }
  }

  /// The name, in the format of ``init(parsing:)``.
  public var name: String {
    switch self {
    case .reader: "reader"
    case .browser: "browser"
    case .skimmer: "skimmer"
    case .stress: "stress"
    case .constant(let velocity): "constant:" + (Int(exactly: velocity).map { "\($0)" } ?? "\(velocity)")
    case .log(let log): "log:" + log.name
    }
  }

  /// The gesture parameters; nil for a constant or a recorded scroll.
  package var gestures: GestureParameters? {
    switch self {
    case .reader:
      GestureParameters(
        dwell: Lognormal(median: 1.7, sigma: 0.8), flick: Lognormal(median: 900, sigma: 0.5),
        backward: 0.10, caught: 0.3, catchTime: 0.3...0.9, again: 0.1, jump: 0.01,
        drag: 90, dragTime: 0.12)
    case .browser:
      GestureParameters(
        dwell: Lognormal(median: 1.0, sigma: 0.7), flick: Lognormal(median: 1800, sigma: 0.7),
        backward: 0.35, caught: 0.5, catchTime: 0.2...0.8, again: 0.3, jump: 0.03,
        drag: 90, dragTime: 0.12)
    case .skimmer:
      GestureParameters(
        dwell: Lognormal(median: 0.3, sigma: 0.6), flick: Lognormal(median: 3500, sigma: 0.5),
        backward: 0.05, caught: 0.7, catchTime: 0.1...0.5, again: 0.8, jump: 0.10,
        drag: 120, dragTime: 0.08)
    case .stress:
      GestureParameters(
        dwell: Lognormal(median: 0, sigma: 0), flick: Lognormal(median: 7000, sigma: 0),
        backward: 0.10, caught: 0, catchTime: 0.1...0.5, again: 1, jump: 0,
        drag: 120, dragTime: 0.08)
    case .constant, .log: nil
    }
  }
}

/// A lognormal distribution.
package struct Lognormal: Sendable, Hashable, Codable {
  /// The median.
  package var median: Double
  /// The standard deviation of the logarithm.
  package var sigma: Double

  /// Creates a distribution from its median and the standard deviation of its logarithm.
  package init(median: Double, sigma: Double) {
    self.median = median
    self.sigma = sigma
  }

  /// The accepted standard deviations. At 5, one draw in 40 is at least 20 000 times the median.
  package static let sigmas = 0.0...5.0
}

/// The parameters of the gestures of a ``ScrollProfile``. Probabilities are per flick.
package struct GestureParameters: Sendable, Hashable {
  /// The rest before a gesture, in s. All medians are assumed. That of `reader`, 1.7 s, is the number that Facebook
  /// published in 2016 for another quantity: the mean time that people spend with a piece of content in a mobile feed.
  /// The mean of a lognormal distribution is median·e^(sigma²/2), so the mean rest of `reader` is 2.3 s.
  package var dwell: Lognormal
  /// The velocity at release, in px/s, before ``ScrollPhysics`` limits it. The median of `stress` is the 7
  /// px/ms that FlashList's benchmark uses for a very fast scroll (`AutoScrollHelper.ts`).
  package var flick: Lognormal
  /// The probability of a flick back towards the top.
  package var backward: Double
  /// The probability that a finger touches the list after a flick and stops it.
  package var caught: Double
  /// The time from a release to the next touch of a finger that stops the list or flicks again. Uniform in this
  /// range, as a fraction of the duration that a fling with the same velocity has on iOS.
  ///
  /// The unit is the same under all ``ScrollPhysics``, so that a touch comes after the same number of seconds. All
  /// other times of a viewer are in seconds, too. As a fraction of each system's own duration, the same numbers would
  /// describe another viewer on each system: a fling of 1000 px/s lasts 3.4 s on iOS and 0.6 s on Android. A list that
  /// rests before the touch remains at rest until then. On iOS, such a touch cuts off a tail that is hardly visible.
  package var catchTime: ClosedRange<Double>
  /// The probability of another flick at ``catchTime`` instead of a rest.
  package var again: Double
  /// The probability of a jump to the top, as by a tap on the status bar, instead of a flick.
  package var jump: Double
  /// The distance of a drag before the release, in px.
  package var drag: Double
  /// The duration of a drag, in s.
  package var dragTime: Double

  /// The accepted medians of a rest, in s: up to an hour.
  package static let dwells = 0.0...3_600.0
  /// The accepted medians of a flick, in px/s: up to the maximum of a constant scroll.
  package static let flicks = 0.0...ScrollProfile.velocities.upperBound
  /// The accepted distances of a drag, in px: up to the height of the largest screen.
  package static let drags = 0.0...Double(ListLayout.lengths.upperBound)
  /// The accepted durations of a drag, in s: from a frame of the fastest screen to a minute.
  package static let dragTimes = 0.004...60.0
}
