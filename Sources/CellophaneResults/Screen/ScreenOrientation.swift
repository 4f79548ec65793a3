package import Cellophane

/// A period of a run with one orientation of the screen: the layout of the list and its motion.
package struct ScreenOrientation: Sendable {
  /// The start of the period, since the start of the run.
  package let start: Duration
  /// True if the screen is rotated from the orientation of the configuration.
  package let isRotated: Bool
  package let layout: ListLayout
  /// The motion, in time since ``start``.
  private let trajectory: ScrollTrajectory

  /// Creates a period in which the list moves along `trajectory` from `start` on.
  package init(
    _ layout: ListLayout, _ trajectory: ScrollTrajectory, isRotated: Bool = false,
    from start: Duration = .zero
  ) {
    self.start = start
    self.isRotated = isRotated
    self.layout = layout
    self.trajectory = trajectory
  }

  /// Returns the scroll offset at `time` of the run, in px.
  func offset(at time: Duration) -> Double { trajectory.offset(at: time - start) }

  /// Returns the motion at `time` of the run.
  func state(at time: Duration) -> ScrollState { trajectory.state(at: time - start) }

  /// A reader of the motion at ascending times.
  package var reader: ScrollReader { ScrollReader(trajectory, from: start) }

  /// Returns the orientations of a run of `configuration`, from one rotation of the screen to the next. A
  /// rotation ends the current gesture. The row at the top stays there, and the gestures restart with a rest
  /// (both assumed).
  ///
  /// - Throws: ``LoadError/Kind/invalidRequest`` if the layout cannot show the heights that the seed draws.
  package static func all(of configuration: SimulationConfiguration) throws(LoadError) -> [ScreenOrientation]
  {
    let upright = try configuration.checkedLayout()
    let rotated = try configuration.rotations.isEmpty ? upright : configuration.rotated.checkedLayout()
    let rotations = configuration.rotations.filter { $0 < configuration.duration }.sorted()
    var orientations: [ScreenOrientation] = []
    for (index, start) in ([.zero] + rotations).enumerated() {
      let layout = index.isMultiple(of: 2) ? upright : rotated
      let offset = orientations.last.map { layout.offset(showing: $0.layout, at: $0.offset(at: start)) } ?? 0
      let end = rotations.indices.contains(index) ? rotations[index] : configuration.duration
      let trajectory = ScrollTrajectory(
        profile: configuration.gesture.profile, gestures: configuration.gesture.parameters,
        physics: configuration.gesture.physics, limit: layout.longestOffset, from: offset,
        seed: index == 0 ? configuration.seed : SeededDraw.mixed(configuration.seed ^ UInt64(index)),
        lasting: end - start)
      orientations.append(
        ScreenOrientation(layout, trajectory, isRotated: !index.isMultiple(of: 2), from: start))
    }
    return orientations
  }
}
