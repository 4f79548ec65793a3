public import Cellophane

extension ScrollTrajectory {
  /// What somebody of `profile` does to a list that can scroll by `limit` px, from `offset` px below its top on, for at
  /// least `length`. A pure function of its arguments.
  ///
  /// - Parameter gestures: What the fingers do; nil for what they do by the profile.
  public init(
    profile: ScrollProfile, gestures: GestureParameters? = nil, physics: ScrollPhysics, limit: Double,
    from offset: Double = 0, seed: UInt64, lasting length: Duration
  ) {
    self.init(limit: limit, from: offset)
    switch profile {
    // A list that is shorter than its viewport.
    case _ where self.limit == 0: append(.rest, lasting: length)
    case .reader, .browser, .skimmer, .stress:
      guard let gestures = gestures ?? profile.gestures else { return }
      append(Hand(gestures: gestures, physics: physics, draw: SeededDraw(seed: seed)), lasting: length)
    case .constant(let speed): append(.shuttle(speed: speed), lasting: length)
    case .log(let log): append(.log(log), lasting: length)
    }
  }
}
