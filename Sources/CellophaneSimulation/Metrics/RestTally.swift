/// How long it took after each stop of the list until every visible row had its picture.
struct RestTally: Sendable {
  /// The shortest rest that is one, in vsyncs.
  private let shortest: Int
  private var stop: (vsync: Int, phase: RunPhase)?
  private var settled: Int?
  private var last = 0
  /// In vsyncs, cut short by the next scroll.
  private(set) var waits = PerPhase<WaitHistogram>()
  /// The same for the first screen, if the list rested when it came: one wait.
  private(set) var first = WaitHistogram()

  /// No rests yet.
  init(shortest: Int) { self.shortest = shortest }

  /// Adds a frame that was on the screen until vsync `end`.
  mutating func add(_ frame: ScreenFrame, until end: Int, in phase: RunPhase, isAtRest: Bool, isWhole: Bool) {
    guard isAtRest else {
      finish()
      return
    }
    if stop == nil { stop = (frame.vsync, phase) }
    if isWhole, settled == nil { settled = frame.vsync }
    last = end
  }

  /// The rest is over.
  mutating func finish() {
    guard let stop else { return }
    let wait = (settled ?? last) - stop.vsync
    if stop.vsync == 0 { first.add(wait, isOver: settled != nil) }
    if last - stop.vsync >= shortest { waits[stop.phase].add(wait, isOver: settled != nil) }
    self.stop = nil
    settled = nil
  }
}
