/// A reader of a trajectory at ascending times. It generates each part of the trajectory once, not for each
/// time.
package struct ScrollReader {
  private let trajectory: ScrollTrajectory
  private let start: Duration
  private var path: ScrollPath

  /// Creates a reader of `trajectory`, which begins at `start` of the run.
  init(_ trajectory: ScrollTrajectory, from start: Duration) {
    self.trajectory = trajectory
    self.start = start
    path = trajectory.opening
  }

  /// Returns the state at `time`, which is not before the time of the last call.
  package mutating func state(at time: Duration) -> ScrollState {
    let time = time - start
    if time >= path.end, path.end < trajectory.duration { path = trajectory.path(at: time) }
    return path.state(at: time)
  }
}
