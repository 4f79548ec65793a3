internal import Cellophane

/// What is known of the slots of a list; an object of its own, because their displays write to it.
final class RowBoard {
  private struct Status {
    /// A number for what it stands for, another each time; 0 as long as it stands for nothing.
    var binding = 0
    /// True once it was told of that.
    var isTold = false
    /// True until the row is asked what it asks for, and once it has to be asked anew.
    var isPending = false
    /// How urgent its request is; nil when it has asked for nothing.
    var priority: Priority?
    var isLoading = false
  }

  private(set) var bindings: RowBindings
  /// How often everything was forgotten.
  private(set) var generation = 0
  /// How many slots load.
  private(set) var loading = 0
  /// How many slots stand for rows that are still to be asked.
  private(set) var pending = 0
  private var statuses: [Status]
  private var bound = 0

  /// `count` slots that stand for nothing.
  init(count: Int) {
    bindings = RowBindings(count: count)
    statuses = Array(repeating: Status(), count: bindings.rows.count)
  }

  /// Gives every row of `visible` a slot; see ``RowBindings/show(_:)``.
  func show(_ visible: Range<Int>) {
    let changes = bindings.show(visible)
    while statuses.count < bindings.rows.count { statuses.append(Status()) }
    for change in changes {
      bound += 1
      statuses[change.slot].binding = bound
      statuses[change.slot].isTold = false
      statuses[change.slot].priority = nil
      giveBack(change.slot)
    }
  }

  /// Forgets what the slots stand for, and which of them load.
  func removeAll(count: Int?) {
    generation += 1
    bindings.removeAll(count: count)
    statuses = Array(repeating: Status(), count: bindings.rows.count)
    (loading, pending) = (0, 0)
  }

  /// What `slot` stands for, as a number: another for another row, and for the same one once everything was forgotten.
  func binding(of slot: Int) -> Int { statuses.indices.contains(slot) ? statuses[slot].binding : 0 }

  func isBound(_ slot: Int) -> Bool { binding(of: slot) > 0 }

  /// Takes a slot whose row is to be asked; false for any other, and for one that somebody has taken who is not done yet.
  func take(_ slot: Int) -> Bool {
    guard statuses[slot].isPending else { return false }
    statuses[slot].isPending = false
    pending -= 1
    return true
  }

  /// The row of `slot` is still to be asked.
  func giveBack(_ slot: Int) {
    if !statuses[slot].isPending { pending += 1 }
    statuses[slot].isPending = true
  }

  func isPending(_ slot: Int) -> Bool { statuses[slot].isPending }

  /// Notes that `slot` is told what it stands for; false when it was.
  func tell(_ slot: Int) -> Bool {
    defer { statuses[slot].isTold = true }
    return !statuses[slot].isTold
  }

  func isTold(_ slot: Int) -> Bool { statuses[slot].isTold }

  /// Rows that have asked for nothing are to be asked once more.
  func setNeedsRequests() {
    for slot in statuses.indices where isBound(slot) && isIdle(slot) { giveBack(slot) }
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
