/// The motion of a list at one moment, as its scroll view knows it.
public struct ListMotion: Sendable {
  /// The positions of its rows.
  public let layout: any RowLayout
  /// The length of the part that is visible.
  public let viewport: Double
  /// The scroll offset from the start of the list.
  public let offset: Double
  /// The velocity per second, positive towards the last row.
  public let velocity: Double
  /// The direction of the motion; at rest, that of the last motion.
  public let direction: Direction
  /// The fling from this moment on; nil while a finger moves the list and at rest.
  public let fling: Fling?
  /// The rows that are at least partly visible.
  public let visible: Range<Int>

  /// The directions of scrolling.
  public enum Direction: Sendable, Hashable {
    /// Towards the first row.
    case up
    /// Towards the last row.
    case down

    var opposite: Direction { self == .down ? .up : .down }
  }

  /// The maximum velocity per second. 100 000: about a hundred screens per second, so that no two frames show the same row.
  package static let fastest = 100_000.0

  /// Creates a motion. Invalid offsets and velocities are clamped.
  ///
  /// - Parameters:
  ///   - last: The direction of the last motion, used for a velocity of 0.
  ///   - fling: The fling when no finger moves the list: `Fling(.ios, speed:)` with the present speed, or with `distance:`
  ///     when the scroll view reports its landing, as UIKit's does.
  public init(
    _ layout: any RowLayout, viewport: Double, offset: Double, velocity: Double = 0, last: Direction = .down,
    fling: Fling? = nil
  ) {
    self.layout = layout
    let viewport = viewport.isFinite ? max(0, viewport) : 0
    self.viewport = viewport
    // With the number as the first argument, max() ignores NaN.
    let offset = min(max(0, offset), max(0, layout.length - viewport))
    self.offset = offset
    self.velocity = velocity.isNaN ? 0 : min(max(-Self.fastest, velocity), Self.fastest)
    direction = self.velocity == 0 ? last : (self.velocity > 0 ? .down : .up)
    self.fling = self.velocity == 0 ? nil : fling
    visible = layout.rows(from: offset, to: offset + viewport)
  }

  /// The row in the middle of the visible ones.
  package var position: Int { (visible.lowerBound + visible.upperBound) / 2 }

  /// The offset at the end of the fling; nil without ``fling``.
  var landing: Double? {
    guard let fling else { return nil }
    let distance = fling.travelled(after: fling.duration)
    let way = direction == .down ? distance : -distance
    // Rounded to 1/64, so that no row depends on the last bits of a platform's logarithm.
    return min(max(0, ((offset + way) * 64).rounded() / 64), max(0, layout.length - viewport))
  }

  /// Returns up to `count` rows beyond the visible ones in `direction`, nearest first, without the `skipped` nearest.
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

  /// Returns the rows within `distance` beyond the visible ones in `direction`, nearest first.
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

  /// Returns the distances until `row` enters the viewport, 0 when it is visible, and until it has left it at the other
  /// side.
  func distances(to row: Int) -> (entry: Double, exit: Double) {
    let extent = layout.extent(of: row)
    let end = offset + viewport
    return switch direction {
    case .down: (max(0, extent.lowerBound - end), extent.upperBound - offset)
    case .up: (max(0, offset - extent.upperBound), end - extent.lowerBound)
    }
  }
}
