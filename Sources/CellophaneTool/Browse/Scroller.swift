internal import Cellophane
internal import CellophaneSimulation

/// Where a list is, and how it moves on by itself. Pure: time comes from outside.
struct Scroller {
  private static let physics = ScrollPhysics.ios

  /// The place from which the list moves, and when it was there.
  private var start = (offset: 0.0, time: Duration.zero)
  private var fling: Fling?
  private(set) var direction = ListMotion.Direction.down
  /// The lengths of the list and of what is visible of it.
  private var length = 0.0
  private var viewport = 0.0

  /// Adds speed towards the end of the list or, when it is negative, towards its beginning. What moves in the other
  /// direction is caught: it stops.
  mutating func push(_ speed: Double, at now: Duration) {
    let velocity = velocity(at: now)
    settle(at: now)
    if velocity * speed < 0 { return }
    let pushed = velocity + speed
    direction = pushed < 0 ? .up : .down
    fling = Fling(Self.physics, speed: min(abs(pushed), ScrollPhysics.fastestRelease))
  }

  /// Adds as much speed as carries a list at rest so far.
  mutating func push(by distance: Double, at now: Duration) {
    // The way of an exponential fling is proportional to its speed.
    push(distance / Fling(Self.physics, speed: 1).distance, at: now)
  }

  /// Stands still at `offset`.
  mutating func jump(to offset: Double, at now: Duration) {
    fling = nil
    start = (clamped(offset), now)
  }

  /// Stands still where it is.
  mutating func settle(at now: Duration) { jump(to: offset(at: now), at: now) }

  /// The list is so long now, and so much of it is visible.
  mutating func resize(length: Double, viewport: Double, at now: Duration) {
    (self.length, self.viewport) = (length, viewport)
    // What moves goes on; what rests stays within the list.
    if fling == nil { jump(to: start.offset, at: now) }
  }

  /// Ends a movement that has come to its end, or to that of the list. To be called before each frame.
  mutating func rest(at now: Duration) {
    guard let fling else { return }
    let offset = offset(at: now)
    let isAtEnd = direction == .down ? offset >= end : offset <= 0
    if isAtEnd || (now - start.time) / .seconds(1) >= fling.duration { settle(at: now) }
  }

  /// True while it moves.
  var isMoving: Bool { fling != nil }

  func offset(at now: Duration) -> Double {
    guard let fling else { return start.offset }
    let way = fling.travelled(after: (now - start.time) / .seconds(1))
    return clamped(start.offset + (direction == .down ? way : -way))
  }

  /// How fast it is, a second; negative towards the beginning.
  func velocity(at now: Duration) -> Double {
    guard let fling else { return 0 }
    let speed = fling.speed(after: (now - start.time) / .seconds(1))
    return direction == .down ? speed : -speed
  }

  /// What the models are told: how it moves now, drawn in whole lines.
  func motion(_ layout: some RowLayout, at now: Duration) -> ListMotion {
    ListMotion(
      layout, viewport: viewport, offset: Double(firstLine(at: now)) * ListLines.unit,
      velocity: velocity(at: now), last: direction,
      fling: fling?.rest(after: (now - start.time) / .seconds(1)))
  }

  /// The line of the list that is drawn first.
  func firstLine(at now: Duration) -> Int { Int((offset(at: now) / ListLines.unit).rounded()) }

  private var end: Double { max(0, length - viewport) }
  private func clamped(_ offset: Double) -> Double { min(max(0, offset), end) }
}
