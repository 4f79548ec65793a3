internal import Cellophane

/// A part of a list's motion from a time of the run on: a sequence of rests, drags, flings and jumps.
struct ScrollPath: Sendable, Hashable {
  /// The motion during one segment.
  enum Motion: Hashable {
    case rest
    /// At a constant velocity, in px/s.
    case glide(velocity: Double)
    /// To the end, back to the top, and so on, at a constant speed in px/s.
    case shuttle(speed: Double)
    /// A fling downwards (+1) or upwards (−1).
    case fling(Fling, direction: Double)
    /// As recorded, independent of the offset before.
    case log(ScrollLog)
  }

  struct Segment: Hashable {
    var start: Duration
    var from: Double
    var motion: Motion
  }

  private(set) var segments: [Segment] = []
  /// The end of the last segment. The list rests from then on.
  private(set) var end: Duration
  /// The offset at ``end``, in px.
  private(set) var finalOffset: Double
  /// The largest offset, in px: the content height minus the viewport height.
  let limit: Double

  /// Creates an empty path of a list with the largest offset `limit`, which is at `offset` at the time
  /// `start`.
  init(limit: Double, from offset: Double, at start: Duration = .zero) {
    self.limit = max(0, limit)
    finalOffset = min(max(0, (offset * 64).rounded() / 64), self.limit)
    end = start
  }

  /// Appends a segment of `length`.
  mutating func append(_ motion: Motion, lasting length: Duration) {
    guard length > .zero else { return }
    let segment = Segment(start: end, from: finalOffset, motion: motion)
    segments.append(segment)
    finalOffset = offset(of: segment, after: length)
    end += length
  }

  /// Returns the state at `time`, which is not before the first segment. O(log of the number of segments).
  func state(at time: Duration) -> ScrollState {
    guard time < end, let segment = segment(at: time) else {
      return ScrollState(offset: finalOffset, velocity: 0, fling: nil)
    }
    let passed = time - segment.start
    let fling: Fling? =
      if case .fling(let fling, _) = segment.motion { fling.rest(after: passed.seconds) } else { nil }
    return ScrollState(
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

  /// Returns the offset, rounded to 1/64 px: the last bits of mathematical functions differ between systems.
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

  /// Returns the offset and the direction of a shuttle after a distance from the top.
  private func shuttled(_ travelled: Double) -> (offset: Double, isReturning: Bool) {
    guard limit > 0 else { return (0, false) }
    let phase = travelled.truncatingRemainder(dividingBy: 2 * limit)
    return phase < limit ? (phase, false) : (2 * limit - phase, true)
  }

  /// Returns the last segment that started at or before `time`.
  private func segment(at time: Duration) -> Segment? {
    let begun = segments.countOfFirst { $0.start <= time }
    return begun > 0 ? segments[begun - 1] : segments.first
  }
}
