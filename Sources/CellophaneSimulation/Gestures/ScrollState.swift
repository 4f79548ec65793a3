internal import Cellophane

/// The motion of a list at one time.
struct ScrollState {
  /// The distance from the top, in px.
  let offset: Double
  /// The velocity, in px/s, positive downwards.
  let velocity: Double
  /// The rest of the current fling; nil if the list rests or moves in another way.
  let fling: Fling?
}
