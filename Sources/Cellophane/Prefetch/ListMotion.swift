/// How a list moves at one moment: what its scroll view knows.
public struct ListMotion: Sendable {
  /// Where its rows lie.
  public let layout: any RowLayout
  /// The length of the part that is visible.
  public let viewport: Double
  /// How far it is scrolled from its beginning.
  public let offset: Double
  /// How fast it moves, a second, positive towards the last row.
  public let velocity: Double
  /// Which way it moves or, at rest, moved last.
  public let direction: Direction
  /// How it goes on by itself from here; nil while a finger leads it and at rest.
  public let fling: Fling?
  /// The rows of which some part is visible.
  public let visible: Range<Int>

  /// The ways that a list can be scrolled.
  public enum Direction: Sendable, Hashable {
    /// Towards the first row.
    case up
    /// Towards the last row.
    case down

    var opposite: Direction { self == .down ? .up : .down }
  }

  /// The fastest that a list is taken to move, a second. 100 000: then some hundred screens pass in a second, and no
  /// frame shows what the one before did.
  public static let fastest = 100_000.0

  /// A moment. An offset or a velocity that no list has counts as the nearest one.
  ///
  /// - Parameters:
  ///   - last: Which way it moved last; for a velocity of 0.
  ///   - fling: How it goes on when no finger leads it: `Fling(.ios, speed:)` of the present speed, or with
  ///     `distance:` when the scroll view tells where it will come to rest, as UIKit's does.
  public init(
    _ layout: any RowLayout, viewport: Double, offset: Double, velocity: Double = 0, last: Direction = .down,
    fling: Fling? = nil
  ) {
    self.layout = layout
    let viewport = viewport.isFinite ? max(0, viewport) : 0
    self.viewport = viewport
    // With the number first, max() passes over what is none.
    let offset = min(max(0, offset), max(0, layout.length - viewport))
    self.offset = offset
    self.velocity = velocity.isNaN ? 0 : min(max(-Self.fastest, velocity), Self.fastest)
    direction = self.velocity == 0 ? last : (self.velocity > 0 ? .down : .up)
    self.fling = self.velocity == 0 ? nil : fling
    visible = layout.rows(from: offset, to: offset + viewport)
  }

  /// The row in the middle of the visible ones.
  public var position: Int { (visible.lowerBound + visible.upperBound) / 2 }

  /// Where the list comes to rest by itself; nil without ``fling``.
  var landing: Double? {
    guard let fling else { return nil }
    let distance = fling.travelled(after: fling.duration)
    let way = direction == .down ? distance : -distance
    // To 1/64, so that no row depends on the last bits of a system's logarithm.
    return min(max(0, ((offset + way) * 64).rounded() / 64), max(0, layout.length - viewport))
  }

  /// Up to `count` rows beyond the visible ones in `direction`, nearest first, without the `skipped` nearest.
  func rows(beyondIn direction: Direction, atMost count: Int, behind skipped: Int = 0) -> [Int] {
    switch direction {
    case .down:
      let first = min(layout.count, visible.upperBound + skipped)
      return Array(first..<min(layout.count, first + count))
    case .up:
      let end = max(0, visible.lowerBound - skipped)
      return (max(0, end - count)..<end).reversed()
    }
  }

  /// The rows beyond the visible ones in `direction` of which some part is at most `distance` out of sight, nearest
  /// first.
  func rows(beyondIn direction: Direction, within distance: Double) -> [Int] {
    switch direction {
    case .down:
      let reached = layout.rows(from: offset, to: offset + viewport + distance)
      return rows(beyondIn: .down, atMost: max(0, reached.upperBound - visible.upperBound))
    case .up:
      let reached = layout.rows(from: offset - distance, to: offset + viewport)
      return rows(beyondIn: .up, atMost: max(0, visible.lowerBound - reached.lowerBound))
    }
  }

  /// How far the list has to move on until `row` is in by its first line, 0 when it is, and until its last one is out
  /// again at the other side.
  func distances(to row: Int) -> (entry: Double, exit: Double) {
    let extent = layout.extent(of: row)
    let end = offset + viewport
    return switch direction {
    case .down: (max(0, extent.lowerBound - end), extent.upperBound - offset)
    case .up: (max(0, offset - extent.upperBound), end - extent.lowerBound)
    }
  }
}
