extension Turns {
  /// How often a line may have been asked for that has another turn, and how many pauses a host gets for it without an
  /// answer between them. 2, as often as a load tries again by itself.
  package static let mostPauses = 2

  /// How often a line may have been asked for that has another turn because its host is asked too often, or too much at
  /// once. 15: where six of ten requests are refused, as by one that answers five a second, one of 3 500 lines is refused
  /// sixteen times. A host that answers none fails its lines after ``mostPauses`` pauses.
  static let mostRefusals = 15

  /// How often a line may have been asked for that has another turn because its host answers others, and to this one that
  /// it is busy. 8, more than two loads ask: nginx says so by default to what is too much for its limits, for which one of
  /// fifteen loads fails.
  static let mostTriesWhileBusy = 8

  /// What a turn said of hosts.
  package struct Signs: Sendable {
    /// Of the host in whose line it stood; nil when that had no part in it.
    var ofHost: HostSign?
    /// The host that did not answer in the end, or wants a pause: that one, or another to which it was led. Nil when
    /// none did.
    var refuser: String?
    /// True when the refuser was not even asked, for what it had said to others.
    var isHeldBack = false
    /// True when no connection to it was made.
    var isUnreached = false
    /// True when it said itself for how long it is to be left alone.
    var asksForPause = false
    /// True when it said that it is asked too often (429), and for how long that is so it did not: nothing of what it was
    /// asked for.
    var isAskedTooOften = false
    /// True when it said that it cannot answer now (503), and for how long that is so it did not: of what it was asked for,
    /// or of how much.
    var isBusy = false

    /// Whether a line that was refused so often may have another turn. To be refused among others, by a host that names a
    /// time, is not held against a line; to be refused alone is.
    ///
    /// - Parameter answers: The refuser answers others.
    func allow(_ line: Line, answers: Bool) -> Bool {
      if isHeldBack || isAskedTooOften { return line.attempts <= Turns.mostRefusals }
      if isBusy, answers { return line.attempts <= Turns.mostTriesWhileBusy }
      if asksForPause { return line.attempts <= Turns.mostRefusals && line.refusalsAlone <= Turns.mostPauses }
      return line.attempts <= Turns.mostPauses
    }
  }
}
