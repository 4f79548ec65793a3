/// The urgency of a load. The newest `visible` load starts first; for the others the oldest.
public enum Priority: UInt8, Comparable, Sendable, CaseIterable {
  /// For a row that may become visible soon. Such loads never use capacity reserved for visible loads.
  case prefetch
  /// For content that is needed but not on screen.
  case normal
  /// For content on screen.
  case visible

  /// Orders priorities by urgency.
  public static func < (a: Priority, b: Priority) -> Bool { a.rawValue < b.rawValue }

  /// The priority of the tasks that perform the load.
  package var taskPriority: TaskPriority {
    switch self {
    case .prefetch: .utility
    case .normal: .medium
    case .visible: .userInitiated
    }
  }
}
