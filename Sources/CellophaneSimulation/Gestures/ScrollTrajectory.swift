/// Where a list is at any time of a run: rests, drags, flings and jumps, one after the other. A value; the
/// same for every loader that is measured on it.
///
/// Of a long run only the beginning is kept. The rest is remembered by what the hand was about to do now and then, and
/// done again where it is asked for: a few hundred bytes for two minutes of gestures.
public struct ScrollTrajectory: Sendable, Hashable {
  /// A part of the way that is not kept.
  struct Sequel: Hashable {
    let start: Duration
    let from: Double
    /// As it is when the part begins.
    let hand: Hand
  }

  /// What the list does first; all of it, unless there are ``sequels``.
  private(set) var opening: ScrollPath
  private(set) var sequels: [Sequel] = []

  /// When the last stretch ends; the list rests from then on.
  public private(set) var duration = Duration.zero
  /// Where the list is then, in px.
  public private(set) var finalOffset: Double
  /// The largest offset, in px: content height less viewport height.
  public var limit: Double { opening.limit }

  /// A list that can scroll by `limit` px, and is `offset` px from the top.
  init(limit: Double, from offset: Double = 0) {
    opening = ScrollPath(limit: limit, from: offset)
    finalOffset = opening.finalOffset
  }

  /// Adds a stretch of `length`, to what is kept whole.
  mutating func append(_ motion: ScrollPath.Motion, lasting length: Duration) {
    opening.append(motion, lasting: length)
    (duration, finalOffset) = (opening.end, opening.finalOffset)
  }

  /// Adds what `hand` does, until the list has scrolled for `length`.
  mutating func append(_ hand: Hand, lasting length: Duration) {
    var hand = hand
    hand.move(&opening, until: length)
    var path = opening
    while path.end < length {
      sequels.append(Sequel(start: path.end, from: path.finalOffset, hand: hand))
      path = ScrollPath(limit: limit, from: path.finalOffset, at: path.end)
      hand.move(&path, until: length)
    }
    (duration, finalOffset) = (path.end, path.finalOffset)
  }

  /// The distance from the top at `time`, in px, rounded to 1/64 px so that no decision depends on the last
  /// bits of a system's mathematics library. Of a long run a few dozen µs; ``ScrollReader`` takes less where times follow
  /// each other.
  public func offset(at time: Duration) -> Double { course(at: time).offset }

  /// The velocity at `time`, in px/s, positive downwards.
  public func velocity(at time: Duration) -> Double { course(at: time).velocity }

  /// All that is to be known of `time`.
  func course(at time: Duration) -> ScrollCourse { path(at: time).course(at: time) }

  /// The part of the way to which `time` belongs, the last one for all that comes later.
  func path(at time: Duration) -> ScrollPath {
    let begun = sequels.countOfFirst { $0.start <= time }
    return begun > 0 ? path(of: sequels[begun - 1]) : opening
  }

  private func path(of sequel: Sequel) -> ScrollPath {
    var path = ScrollPath(limit: limit, from: sequel.from, at: sequel.start)
    var hand = sequel.hand
    hand.move(&path, until: duration)
    return path
  }
}
