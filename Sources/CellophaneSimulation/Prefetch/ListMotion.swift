internal import Cellophane

/// How a list moves at one moment, and what is known about loading.
public struct ListMotion: Sendable, Hashable {
  /// The list.
  public let layout: ListLayout
  /// How far it is scrolled, in px from the top.
  public let offset: Double
  /// How fast it moves, in px/s, positive downwards.
  public let velocity: Double
  /// Which way it moves or, at rest, moved last.
  public let direction: Direction
  /// How it goes on by itself from here; nil while a finger leads it and at rest.
  public let fling: Fling?
  /// How long loading a row takes, as far as is known.
  public let loadTime: Duration

  /// The ways that a list can be scrolled.
  public enum Direction: Sendable, Hashable {
    /// Towards the first row.
    case up
    /// Towards the last row.
    case down

    var opposite: Direction { self == .down ? .up : .down }
  }

  /// A moment. An offset or a velocity that no list has counts as the nearest one.
  ///
  /// - Parameters:
  ///   - last: Which way it moved last; for a velocity of 0.
  ///   - physics: How it slows down when no finger leads it; nil under a finger.
  public init(
    _ layout: ListLayout, offset: Double, velocity: Double = 0, last: Direction = .down,
    flingingBy physics: ScrollPhysics? = nil, loadTime: Duration
  ) {
    let fastest = ScrollProfile.velocities.upperBound
    self.layout = layout
    // With the number first, max() passes over what is none.
    self.offset = min(max(0, offset), layout.longestOffset)
    self.velocity = velocity.isNaN ? 0 : min(max(-fastest, velocity), fastest)
    self.loadTime = loadTime
    direction = self.velocity == 0 ? last : (self.velocity > 0 ? .down : .up)
    // A fling has no memory: its rest is the fling that starts at the present speed.
    let speed = abs(self.velocity)
    fling = physics.flatMap { speed > 0 ? Fling($0, speed: speed) : nil }
  }

  /// The rows of which some part is visible.
  public var visible: Range<Int> { layout.visibleRows(at: offset) }

  /// Up to `count` rows beyond the visible ones in `direction`, nearest first.
  func rows(beyondIn direction: Direction, atMost count: Int) -> [Int] {
    let visible = visible
    return switch direction {
    case .down: Array(visible.upperBound..<min(layout.rows, visible.upperBound + count))
    case .up: (max(0, visible.lowerBound - count)..<visible.lowerBound).reversed()
    }
  }

  /// The rows beyond the visible ones in `direction` of which some part is at most `distance` px out of sight,
  /// nearest first.
  func rows(beyondIn direction: Direction, within distance: Double) -> [Int] {
    switch direction {
    case .down:
      let reached = layout.visibleRows(at: offset + distance)
      return rows(beyondIn: .down, atMost: max(0, reached.upperBound - visible.upperBound))
    case .up:
      let reached = layout.visibleRows(at: offset - distance)
      return rows(beyondIn: .up, atMost: max(0, visible.lowerBound - reached.lowerBound))
    }
  }

  /// The height of the screen, in px.
  var screen: Double { Double(layout.viewport.height) }

  /// How far the list has to move on until `row`, which lies ahead, is in by its first line, and until its last
  /// one is out again at the other side, in px.
  func distances(to row: Int) -> (entry: Double, exit: Double) {
    let (top, bottom) = (Double(row * layout.rowHeight), Double((row + 1) * layout.rowHeight))
    let end = offset + screen
    return switch direction {
    case .down: (max(0, top - end), bottom - offset)
    case .up: (max(0, offset - bottom), end - top)
    }
  }
}
