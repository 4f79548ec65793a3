extension Store {
  /// An initial state and the actions after it, with their times. It includes the actions of effects, so
  /// ``Store/replay(_:)`` runs no effects. It is `Codable` if the state and the actions are. Those of
  /// searches and lists are if their content is, so a run can be replayed on another machine.
  public struct Recording {
    /// An action and the time when it was reduced.
    public struct Entry {
      /// The time since the start of the recording.
      public let time: Duration
      /// The action.
      public let action: Action
    }

    /// The state at the start.
    public let initial: State
    /// The actions, in order.
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
