public import Cellophane

/// Who scrolls: how long they look, how fast they flick, how often they turn back.
///
/// No distribution of real flick velocities was found published. The numbers of ``GestureParameters`` are
/// assumptions, except where their comment names a source; results carry that list.
public enum ScrollProfile: Sendable, Hashable {
  /// Reads: long looks, gentle flicks.
  case reader
  /// Goes back and forth.
  case browser
  /// Rushes through, often back to the top.
  case skimmer
  /// Never rests and never slows down.
  case stress
  /// No fingers: this many px/s down to the end, back up, and again.
  case constant(Double)
  /// Somebody whose scrolling was recorded.
  case log(ScrollLog)

  /// The profiles that have a plain name.
  public static let named: [ScrollProfile] = [.reader, .browser, .skimmer, .stress]

  /// The profile that `text` names: `reader`, `browser`, `skimmer`, `stress`, `constant:V` with V in px/s, or
  /// `log:FILE`, whose file is yet to be read.
  ///
  /// - Throws: ``LoadError/Kind/invalidRequest`` when it names none.
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
        "no scroll profile '\(text)'; take reader, browser, skimmer, stress, constant:V with V in 1...100000 px/s,"
          + " or log:FILE"
      )
    }
    self = .constant(velocity)
  }

  /// The velocities that a constant scroll may have: faster than 100 000 px/s, a hundred screens pass in a
  /// second and no frame shows what the one before did.
  public static let velocities = 1.0...100_000.0

  /// False where no finger flings, so that physics change nothing.
  public var isFlung: Bool {
    switch self {
    case .reader, .browser, .skimmer, .stress: true
    case .constant, .log: false
    }
  }

  /// The name that ``init(parsing:)`` understands.
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

  /// What the fingers do; nil for a constant scroll, which has none, and for a recorded one, which did it.
  public var gestures: GestureParameters? {
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
public struct Lognormal: Sendable, Hashable, Codable {
  /// Half of the draws lie below.
  public var median: Double
  /// The standard deviation of the logarithm.
  public var sigma: Double

  /// A distribution with this median, and this standard deviation of the logarithm.
  public init(median: Double, sigma: Double) {
    self.median = median
    self.sigma = sigma
  }

  /// The standard deviations that can be drawn with: at 5 one draw in 40 is 20 000 times the median or more.
  public static let sigmas = 0.0...5.0
}

/// What the fingers of a ``ScrollProfile`` do. Probabilities are per flick.
public struct GestureParameters: Sendable, Hashable {
  /// The rest before a gesture, in s. The reader's median is the mean time people look at a piece of mobile
  /// feed content (Facebook, 2016); the other profiles' are assumed.
  public var dwell: Lognormal
  /// The velocity at release, in px/s, before ``ScrollPhysics`` limits it. Stress has the 7 px/ms that
  /// FlashList's benchmark calls a very fast scroll (`AutoScrollHelper.ts`).
  public var flick: Lognormal
  /// The probability of flicking back towards the top.
  public var backward: Double
  /// The probability of stopping the list with a finger before it rests.
  public var caught: Double
  /// When a moving list is touched, as a fraction of the fling's duration: uniform.
  public var catchTime: ClosedRange<Double>
  /// The probability of flicking again while the list still moves.
  public var again: Double
  /// The probability of going to the top instead of flicking, as by a tap on the status bar.
  public var jump: Double
  /// How far the finger drags the list before it lets go, in px.
  public var drag: Double
  /// How long it drags, in s.
  public var dragTime: Double

  /// The medians that a rest may have, in s: up to an hour.
  public static let dwells = 0.0...3_600.0
  /// The medians that a flick may have, in px/s: as fast as a constant scroll.
  public static let flicks = 0.0...ScrollProfile.velocities.upperBound
  /// How far a finger may drag, in px: as long as the longest screen.
  public static let drags = 0.0...Double(ListLayout.lengths.upperBound)
  /// How long a finger may drag, in s: from a frame of the fastest screen to a minute.
  public static let dragTimes = 0.004...60.0
}
