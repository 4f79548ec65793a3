/// The postures of a run, one after the other as its time passes.
struct PostureWalk {
  private let postures: [Posture]
  private var scroll: ScrollReader
  /// The number of the posture of the time that was asked for last.
  private(set) var turn = 0

  /// Before the start of a run that has at least one of `postures`.
  init(_ postures: [Posture]) {
    self.postures = postures
    scroll = postures[0].reader
  }

  /// How the screen is held.
  var posture: Posture { postures[turn] }

  /// How the list moves at `time`, which is not before that of the last call; the screen is held as it is then.
  mutating func course(at time: Duration) -> ScrollCourse {
    while turn + 1 < postures.count, postures[turn + 1].start <= time {
      turn += 1
      scroll = posture.reader
    }
    return scroll.course(at: time)
  }
}
