internal import Cellophane

/// How a screen is held for a while, upright or turned: where the rows of its list lie, how large their pictures are,
/// and how the list moves.
struct Posture: Sendable {
  /// When it begins, from the start of the run.
  let start: Duration
  /// Whether the screen is turned from how the configuration has it.
  let isTurned: Bool
  let layout: ListLayout
  /// In time from ``start`` on.
  private let trajectory: ScrollTrajectory

  /// A list that moves along `trajectory` from `start` on.
  init(
    _ layout: ListLayout, _ trajectory: ScrollTrajectory, isTurned: Bool = false, from start: Duration = .zero
  ) {
    self.start = start
    self.isTurned = isTurned
    self.layout = layout
    self.trajectory = trajectory
  }

  /// How far the list is scrolled at `time` of the run, in px.
  func offset(at time: Duration) -> Double { trajectory.offset(at: time - start) }

  /// Where it is then, how fast, and how it goes on.
  func course(at time: Duration) -> ScrollCourse { trajectory.course(at: time - start) }

  /// The same, time after time.
  var reader: ScrollReader { ScrollReader(trajectory, from: start) }

  /// The postures of a run of `configuration`, from one rotation of the screen to the next. A rotation ends what the
  /// fingers do; the row at the top stays there, and the hand begins anew with a rest (both assumed).
  ///
  /// - Throws: ``LoadError/Kind/invalidRequest`` when heights that the seed draws cannot be laid out.
  static func all(of configuration: SimulationConfiguration) throws(LoadError) -> [Posture] {
    let upright = try configuration.checkedLayout()
    let turned = try configuration.rotations.isEmpty ? upright : configuration.turned.checkedLayout()
    let turns = configuration.rotations.filter { $0 < configuration.duration }.sorted()
    var postures: [Posture] = []
    for (index, start) in ([.zero] + turns).enumerated() {
      let layout = index.isMultiple(of: 2) ? upright : turned
      let offset = postures.last.map { layout.offset(showing: $0.layout, at: $0.offset(at: start)) } ?? 0
      let end = turns.indices.contains(index) ? turns[index] : configuration.duration
      let trajectory = ScrollTrajectory(
        profile: configuration.gesture.profile, gestures: configuration.gesture.parameters,
        physics: configuration.gesture.physics, limit: layout.longestOffset, from: offset,
        seed: index == 0 ? configuration.seed : SeededDraw.mixed(configuration.seed ^ UInt64(index)),
        lasting: end - start)
      postures.append(Posture(layout, trajectory, isTurned: !index.isMultiple(of: 2), from: start))
    }
    return postures
  }
}
