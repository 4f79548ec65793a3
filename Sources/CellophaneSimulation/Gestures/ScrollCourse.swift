internal import Cellophane

/// How a list moves at one time.
struct ScrollCourse {
  /// The distance from the top, in px.
  let offset: Double
  /// In px/s, positive downwards.
  let velocity: Double
  /// How the list goes on by itself; nil while a finger leads it, it rests or it is led by anything else.
  let fling: Fling?
}
