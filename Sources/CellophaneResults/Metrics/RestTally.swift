/// The time from the start and from each stop of the list until all visible rows have their images.
struct RestTally: Sendable {
  /// The minimum length of a stop, and of the rest at the start, in vsyncs.
  private let shortest: Int
  private var stop: (vsync: Int, phase: RunPhase)?
  private var settled: Int?
  private var last = 0
  /// The waits in vsyncs, cut short by the next scroll.
  private(set) var waits = PerPhase<WaitHistogram>()
  /// The wait of the first screen, if the list was at rest: one wait.
  private(set) var first = WaitHistogram()

  /// Creates a tally without stops.
  init(shortest: Int) { self.shortest = shortest }

  /// Adds a frame that was on the screen until vsync `end`.
  mutating func add(
    _ frame: ScreenFrame, until end: Int, in phase: RunPhase, isAtRest: Bool, isComplete: Bool
  ) {
    guard isAtRest else {
      finish()
      return
    }
    if stop == nil { stop = (frame.vsync, phase) }
    if isComplete, settled == nil { settled = frame.vsync }
    last = end
  }

  /// Ends the current stop.
  mutating func finish() {
    guard let stop else { return }
    let wait = (settled ?? last) - stop.vsync
    if stop.vsync == 0 { first.add(wait, hasEnded: settled != nil) }
    if last - stop.vsync >= shortest { waits[stop.phase].add(wait, hasEnded: settled != nil) }
    self.stop = nil
    settled = nil
  }
}
