extension Store {
  /// A state, and the actions that came after it, with their times. Those that effects sent are among them, so that
  /// ``Store/replay(_:)`` needs no effects. `Codable` where they are, as those of searches and lists of pages are with what
  /// they show: what happened on one machine is replayed on another.
  public struct Recording {
    /// An action and when it was reduced.
    public struct Entry {
      /// Since the beginning of the recording.
      public let time: Duration
      /// What was sent.
      public let action: Action
    }

    /// The state at the beginning.
    public let initial: State
    /// What was sent, in its order.
    public private(set) var entries: [Entry] = []

    init(initial: State) { self.initial = initial }

    mutating func note(_ action: Action, at time: Duration) {
      entries.append(Entry(time: time, action: action))
    }
  }
}

extension Store.Recording: Sendable where State: Sendable, Action: Sendable {}
extension Store.Recording: Equatable where State: Equatable, Action: Equatable {}
extension Store.Recording: Codable where State: Codable, Action: Codable {}
extension Store.Recording.Entry: Sendable where Action: Sendable {}
extension Store.Recording.Entry: Equatable where Action: Equatable {}
extension Store.Recording.Entry: Codable where Action: Codable {}
