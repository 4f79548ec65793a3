internal import Cellophane

/// What is known of the slots of a list; an object of its own, because their displays write to it.
final class RowBoard {
  private struct Status {
    /// How urgent its request is; nil when it has asked for nothing.
    var priority: Priority?
    var isLoading = false
  }

  private(set) var bindings: RowBindings
  /// True until those that have asked for nothing are asked again.
  var hasNews = false
  /// How many slots load.
  private(set) var loading = 0
  private var statuses: [Status]

  /// `count` slots that stand for nothing.
  init(count: Int) {
    bindings = RowBindings(count: count)
    statuses = Array(repeating: Status(), count: bindings.rows.count)
  }

  /// Gives every row of `visible` a slot; see ``RowBindings/show(_:)``.
  func show(_ visible: Range<Int>) -> [RowBindings.Change] {
    let changes = bindings.show(visible)
    while statuses.count < bindings.rows.count { statuses.append(Status()) }
    return changes
  }

  /// Forgets what the slots stand for, which load nothing.
  func removeAll(count: Int?) {
    bindings.removeAll(count: count)
    statuses = Array(repeating: Status(), count: bindings.rows.count)
    loading = 0
  }

  /// `slot` asks for something as urgent as this, or for nothing.
  func begin(_ slot: Int, priority: Priority?) { statuses[slot].priority = priority }

  func note(isLoading: Bool, in slot: Int) {
    guard statuses[slot].isLoading != isLoading else { return }
    statuses[slot].isLoading = isLoading
    loading += isLoading ? 1 : -1
  }

  /// How urgent the request is that loads in `slot`; nil when none does.
  func priority(in slot: Int) -> Priority? { statuses[slot].isLoading ? statuses[slot].priority : nil }

  /// True when `slot` has asked for nothing.
  func isIdle(_ slot: Int) -> Bool { statuses[slot].priority == nil }
}
