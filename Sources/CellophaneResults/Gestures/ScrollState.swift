package import Cellophane

/// The motion of a list at one time.
package struct ScrollState {
  /// The distance from the top, in px.
  package let offset: Double
  /// The velocity, in px/s, positive downwards.
  package let velocity: Double
  /// The rest of the current fling; nil if the list rests or moves in another way.
  package let fling: Fling?

  /// Returns true if the list rests at the same offset in both states.
  package func isAtRest(with other: ScrollState) -> Bool {
    velocity == 0 && other.velocity == 0 && offset == other.offset
  }
}
