/// The motion of a list during a run: a sequence of rests, drags, flings and jumps. A value, and the same for
/// all loaders that are measured on it.
///
/// Only the beginning of a long run is stored. The rest is generated again on demand from checkpoints of the
/// gesture generator. They take a few hundred bytes for two minutes of gestures.
package struct ScrollTrajectory: Sendable, Hashable {
  /// The state from which a part of the trajectory is generated again.
  struct Checkpoint: Hashable {
    let start: Duration
    let from: Double
    /// The generator as it is at ``start``.
    let generator: GestureGenerator
  }

  /// The stored beginning; the complete motion if there are no ``checkpoints``.
  private(set) var opening: ScrollPath
  private(set) var checkpoints: [Checkpoint] = []

  /// The end of the last segment. The list rests from then on.
  package private(set) var duration = Duration.zero
  /// The offset at the end, in px.
  package private(set) var finalOffset: Double
  /// The largest offset, in px: the content height minus the viewport height.
  package var limit: Double { opening.limit }

  /// Creates an empty trajectory of a list with the largest offset `limit`, which begins at `offset`.
  init(limit: Double, from offset: Double = 0) {
    opening = ScrollPath(limit: limit, from: offset)
    finalOffset = opening.finalOffset
  }

  /// Appends a segment of `length` to the stored part.
  mutating func append(_ motion: ScrollPath.Motion, lasting length: Duration) {
    opening.append(motion, lasting: length)
    (duration, finalOffset) = (opening.end, opening.finalOffset)
  }

  /// Appends the gestures of `generator` until the trajectory lasts `length`.
  mutating func append(_ generator: GestureGenerator, lasting length: Duration) {
    var generator = generator
    generator.move(&opening, until: length)
    var path = opening
    while path.end < length {
      checkpoints.append(Checkpoint(start: path.end, from: path.finalOffset, generator: generator))
      path = ScrollPath(limit: limit, from: path.finalOffset, at: path.end)
      generator.move(&path, until: length)
    }
    (duration, finalOffset) = (path.end, path.finalOffset)
  }

  /// Returns the offset at `time`, in px, rounded to 1/64 px: the last bits of mathematical functions differ
  /// between systems. Takes some tens of µs in a long run; ``ScrollReader`` is faster for ascending times.
  package func offset(at time: Duration) -> Double { state(at: time).offset }

  /// Returns the velocity at `time`, in px/s, positive downwards.
  package func velocity(at time: Duration) -> Double { state(at: time).velocity }

  /// Returns the state at `time`.
  func state(at time: Duration) -> ScrollState { path(at: time).state(at: time) }

  /// Returns the part of the trajectory that contains `time`, or the last part if `time` is after the end.
  func path(at time: Duration) -> ScrollPath {
    let begun = checkpoints.countOfFirst { $0.start <= time }
    return begun > 0 ? path(of: checkpoints[begun - 1]) : opening
  }

  private func path(of checkpoint: Checkpoint) -> ScrollPath {
    var path = ScrollPath(limit: limit, from: checkpoint.from, at: checkpoint.start)
    var generator = checkpoint.generator
    generator.move(&path, until: duration)
    return path
  }
}
