/// How urgent a load is. Within `visible` the newest goes first; within the others the oldest.
public enum Priority: UInt8, Comparable, Sendable, CaseIterable {
  /// May be wanted soon; never takes the places reserved for visible work.
  case prefetch
  /// Wanted, but nobody is looking at the place where it will appear.
  case normal
  /// Somebody is looking at the place where it will appear.
  case visible

  /// Orders by urgency.
  public static func < (a: Priority, b: Priority) -> Bool { a.rawValue < b.rawValue }

  /// The priority of the tasks that work for it.
  package var taskPriority: TaskPriority {
    switch self {
    case .prefetch: .utility
    case .normal: .medium
    case .visible: .userInitiated
    }
  }
}
