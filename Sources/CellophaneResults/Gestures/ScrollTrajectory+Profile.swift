package import Cellophane

extension ScrollTrajectory {
  /// Creates the motion of a list under `profile` for at least `length`. The list has the largest offset
  /// `limit` and begins at `offset`, both in px. A pure function of its arguments.
  ///
  /// - Parameter gestures: The gesture parameters; nil for those of the profile.
  package init(
    profile: ScrollProfile, gestures: GestureParameters? = nil, physics: ScrollPhysics, limit: Double,
    from offset: Double = 0, seed: UInt64, lasting length: Duration
  ) {
    self.init(limit: limit, from: offset)
    switch profile {
    // The list is shorter than its viewport.
    case _ where self.limit == 0: append(.rest, lasting: length)
    case .reader, .browser, .skimmer, .stress:
      guard let gestures = gestures ?? profile.gestures else { return }
      append(
        GestureGenerator(gestures: gestures, physics: physics, draw: SeededDraw(seed: seed)), lasting: length)
    case .constant(let speed): append(.shuttle(speed: speed), lasting: length)
    case .log(let log): append(.log(log), lasting: length)
    }
  }
}
