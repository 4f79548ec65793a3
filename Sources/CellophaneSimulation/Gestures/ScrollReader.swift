/// Reads where a list is on a trajectory, time after time: a part of the way is made once for all times in it that follow
/// each other.
struct ScrollReader {
  private let trajectory: ScrollTrajectory
  private let start: Duration
  private var path: ScrollPath

  /// A reader of `trajectory`, which begins at `start`.
  init(_ trajectory: ScrollTrajectory, from start: Duration) {
    self.trajectory = trajectory
    self.start = start
    path = trajectory.opening
  }

  /// How the list moves at `time`, which is not before that of the last call.
  mutating func course(at time: Duration) -> ScrollCourse {
    let time = time - start
    if time >= path.end, path.end < trajectory.duration { path = trajectory.path(at: time) }
    return path.course(at: time)
  }
}
