internal import Cellophane

/// A part of what a list does: rests, drags, flings and jumps, one after the other, from a time of the run on.
struct ScrollPath: Sendable, Hashable {
  /// How one stretch of time moves.
  enum Motion: Hashable {
    case rest
    /// At a constant velocity, in px/s.
    case glide(velocity: Double)
    /// To the end, back to the top, and again, at a constant speed in px/s.
    case shuttle(speed: Double)
    /// A fling downwards (+1) or upwards (−1).
    case fling(Fling, direction: Double)
    /// As it was recorded, wherever the list was before.
    case log(ScrollLog)
  }

  struct Segment: Hashable {
    var start: Duration
    var from: Double
    var motion: Motion
  }

  private(set) var segments: [Segment] = []
  /// When the last stretch ends; the list rests from then on.
  private(set) var end: Duration
  /// Where the list is then, in px.
  private(set) var finalOffset: Double
  /// The largest offset, in px: content height less viewport height.
  let limit: Double

  /// A list that can scroll by `limit` px, and is `offset` px from the top at `start`.
  init(limit: Double, from offset: Double, at start: Duration = .zero) {
    self.limit = max(0, limit)
    finalOffset = min(max(0, (offset * 64).rounded() / 64), self.limit)
    end = start
  }

  /// Adds a stretch of `length`.
  mutating func append(_ motion: Motion, lasting length: Duration) {
    guard length > .zero else { return }
    let segment = Segment(start: end, from: finalOffset, motion: motion)
    segments.append(segment)
    finalOffset = offset(of: segment, after: length)
    end += length
  }

  /// Where the list is at `time`, not before the first stretch. O(log of the number of stretches).
  func course(at time: Duration) -> ScrollCourse {
    guard time < end, let segment = segment(at: time) else {
      return ScrollCourse(offset: finalOffset, velocity: 0, fling: nil)
    }
    let passed = time - segment.start
    let fling: Fling? =
      if case .fling(let fling, _) = segment.motion { fling.rest(after: passed.seconds) } else { nil }
    return ScrollCourse(
      offset: offset(of: segment, after: passed), velocity: velocity(of: segment, after: passed),
      fling: fling)
  }

  private func velocity(of segment: Segment, after time: Duration) -> Double {
    switch segment.motion {
    case .rest: 0
    case .glide(let velocity): velocity
    case .shuttle(let speed):
      shuttled(segment.from + speed * time.seconds).isReturning ? -speed : speed
    case .fling(let fling, let direction): direction * fling.speed(after: time.seconds)
    case .log(let log): log.velocity(at: time, limit: limit)
    }
  }

  /// Rounded to 1/64 px, so that no decision depends on the last bits of a system's mathematics library.
  private func offset(of segment: Segment, after time: Duration) -> Double {
    let moved: Double =
      switch segment.motion {
      case .rest: 0
      case .glide(let velocity): velocity * time.seconds
      case .shuttle(let speed): shuttled(segment.from + speed * time.seconds).offset - segment.from
      case .fling(let fling, let direction): direction * fling.travelled(after: time.seconds)
      case .log(let log): log.offset(at: time) - segment.from
      }
    return min(max(((segment.from + moved) * 64).rounded() / 64, 0), limit)
  }

  /// Where a shuttle is after having travelled so far from the top.
  private func shuttled(_ travelled: Double) -> (offset: Double, isReturning: Bool) {
    guard limit > 0 else { return (0, false) }
    let phase = travelled.truncatingRemainder(dividingBy: 2 * limit)
    return phase < limit ? (phase, false) : (2 * limit - phase, true)
  }

  /// The last stretch that started at or before `time`.
  private func segment(at time: Duration) -> Segment? {
    let begun = segments.countOfFirst { $0.start <= time }
    return begun > 0 ? segments[begun - 1] : segments.first
  }
}
