internal import Cellophane

/// The position and the motion of a list. Callers pass the time.
struct Scroller {
  private static let physics = ScrollPhysics.ios
  /// The maximum velocity, in px/s: that of a flick in Android's `ViewConfiguration`, which Flutter also uses on iOS.
  private static let fastest = 8_000.0

  /// The position and time at the start of the motion.
  private var start = (offset: 0.0, time: Duration.zero)
  private var fling: Fling?
  private(set) var direction = ListMotion.Direction.down
  /// The lengths of the list and of its visible part.
  private var length = 0.0
  private var viewport = 0.0

  /// Adds speed towards the end of the list, or towards its start if the speed is negative. A list that moves in the other
  /// direction stops.
  mutating func push(_ speed: Double, at now: Duration) {
    let velocity = velocity(at: now)
    settle(at: now)
    if velocity * speed < 0 { return }
    let pushed = velocity + speed
    direction = pushed < 0 ? .up : .down
    fling = Fling(Self.physics, speed: min(abs(pushed), Self.fastest))
  }

  /// Adds the speed that moves a list at rest by `distance`.
  mutating func push(by distance: Double, at now: Duration) {
    // The distance of an exponential fling is proportional to its speed.
    push(distance / Fling(Self.physics, speed: 1).distance, at: now)
  }

  /// Moves to `offset` and stops.
  mutating func jump(to offset: Double, at now: Duration) {
    fling = nil
    start = (clamped(offset), now)
  }

  /// Stops at the present position.
  mutating func settle(at now: Duration) { jump(to: offset(at: now), at: now) }

  /// Sets the lengths of the list and of its visible part.
  mutating func resize(length: Double, viewport: Double, at now: Duration) {
    (self.length, self.viewport) = (length, viewport)
    // A moving list continues. A list at rest stays within its ends.
    if fling == nil { jump(to: start.offset, at: now) }
  }

  /// Ends a finished fling, or one that has reached an end of the list. Call it before each frame.
  mutating func rest(at now: Duration) {
    guard let fling else { return }
    let offset = offset(at: now)
    let isAtEnd = direction == .down ? offset >= end : offset <= 0
    if isAtEnd || (now - start.time) / .seconds(1) >= fling.duration { settle(at: now) }
  }

  /// True while the list moves.
  var isMoving: Bool { fling != nil }

  func offset(at now: Duration) -> Double {
    guard let fling else { return start.offset }
    let distance = fling.travelled(after: (now - start.time) / .seconds(1))
    return clamped(start.offset + (direction == .down ? distance : -distance))
  }

  /// Returns the velocity per second; negative towards the start.
  func velocity(at now: Duration) -> Double {
    guard let fling else { return 0 }
    let speed = fling.speed(after: (now - start.time) / .seconds(1))
    return direction == .down ? speed : -speed
  }

  /// Returns the motion for the models. The offset is that of a whole line.
  func motion(_ layout: some RowLayout, at now: Duration) -> ListMotion {
    ListMotion(
      layout, viewport: viewport, offset: Double(firstLine(at: now)) * ListLines.unit,
      velocity: velocity(at: now), last: direction,
      fling: fling?.rest(after: (now - start.time) / .seconds(1)))
  }

  /// Returns the first visible line of the list.
  func firstLine(at now: Duration) -> Int { Int((offset(at: now) / ListLines.unit).rounded()) }

  private var end: Double { max(0, length - viewport) }
  private func clamped(_ offset: Double) -> Double { min(max(0, offset), end) }
}
